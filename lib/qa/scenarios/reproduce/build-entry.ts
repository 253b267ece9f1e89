import { captureDelayMs } from '#lib/contract/charge-rule.ts'
import { creditIntents } from '#lib/contract/sandbox.ts'
import { transactionStatuses } from '#lib/contract/terms.ts'
import { amount, type Amount, toWire } from '#lib/shared/money.ts'
import { hourMs } from '#lib/shared/time.ts'
import { chargeSteps, codeOfDecline } from './charges.ts'
import {
  toRelativeMs,
  amountIn,
  type Entry,
  type EntrySetting,
  isCredit,
  isRefunded,
  named,
  needsCapture,
  parseDirection,
  parseDisputeStatus,
  postedMs,
} from './entry.ts'
import { feeIntent, feeOrCreditSteps } from './fees-and-credits.ts'
import { safeCode } from './personal.ts'
import type { FileStep, Moment } from './timeline.ts'

/** A pending entry is made within the time after which the built-in service posts it. */
const longestPendingMs = captureDelayMs - hourMs

/** An entry that can be built: its steps with their times, its effect on the balance, and the record that it becomes. */
export type BuiltEntry = { moments: Moment[]; effect: Amount; expected: ExpectedEntry }
export type ExpectedEntry = {
  intent: string
  status: string | null
  amount: number
  disputeStatus: string | null
  responseCode: string | null
  fee: string | null
}

/** The steps that make one transaction. Null for one that can't be built, which a note says. */
export function buildEntry(entry: Entry, setting: EntrySetting): BuiltEntry | null {
  const { notes } = setting
  const value = amountIn(entry, setting.currency)
  const problem =
    value === null ? 'A transaction has no amount that its currency can have.' : findProblem(entry, setting)
  if (value === null || problem !== null) {
    if (problem !== null) notes.add(problem)
    return null
  }
  if (entry.xid !== null || entry.xmetadata !== null)
    notes.add('External IDs and metadata of transactions are left out: no call of the sandbox sets them.')
  const atMs = toRelativeMs(entry.createdAt, setting)
  const made = entry.intent === 'charge' ? chargeSteps(entry, value, setting) : feeOrCreditSteps(entry, value, setting)
  const later = captureMoments(entry, atMs, setting)
  const first = {
    atMs: entry.status === 'pending' ? Math.max(atMs, -longestPendingMs) : atMs,
    steps: [...made, ...disputeSteps(entry, setting)],
  }
  const moments = [first, ...later]
  return { moments, effect: balanceEffect(entry, value), expected: toExpectedEntry(entry, value, setting) }
}

function toExpectedEntry(entry: Entry, value: Amount, setting: EntrySetting): ExpectedEntry {
  const { intent, status } = entry
  const isCharge = intent === 'charge'
  const isFee = intent === 'fee'
  const responseCode = status === 'declined' ? codeOfDecline(entry) : '00'
  return {
    intent: isCharge || isFee || isCredit(intent) ? intent : 'other',
    status,
    amount: toWire(value),
    disputeStatus: parseDisputeStatus(entry),
    responseCode: isCharge ? responseCode : null,
    fee: isFee ? feeIntent(entry, setting) : null,
  }
}

/** Why a transaction can't be built; null where it can. */
function findProblem(entry: Entry, { cards, isPersonal }: EntrySetting): string | null {
  const { status, intent } = entry
  if (!transactionStatuses.some((one) => one === status))
    return `A transaction has a status that the sandbox doesn’t know: ${named(status, isPersonal)}.`
  const direction = intent === 'charge' || intent === 'fee' ? 'CREDIT' : null
  if (direction !== null && parseDirection(entry) !== null && parseDirection(entry) !== direction)
    return `A ${intent} adds to the balance; the sandbox’s subtract.`
  if (intent === 'charge') {
    const isKnown = entry.cardId !== null && cards.has(entry.cardId)
    return isKnown ? null : 'A charge is of a card that the case doesn’t have.'
  }
  const kind = safeCode(intent, isPersonal) ?? 'unknown'
  if (status === 'declined') return `A transaction of the intent ${kind} is declined; in the sandbox only charges are.`
  if (status === 'void' && intent !== 'fee')
    return `A transaction of the intent ${kind} is void; in the sandbox only charges and fees become void.`
  if (!isCredit(intent) && intent !== 'fee' && parseDirection(entry) === null)
    return `A transaction of the intent ${kind} has no direction.`
  return null
}

function balanceEffect(entry: Entry, value: Amount): Amount {
  const { status, intent } = entry
  if (status !== 'pending' && status !== 'posted') return amount(0)
  const direction = parseDirection(entry) ?? (isCredit(intent) ? creditIntents[intent].entryType : 'CREDIT')
  return direction === 'DEBIT' ? value : value.negated()
}

function disputeSteps(entry: Entry, setting: EntrySetting): FileStep[] {
  const status = parseDisputeStatus(entry)
  const { notes, isPersonal } = setting
  if (status === null && entry.disputeStatus !== null)
    notes.add(`A dispute has a status that the sandbox doesn’t know: ${named(entry.disputeStatus, isPersonal)}.`)
  const transactionId = `\${${setting.entries.get(entry.id) ?? ''}}`
  return status === null ? [] : [{ control: 'POST /disputes', body: { transactionId, status } }]
}

/** The capture of a charge. One with a refund is captured at once: reversing a pending charge makes it void. */
function captureMoments(entry: Entry, atMs: number, setting: EntrySetting): Moment[] {
  if (!needsCapture(entry, setting)) return []
  const latestMs = isRefunded(entry, setting) ? atMs : Math.min(0, atMs + longestPendingMs)
  const transactionId = `\${${setting.entries.get(entry.id) ?? ''}}`
  const captureAtMs = Math.max(atMs, Math.min(postedMs(entry, atMs, setting), latestMs))
  return [{ atMs: captureAtMs, steps: [{ control: 'POST /captures', body: { transactionId } }] }]
}
