import { dayMs, hourMs } from '#lib/shared/time.ts'
import type { CardStatus } from './terms.ts'

/**
 * Decision: the rule by which the built-in service approves a charge, as data: the service declines by it, and the console explains
 * its declines with it. Checked in this order: the card's status, its expiry, the account's balance, each limit.
 */

/** The kind of a charge: it decides which limits restrict it, and against which it counts. */
export type ChargeKind = { type: 'PURCHASE' | 'ATM'; cardPresent: boolean }

/** Why a charge is declined. Response codes are those of ISO 8583: 62 restricted card, 54 expired card, 51 insufficient funds, 61 over a limit. */
export type Decline = { responseCode: string; responseMessage: string }

export const statusDeclines: Readonly<Record<Exclude<CardStatus, 'active'>, Decline>> = {
  locked: { responseCode: '62', responseMessage: 'The card is locked' },
  suspended: { responseCode: '62', responseMessage: 'The card is suspended' },
  'pending-issue': { responseCode: '62', responseMessage: 'The card is not issued yet' },
  'pending-activation': { responseCode: '62', responseMessage: 'The card is not activated yet' },
  cancelled: { responseCode: '62', responseMessage: 'The card is cancelled' },
}
export const expiryDecline: Decline = { responseCode: '54', responseMessage: 'The card is expired' }
export const balanceDecline: Decline = { responseCode: '51', responseMessage: 'Insufficient available balance' }

/** A limit of a card: the period over which charges count against it (`charge`: a single one), and the kinds that it restricts. */
type ChargeLimit = {
  name: CardLimitName
  period: 'charge' | 'day' | 'month'
  restricts: (kind: ChargeKind) => boolean
  decline: Decline
}

export type CardLimitName =
  | 'singleTransactionLimit'
  | 'cardPresentLimit'
  | 'cardNotPresentLimit'
  | 'dailyAtmLimit'
  | 'dailyPurchaseLimit'
  | 'dailyLimit'
  | 'cardLimit'

/** A value for each limit that is a card's own. */
export type CardLimits<Value> = Record<CardLimitName, Value>

/** Decision: a charge is captured after 24 hours of sandbox time. */
export const captureDelayMs = dayMs

const over = (limit: string): Decline => ({ responseCode: '61', responseMessage: `Exceeds the ${limit}` })
const any = () => true

/** Every limit of a card, in the order in which they are checked. */
export const chargeLimits: readonly ChargeLimit[] = [
  { name: 'singleTransactionLimit', period: 'charge', restricts: any, decline: over('single transaction limit') },
  {
    name: 'cardPresentLimit',
    period: 'day',
    restricts: ({ cardPresent }) => cardPresent,
    decline: over('card-present limit'),
  },
  {
    name: 'cardNotPresentLimit',
    period: 'day',
    restricts: ({ cardPresent }) => !cardPresent,
    decline: over('card-not-present limit'),
  },
  { name: 'dailyAtmLimit', period: 'day', restricts: ({ type }) => type === 'ATM', decline: over('daily ATM limit') },
  {
    name: 'dailyPurchaseLimit',
    period: 'day',
    restricts: ({ type }) => type === 'PURCHASE',
    decline: over('daily purchase limit'),
  },
  { name: 'dailyLimit', period: 'day', restricts: any, decline: over('daily limit') },
  { name: 'cardLimit', period: 'month', restricts: any, decline: over('card limit') },
]

export function mapCardLimits<Value>(valueOf: (name: CardLimitName) => Value): CardLimits<Value> {
  return Object.fromEntries(chargeLimits.map(({ name }) => [name, valueOf(name)])) as CardLimits<Value>
}

/** A card's day and month are Hong Kong's. */
const zoneOffsetMs = 8 * hourMs

/** When the card's day and month at an instant began. */
export function cardPeriods(now: Date): { dayStart: Date; monthStart: Date } {
  const local = new Date(now.getTime() + zoneOffsetMs)
  const day = Math.floor(local.getTime() / dayMs) * dayMs
  const month = Date.UTC(local.getUTCFullYear(), local.getUTCMonth())
  return { dayStart: new Date(day - zoneOffsetMs), monthStart: new Date(month - zoneOffsetMs) }
}

/** When the card's next day and month begin. */
export function nextCardPeriods(now: Date): { day: Date; month: Date } {
  const { dayStart, monthStart } = cardPeriods(now)
  const local = new Date(monthStart.getTime() + zoneOffsetMs)
  const nextMonth = Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1)
  return { day: new Date(dayStart.getTime() + dayMs), month: new Date(nextMonth - zoneOffsetMs) }
}

/** The card's month and year at an instant, from which its expiry counts. */
export function cardMonth(now: Date): { month: number; year: number } {
  const local = new Date(now.getTime() + zoneOffsetMs)
  return { month: local.getUTCMonth() + 1, year: local.getUTCFullYear() }
}

/** A card is good to the end of its month, in Hong Kong. */
export function isCardExpired({ expiryMonth, expiryYear }: { expiryMonth: number; expiryYear: number }, now: Date) {
  return now.getTime() >= Date.UTC(expiryYear, expiryMonth) - zoneOffsetMs
}
