import { captureDelayMs } from '#lib/contract/charge-rule.ts'
import { isCountryCode } from '#lib/contract/countries.ts'
import type { CardAccountTransaction, FeeEntry } from '#lib/contract/records.ts'
import { creditIntents, declineReasons } from '#lib/contract/sandbox.ts'
import { cardAccountCurrencies } from '#lib/contract/terms.ts'
import { disputeStatuses, transactionStatuses } from '#lib/contract/transactions.ts'
import { amount, roundToMinorUnit, toWire, type Amount } from '#lib/shared/money.ts'
import { hourMs, minuteMs } from '#lib/shared/time.ts'
import type { Notes } from './notes.ts'
import { safeCode, merchantText, type PersonalCheck } from './personal.ts'
import type { FileStep, Moment } from './timeline.ts'

type Entry = CardAccountTransaction

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

/** A pending entry is made within the time after which the built-in service posts it. */
const longestPendingMs = captureDelayMs - hourMs

/** The variable of the scenario that has the id of the account. */
export const accountVariable = '${cardAccountId}'

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
    notes.add('A transaction has an external reference or metadata, which no call of the sandbox sets.')
  const atMs = ageless(entry.createdAt, setting)
  const made = entry.intent === 'charge' ? chargeSteps(entry, value, setting) : otherSteps(entry, value, setting)
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
  const kind = safeIntent(intent, isPersonal)
  if (status === 'declined') return `A transaction of the intent ${kind} is declined; in the sandbox only charges are.`
  if (status === 'void' && intent !== 'fee')
    return `A transaction of the intent ${kind} is void; in the sandbox only charges and fees become void.`
  if (!isCredit(intent) && intent !== 'fee' && parseDirection(entry) === null)
    return `A transaction of the intent ${kind} has no direction.`
  return null
}

/** The amount in the minor unit of the currency; null for none, or nothing. */
function amountIn({ amount: given }: { amount: number | null }, currency: string): Amount | null {
  if (given === null) return null
  const value = roundToMinorUnit(amount(given), currency)
  return value.gt(0) ? value : null
}

function balanceEffect(entry: Entry, value: Amount): Amount {
  const { status, intent } = entry
  if (status !== 'pending' && status !== 'posted') return amount(0)
  const direction = parseDirection(entry) ?? (isCredit(intent) ? creditIntents[intent].entryType : 'CREDIT')
  return direction === 'DEBIT' ? value : value.negated()
}

/** The direction of an entry; null for none, and for one that the interface doesn't name. */
function parseDirection({ entryType }: Entry): 'DEBIT' | 'CREDIT' | null {
  return entryType === 'DEBIT' || entryType === 'CREDIT' ? entryType : null
}

/** Milliseconds before the original was read, as a negative number. */
function ageless(time: string | null, { nowMs }: EntrySetting): number {
  const ms = time === null ? Number.NaN : Date.parse(time)
  return Number.isFinite(ms) ? Math.min(0, ms - nowMs) : 0
}

const isCredit = (intent: string | null): intent is keyof typeof creditIntents =>
  intent !== null && Object.hasOwn(creditIntents, intent)

function safeIntent(intent: string | null, isPersonal: PersonalCheck): string {
  return safeCode(intent, isPersonal) ?? 'unknown'
}

/** A code in a note; what is no code isn't shown. */
export function named(value: string | null, isPersonal: PersonalCheck): string {
  return safeCode(value, isPersonal) ?? (value === null ? 'none' : 'a text that is no code')
}

function chargeSteps(entry: Entry, value: Amount, setting: EntrySetting): FileStep[] {
  const { notes, currency } = setting
  const { authorization, status } = entry
  const gross = entry.grossAmount === null ? value : roundToMinorUnit(amount(entry.grossAmount), currency)
  const abroad = authorizedAbroad(entry, setting)
  const hasGross = gross.gt(0) && !gross.eq(value)
  if (abroad && hasGross) notes.add('The whole amount of a purchase in another currency is that of the charge here.')
  const type = authorization?.type === 'ATM' ? 'ATM' : 'PURCHASE'
  const body = {
    cardAccountId: accountVariable,
    ...toCardField(entry, setting),
    ...(abroad ? { ...abroad, accountAmount: toWire(value) } : { amount: toWire(value), currency }),
    ...(hasGross && !abroad ? { opts: { purchaseAmount: toWire(gross) } } : {}),
    type,
    ...(authorization?.cardPresent === null || authorization === null
      ? {}
      : { cardPresent: authorization.cardPresent }),
    ...toMerchant(entry, setting),
    ...(status === 'declined' ? { declineReason: chooseDecline(entry, setting) } : { forced: true }),
  }
  const charge = { name: statusNames[status ?? ''] ?? 'Charge', control: 'POST /charges', body }
  const variable = setting.entries.get(entry.id) ?? ''
  const isNamed = status === 'void' || isReferredTo(entry, setting)
  const reversal = {
    call: 'POST /cards/simulate-full-reversal',
    body: { cardAccountId: accountVariable, cardTransactionId: `\${${variable}}` },
  }
  return [
    { ...charge, ...(isNamed ? { save: { [variable]: 'body.id' } } : {}) },
    ...(status === 'void' ? [reversal] : []),
  ]
}

/** Amount and currency of a charge that was authorized in another currency than the account's; null for any other. */
function authorizedAbroad(
  { authorization }: Entry,
  { currency, notes }: EntrySetting,
): { amount: number; currency: string } | null {
  if (!authorization?.currency || authorization.currency === currency) return null
  const known = cardAccountCurrencies.find((one) => one === authorization.currency)
  const given = amountIn(authorization, known ?? currency)
  if (known && given) return { amount: toWire(given), currency: known }
  notes.add('A charge was authorized in a currency that the sandbox doesn’t have; here it is in that of the account.')
  return null
}

const statusNames: Record<string, string> = {
  declined: 'A declined charge',
  pending: 'A pending charge',
  posted: 'A charge',
  void: 'A reversed charge',
}

/** Whether a later step names the transaction: a capture, a dispute, a refund. */
function isReferredTo(entry: Entry, setting: EntrySetting): boolean {
  return isRefunded(entry, setting) || parseDisputeStatus(entry) !== null || needsCapture(entry, setting)
}

function isRefunded({ id }: Entry, { refunded }: EntrySetting): boolean {
  return [...refunded.values()].some((charge) => charge.id === id)
}

type Decline = string | { responseCode: string; responseMessage: string }

/** The response code of a declined charge; 05, do not honor, where it has none of two characters. */
function codeOfDecline({ authorization }: Entry): string {
  const given = authorization?.responseCode ?? ''
  return /^[0-9A-Z]{2}$/.test(given) ? given : declineReasons['do-not-honor'].responseCode
}

function chooseDecline(entry: Entry, { notes }: EntrySetting): Decline {
  const responseCode = codeOfDecline(entry)
  if (responseCode !== entry.authorization?.responseCode)
    notes.add('A declined charge has no response code of two characters; here it has 05.')
  const known = Object.entries(declineReasons).find(([, reason]) => reason.responseCode === responseCode)
  return known ? known[0] : { responseCode, responseMessage: 'Declined' }
}

function toMerchant({ merchant }: Entry, { isPersonal, notes }: EntrySetting): { merchant?: object } {
  if (!merchant) {
    notes.add('A charge has no merchant; the sandbox gives it one.')
    return {}
  }
  const name = merchantText(merchant.name, isPersonal)
  if (name === null) notes.add('A merchant’s name may hold something personal; it is replaced.')
  const category = merchantText(merchant.category, isPersonal)
  const { mcc, country } = merchant
  return {
    merchant: {
      name: name ?? 'Merchant',
      mcc: mcc !== null && /^\d{4}$/.test(mcc) ? mcc : '5999',
      ...(category === null ? {} : { category }),
      ...(country !== null && isCountryCode(country) ? { country } : {}),
    },
  }
}

function toCardField({ cardId }: Entry, { cards }: EntrySetting): { cardId?: string } {
  const variable = cardId === null ? undefined : cards.get(cardId)
  return variable === undefined ? {} : { cardId: `\${${variable}.id}` }
}

function otherSteps(entry: Entry, value: Amount, setting: EntrySetting): FileStep[] {
  const variable = setting.entries.get(entry.id) ?? ''
  const save = (source: string) => (isReferredTo(entry, setting) ? { save: { [variable]: source } } : {})
  if (entry.intent === 'fee') return feeSteps(entry, value, setting, save('body.transaction.id'))
  const charge = setting.refunded.get(entry.id)
  if (charge && entry.status === 'posted') {
    const body = { transactionId: `\${${setting.entries.get(charge.id) ?? ''}}`, amount: toWire(value) }
    return [{ control: 'POST /reversals', body, ...save('body.refund.id') }]
  }
  const intent = isCredit(entry.intent) ? entry.intent : 'other'
  if (!isCredit(entry.intent))
    setting.notes.add(
      `An intent that the sandbox doesn’t have, ${named(entry.intent, setting.isPersonal)}, is other here.`,
    )
  const body = {
    cardAccountId: accountVariable,
    ...toCardField(entry, setting),
    intent,
    amount: toWire(value),
    entryType: parseDirection(entry) ?? creditIntents[intent].entryType,
    ...(entry.status === 'pending' ? { status: 'pending' } : {}),
  }
  return [{ control: 'POST /credits', body, ...save('body.id') }]
}

function feeSteps(entry: Entry, value: Amount, setting: EntrySetting, saved: FileStep): FileStep[] {
  const { notes, isPersonal } = setting
  const fee = setting.fees.get(entry.id)
  if (!fee) notes.add('A transaction of the intent fee has no fee record; here it has one.')
  else if (fee.status !== entry.status) notes.add('A fee has another status than its transaction.')
  if (fee && safeCode(fee.intent, isPersonal) === null) notes.add('A fee’s intent is no code; it is replaced.')
  const isVoid = entry.status === 'void'
  const variable = `${setting.entries.get(entry.id) ?? ''}Fee`
  const save = { ...fieldsIn(saved), ...(isVoid ? { [variable]: 'body.id' } : {}) }
  const body = {
    cardAccountId: accountVariable,
    ...toCardField(entry, setting),
    intent: feeIntent(entry, setting),
    amount: toWire(value),
    ...(entry.status === 'pending' ? { status: 'pending' } : {}),
  }
  const charge = { control: 'POST /fees', body, ...(Object.keys(save).length > 0 ? { save } : {}) }
  return isVoid ? [charge, { call: 'POST /fees/waive', body: { id: `\${${variable}}` } }] : [charge]
}

function feeIntent({ id }: Entry, { fees, isPersonal }: EntrySetting): string {
  return safeCode(fees.get(id)?.intent ?? null, isPersonal) ?? 'other-fee'
}

function fieldsIn({ save }: FileStep): object {
  return typeof save === 'object' && save !== null ? save : {}
}

/** The dispute status; null for none, and for one that the sandbox doesn't have. */
function parseDisputeStatus({ disputeStatus }: Entry): string | null {
  return disputeStatuses.find((one) => one === disputeStatus) ?? null
}

function disputeSteps(entry: Entry, setting: EntrySetting): FileStep[] {
  const status = parseDisputeStatus(entry)
  const { notes, isPersonal } = setting
  if (status === null && entry.disputeStatus !== null)
    notes.add(`A dispute has a status that the sandbox doesn’t know: ${named(entry.disputeStatus, isPersonal)}.`)
  const transactionId = `\${${setting.entries.get(entry.id) ?? ''}}`
  return status === null ? [] : [{ control: 'POST /disputes', body: { transactionId, status } }]
}

/** Whether a charge is posted by a step: sooner than the service would post it by itself. */
function needsCapture(entry: Entry, setting: EntrySetting): boolean {
  if (entry.intent !== 'charge' || entry.status !== 'posted') return false
  const atMs = ageless(entry.createdAt, setting)
  const isSoon = postedMs(entry, atMs, setting) - atMs < captureDelayMs - minuteMs
  return isSoon || atMs > -(captureDelayMs + minuteMs) || isRefunded(entry, setting)
}

function postedMs({ postedAt }: Entry, atMs: number, setting: EntrySetting): number {
  return postedAt === null ? atMs : ageless(postedAt, setting)
}

/** The capture of a charge. One with a refund is captured at once: reversing a pending charge makes it void. */
function captureMoments(entry: Entry, atMs: number, setting: EntrySetting): Moment[] {
  if (!needsCapture(entry, setting)) return []
  const latestMs = isRefunded(entry, setting) ? atMs : Math.min(0, atMs + longestPendingMs)
  const transactionId = `\${${setting.entries.get(entry.id) ?? ''}}`
  const captureAtMs = Math.max(atMs, Math.min(postedMs(entry, atMs, setting), latestMs))
  return [{ atMs: captureAtMs, steps: [{ control: 'POST /captures', body: { transactionId } }] }]
}
