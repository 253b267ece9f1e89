import { captureDelayMs } from '#lib/contract/charge-rule.ts'
import type { CardAccountTransaction, FeeEntry } from '#lib/contract/records.ts'
import { creditIntents } from '#lib/contract/sandbox.ts'
import { disputeStatuses } from '#lib/contract/transactions.ts'
import { amount, type Amount, roundToMinorUnit } from '#lib/shared/money.ts'
import { minuteMs } from '#lib/shared/time.ts'
import type { Notes } from './notes.ts'
import { type PersonalCheck, safeCode } from './personal.ts'

export type Entry = CardAccountTransaction

/** The case that an entry belongs to, for its steps. */
export type EntrySetting = {
  currency: string
  nowMs: number
  /** The scenario's variables, by the id of the original: of each card that it issues, of each transaction that it makes. */
  cards: ReadonlyMap<string, string>
  entries: ReadonlyMap<string, string>
  /** The fee of each transaction that carries one. */
  fees: ReadonlyMap<string, FeeEntry>
  /** The charge that a refund gives back, by the refund's id. */
  refunded: ReadonlyMap<string, Entry>
  isPersonal: PersonalCheck
  notes: Notes
}

/** The variable of the scenario that has the id of the account. */
export const accountVariable = '${cardAccountId}'

/** The amount in the minor unit of the currency; null for none, or nothing. */
export function amountIn({ amount: given }: { amount: number | null }, currency: string): Amount | null {
  if (given === null) return null
  const value = roundToMinorUnit(amount(given), currency)
  return value.gt(0) ? value : null
}

/** The direction of an entry; null for none, and for one that the interface doesn't name. */
export function parseDirection({ entryType }: Entry): 'DEBIT' | 'CREDIT' | null {
  return entryType === 'DEBIT' || entryType === 'CREDIT' ? entryType : null
}

/** Milliseconds before the original was read, as a negative number. */
export function toRelativeMs(time: string | null, { nowMs }: EntrySetting): number {
  const ms = time === null ? Number.NaN : Date.parse(time)
  return Number.isFinite(ms) ? Math.min(0, ms - nowMs) : 0
}

/** Whether the sandbox has the intent as a credit. */
export const isCredit = (intent: string | null): intent is keyof typeof creditIntents =>
  intent !== null && Object.hasOwn(creditIntents, intent)

/** A code in a note; what is no code isn't shown. */
export function named(value: string | null, isPersonal: PersonalCheck): string {
  return safeCode(value, isPersonal) ?? (value === null ? 'none' : 'a text that is no code')
}

/** The card of an entry as a field of a step; empty where the case does not have it. */
export function toCardField({ cardId }: Entry, { cards }: EntrySetting): { cardId?: string } {
  const variable = cardId === null ? undefined : cards.get(cardId)
  return variable === undefined ? {} : { cardId: `\${${variable}.id}` }
}

/** Whether a later step names the transaction: a capture, a dispute, a refund. */
export function isReferredTo(entry: Entry, setting: EntrySetting): boolean {
  return isRefunded(entry, setting) || parseDisputeStatus(entry) !== null || needsCapture(entry, setting)
}

/** Whether a refund of the case gives the charge back. */
export function isRefunded({ id }: Entry, { refunded }: EntrySetting): boolean {
  return [...refunded.values()].some((charge) => charge.id === id)
}

/** The dispute status; null for none, and for one that the sandbox doesn't have. */
export function parseDisputeStatus({ disputeStatus }: Entry): string | null {
  return disputeStatuses.find((one) => one === disputeStatus) ?? null
}

/** Whether a charge is posted by a step: sooner than the service would post it by itself. */
export function needsCapture(entry: Entry, setting: EntrySetting): boolean {
  if (entry.intent !== 'charge' || entry.status !== 'posted') return false
  const atMs = toRelativeMs(entry.createdAt, setting)
  const isSoon = postedMs(entry, atMs, setting) - atMs < captureDelayMs - minuteMs
  return isSoon || atMs > -(captureDelayMs + minuteMs) || isRefunded(entry, setting)
}

/** When a charge was posted, as `toRelativeMs`; when it was made, where it does not say. */
export function postedMs({ postedAt }: Entry, atMs: number, setting: EntrySetting): number {
  return postedAt === null ? atMs : toRelativeMs(postedAt, setting)
}
