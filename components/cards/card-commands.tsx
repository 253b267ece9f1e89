import type { Command } from '#components/layout/commands.tsx'
import { cardActions } from '#lib/contract/card-actions.ts'
import type { ReadResult } from '#lib/queries/reads.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'
import { type ActingPerson, cardActionTable, unavailability } from './card-action-table.ts'

/**
 * What can be done to the cards that were found: each action that begins with the typed text, and that the card's status and the
 * person's role allow. It leads to its dialog.
 */
export function cardCommands(
  { environment, person }: { environment: Environment; person: ActingPerson },
  typed: string,
  cards: ReadResult<'searchConsole'>['found'],
): Command[] {
  if (typed === '') return []
  const wanted = cardActions.filter((one) => cardActionTable[one].label.toLowerCase().startsWith(typed.toLowerCase()))
  return cards.flatMap(({ id, parentId, label: last4, hint, status }) =>
    wanted
      .filter((action) => parentId !== null && unavailability(action, status, person) === undefined)
      .map((action): Command => {
        const { label, icon: Icon } = cardActionTable[action]
        return {
          id: `card-${action}-${id}`,
          label: `${label} · card ending ${last4}`,
          group: 'Actions',
          icon: <Icon />,
          hint: [hint, status].filter(Boolean).join(' · '),
          href: routes.card(environment, parentId ?? '', id, { action }),
        }
      }),
  )
}
