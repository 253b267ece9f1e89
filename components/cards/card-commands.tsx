import { Eye, type LucideIcon, RefreshCw, ShieldAlert } from 'lucide-react'
import type { ActingPerson } from '#components/environment/use-permissions.ts'
import type { Command } from '#components/layout/commands.tsx'
import { type Permission } from '#lib/auth/permissions.ts'
import { type CardAction, shortLabel } from '#lib/contract/card-actions.ts'
import type { ReadResult } from '#lib/queries/reads.ts'
import { shortId } from '#lib/shared/ids.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'
import {
  cancelledForGood,
  cardActionUi,
  type CardDeed,
  cardDeeds,
  notRevealed,
  permissionsLoading,
  unavailability,
} from './card-action-table.ts'
import { cardStatusEntry } from './card-status.ts'

/** `impossible` has the statuses in which it can't be done, and why. */
type DeedRow = { label: string; icon: LucideIcon; needs: Permission; impossible: ReadonlyMap<string, string> }

const otherDeedTable: Record<Exclude<CardDeed, CardAction>, DeedRow> = {
  reveal: { label: 'Reveal', icon: Eye, needs: 'cards.reveal', impossible: notRevealed },
  lost: {
    label: 'Lost or stolen',
    icon: ShieldAlert,
    needs: 'cards.issue',
    impossible: new Map([['cancelled', cancelledForGood]]),
  },
  replace: { label: 'Replace', icon: RefreshCw, needs: 'cards.issue', impossible: new Map() },
}

/** Other words for a deed. */
const synonyms: Partial<Record<CardDeed, readonly string[]>> = {
  lock: ['freeze', 'block'],
  unlock: ['unfreeze', 'unblock'],
  suspend: ['stop'],
  unsuspend: ['resume'],
  activate: ['enable'],
  'change-pin': ['reset'],
  cancel: ['close', 'terminate'],
  reveal: ['show', 'number'],
  lost: ['stolen', 'report'],
  replace: ['reissue', 'replacement'],
}
const commandWords = (deed: CardDeed) => [...deed.split('-'), ...(synonyms[deed] ?? [])]

export type TypedDeed = {
  deeds: readonly CardDeed[]
  /** A word of the deed was typed whole. */
  isWhole: boolean
  /** The other words: whom or what it is to be done to. */
  rest: string
}

/** Shorter beginnings are of too many words. */
const shortestBeginning = 3

/** “lock 4821”, “4821 freeze”, “change pin lee”: the deed in a text and the other words; null where it names none, or nothing else. */
export function typedDeed(query: string): TypedDeed | null {
  const words = query.trim().split(/\s+/)
  const read = cardDeeds.map((deed) => {
    const isOfDeed = (word: string) =>
      commandWords(deed).some(
        (name) =>
          name === word.toLowerCase() || (word.length >= shortestBeginning && name.startsWith(word.toLowerCase())),
      )
    const rest = words.filter((word) => !isOfDeed(word))
    const isWhole = words.some((word) => commandWords(deed).includes(word.toLowerCase()))
    return { deed, isWhole, rest: rest.join(' ').replace(/^cards? /i, ''), named: words.length - rest.length }
  })
  const [best] = read
    .filter(({ named, rest }) => named > 0 && rest !== '')
    .toSorted((one, other) => Number(other.isWhole) - Number(one.isWhole) || other.named - one.named)
  if (!best) return null
  const alike = read.filter(({ named, isWhole, rest }) => named > 0 && isWhole === best.isWhole && rest === best.rest)
  return { deeds: alike.map(({ deed }) => deed), isWhole: best.isWhole, rest: best.rest }
}

function isCardAction(deed: CardDeed): deed is CardAction {
  return deed in cardActionUi
}

function findDeedRow(deed: CardDeed): Pick<DeedRow, 'label' | 'icon'> {
  return isCardAction(deed) ? { label: shortLabel(deed), icon: cardActionUi[deed].icon } : otherDeedTable[deed]
}

function whyImpossible(deed: CardDeed, status: string | null, person: ActingPerson): string | undefined {
  if (isCardAction(deed)) return unavailability(deed, status, person)
  const { needs, impossible } = otherDeedTable[deed]
  return person.may.has(needs) ? impossible.get(status ?? '') : (person.denied(needs) ?? permissionsLoading)
}

/**
 * The typed action for each card that was found, where its status and the person's role allow it. It opens the card's dialog. Where the
 * text finds one card alone, an action that is not possible says why, and leads to the card.
 */
export function cardCommands(
  { environment, person }: { environment: Environment; person: ActingPerson },
  typed: TypedDeed,
  cards: ReadResult<'searchConsole'>['found'],
): Command[] {
  return cards.flatMap(({ id, parentId, label: last4, hint, status }) =>
    typed.deeds.flatMap((deed): Command[] => {
      const why = whyImpossible(deed, status, person)
      if (parentId === null || (why !== undefined && cards.length > 1)) return []
      const { label, icon: Icon } = findDeedRow(deed)
      return [
        {
          id: `card-${deed}-${id}`,
          label: `${why === undefined ? '' : 'Not possible: '}${label} · card ${last4 ? `ending ${last4}` : shortId(id)}`,
          group: 'Actions',
          icon: <Icon />,
          hint: why ?? [hint, status && cardStatusEntry(status).label].filter(Boolean).join(' · '),
          href: routes.card(environment, parentId, id, why === undefined ? { action: deed } : {}),
        },
      ]
    }),
  )
}
