import { cardProductionMs } from '#lib/contract/cards.ts'
import { chargeLimits, isCardExpired } from '#lib/contract/charge-rule.ts'
import { amountBound } from '#lib/contract/fields.ts'
import type { Card } from '#lib/contract/records.ts'
import { cardStatuses } from '#lib/contract/terms.ts'
import { hourMs } from '#lib/shared/time.ts'
import { accountVariable, named } from './entry.ts'
import type { Notes } from './notes.ts'
import type { PersonalCheck } from './personal.ts'
import type { FileStep, Moment } from './timeline.ts'

/** The limits that are a card's own. */
export const cardLimitNames = chargeLimits.map(({ name }) => name)

type CardSetting = {
  nowMs: number
  /** The scenario's variable of each card, by the id of the original. */
  cards: ReadonlyMap<string, string>
  isPersonal: PersonalCheck
  notes: Notes
}

/** Invented: no card of a person has it. */
const embossedName = 'WONG SIU MING'

/** Physical where the product says so, and where only a physical card has the status. */
export function chooseCardType({ product, status }: Card): 'virtual' | 'physical' {
  return product?.cardType === 'physical' || isUnissued(status) ? 'physical' : 'virtual'
}

function isUnissued(status: string | null): boolean {
  return status === 'pending-issue' || status === 'pending-activation'
}

/** Whether a card is expired; false for one without an expiry date. */
export function isExpired({ expiryMonth, expiryYear }: Card, now: Date): boolean {
  return expiryMonth !== null && expiryYear !== null && isCardExpired({ expiryMonth, expiryYear }, now)
}

/** When a card is issued, with its step: early enough for its production, and not too early for one that is in production. */
export function issueMoment(card: Card, setting: CardSetting): Moment {
  const { nowMs, cards, notes } = setting
  const type = chooseCardType(card)
  if (type === 'physical' && card.product?.cardType !== 'physical')
    notes.add('A card that is not physical waits for its issue or activation; here it is physical.')
  const givenMs = card.createdAt === null ? Number.NaN : Date.parse(card.createdAt) - nowMs
  const ageMs = Math.min(0, Number.isFinite(givenMs) ? givenMs : 0)
  const inProduction = Math.max(ageMs, -(cardProductionMs - 4 * hourMs))
  const produced = Math.min(ageMs, -(cardProductionMs + hourMs))
  const xid = card.xid === null ? {} : { xid: `reproduced-\${run}-${cardVariable(card, cards)}` }
  return {
    atMs: type === 'virtual' ? ageMs : card.status === 'pending-issue' ? inProduction : produced,
    steps: [
      {
        name: `A ${type} card`,
        call: 'POST /cards',
        body: {
          type,
          cardAccountId: accountVariable,
          productId: `\${find(products, 'cardType', '${type}').id}`,
          embossedName,
          ...xid,
          ...(card.xmetadata === null ? {} : { xmetadata: inventedMetadata(card.xmetadata) }),
        },
        save: { [cardVariable(card, cards)]: 'body' },
      },
    ],
  }
}

function cardVariable({ id }: Card, cards: CardSetting['cards']): string {
  return cards.get(id) ?? ''
}

/** Metadata of the same form with invented keys and values. */
export function inventedMetadata(xmetadata: unknown): unknown {
  if (Array.isArray(xmetadata)) return xmetadata.map((_, index) => `value ${index + 1}`)
  if (typeof xmetadata !== 'object' || xmetadata === null) return 'value'
  return Object.fromEntries(Object.keys(xmetadata).map((_, index) => [`key${index + 1}`, `value ${index + 1}`]))
}

/** The steps that bring an issued card into its state: active first, then what binds it, then its status. */
export function cardStateSteps(card: Card, setting: CardSetting): FileStep[] {
  const { cards, notes, isPersonal } = setting
  const { status } = card
  const variable = cardVariable(card, cards)
  const target = { cardAccountId: accountVariable, cardId: `\${${variable}.id}` }
  const isKnown = cardStatuses.some((one) => one === status)
  if (!isKnown) notes.add(`A card has a status that the sandbox doesn’t know: ${named(status, isPersonal)}.`)
  if (status === 'suspended') notes.add('Whether a suspended card was locked before is in no record; here it wasn’t.')
  const isActivated = chooseCardType(card) === 'physical' && !isUnissued(status) && status !== 'cancelled'
  const action = status === null ? undefined : finalActions[status]
  return [
    ...(isActivated ? activationSteps(variable, target) : []),
    ...settingSteps(card, target, setting),
    ...(action ? [{ call: action, body: target }] : []),
  ]
}

const finalActions: Readonly<Record<string, string>> = {
  locked: 'POST /cards/lock',
  suspended: 'POST /cards/suspend',
  cancelled: 'POST /cards/cancel',
}

/** The record that a card becomes. */
export function expectedCard(card: Card): Record<string, unknown> {
  const status = cardStatuses.find((one) => one === card.status) ?? 'active'
  return { status, ...Object.fromEntries(ownLimits(card)) }
}

/** The digits of the number come from the one-time link: they are in no file. */
function activationSteps(variable: string, target: object): FileStep[] {
  return [
    {
      name: 'Activate the card with its own digits',
      call: 'GET /cards/card-sensitive-info',
      query: { ...target, ipAddress: '127.0.0.1' },
      save: { link: 'body.url' },
    },
    { open: '${link}', save: { digits: 'last6' } },
    {
      call: 'POST /cards/activate',
      body: {
        ...target,
        last6: '${digits}',
        expiryMonth: `\${${variable}.expiryMonth}`,
        expiryYear: `\${${variable}.expiryYear}`,
      },
    },
  ]
}

function ownLimits(card: Card): [name: string, limit: number][] {
  return cardLimitNames.flatMap((name): [string, number][] => {
    const limit = card[name]
    // A limit above every amount binds nothing.
    return limit !== null && limit >= 0 && limit < amountBound ? [[name, limit]] : []
  })
}

function settingSteps(card: Card, target: object, { cards, nowMs, notes }: CardSetting): FileStep[] {
  const limits = ownLimits(card)
  if (cardLimitNames.some((name) => card[name] === null || card[name] < 0))
    notes.add('A limit of a card is missing or negative; here the card has none.')
  const replacement = card.replacedBy === null ? undefined : cards.get(card.replacedBy)
  if (card.replacedBy !== null && replacement === undefined)
    notes.add('A card was replaced by one that the case doesn’t have.')
  const body = {
    ...Object.fromEntries(limits),
    ...(replacement === undefined ? {} : { replacedBy: `\${${replacement}.id}` }),
    ...(isExpired(card, new Date(nowMs)) ? { expiryMonth: 1, expiryYear: 2020 } : {}),
  }
  if (Object.keys(body).length === 0) return []
  return [{ name: 'What binds the card', control: 'POST /cards/set', body: { ...target, ...body } }]
}
