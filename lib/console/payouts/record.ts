import { Payout } from '#lib/contract/payouts.ts'
import { amount } from '#lib/shared/money.ts'
import { storable } from '../directory/account-record.ts'

/**
 * A payout for people. A service may send values and fields that nobody knows, or leave some out: texts are texts whatever
 * came, amounts are exact decimal text or null, and every field that the interface does not name stands in `more`.
 */
export type PayoutRecord = {
  id: string
  xid: string | null
  xmetadata: Payout['xmetadata']
  /** ISO 8601; null where the service sent no time. */
  created: string | null
  updated: string | null
  method: string
  accountId: string
  sourceCurrency: string
  destinationCurrency: string
  sourceAmount: string | null
  destinationAmount: string | null
  rate: string | null
  status: string
  subStatus: string | null
  cancellationReason: string | null
  destination: Record<DestinationField, string | null>
  /** Fields without a name in the interface, as JSON text where they are no text. */
  more: { name: string; value: string }[]
}

type DestinationField = keyof Payout['destination']

const destinationFields = Object.keys(Payout.shape.destination.shape) as DestinationField[]

/** What came, as PostgreSQL can keep it. Of the number of a card account the last four digits alone are kept. */
export function payoutAsKept(sent: unknown): Record<string, unknown> {
  const record = fieldsOf(storable(sent))
  const destination = fieldsOf(record.destination)
  const isCard = record.method === 'NETWORK_CARD' || destination.type === 'CARD_ACCOUNT'
  const number = textOf(destination.accountNumber)
  if (!isCard || number === null || number.length <= 4) return record
  return { ...record, destination: { ...destination, accountNumber: number.slice(-4) } }
}

/** A kept record for people. */
export function payoutOf(kept: Record<string, unknown>): PayoutRecord {
  const destination = fieldsOf(kept.destination)
  const text = (name: keyof Payout) => textOf(kept[name])
  return {
    id: (text('id') ?? '').toLowerCase(),
    xid: text('xid'),
    xmetadata: (kept.xmetadata ?? null) as Payout['xmetadata'],
    created: instantOf(kept.created)?.toISOString() ?? null,
    updated: instantOf(kept.updated)?.toISOString() ?? null,
    method: text('method') ?? '',
    accountId: text('accountId') ?? '',
    sourceCurrency: text('sourceCurrency') ?? '',
    destinationCurrency: text('destinationCurrency') ?? '',
    sourceAmount: decimalOf(kept.sourceAmount),
    destinationAmount: decimalOf(kept.destinationAmount),
    rate: decimalOf(kept.rate),
    status: text('status') ?? '',
    subStatus: text('subStatus'),
    cancellationReason: text('cancellationReason'),
    destination: Object.fromEntries(
      destinationFields.map((name) => [name, textOf(destination[name])]),
    ) as PayoutRecord['destination'],
    more: [
      ...unnamed(kept, Object.keys(Payout.shape), ''),
      ...unnamed(destination, destinationFields, 'destination.'),
      ...unreadable(kept),
    ],
  }
}

/** The columns of a payout's row in the mirror. Texts are bounded there, so that an index can hold them; `record` is whole. */
export function payoutColumns(kept: Record<string, unknown>) {
  const payout = payoutOf(kept)
  return {
    id: payout.id,
    xid: payout.xid === null ? null : bounded(payout.xid),
    accountId: bounded(payout.accountId),
    method: bounded(payout.method),
    status: bounded(payout.status),
    subStatus: payout.subStatus === null ? null : bounded(payout.subStatus),
    sourceCurrency: bounded(payout.sourceCurrency),
    sourceAmount: columnAmount(payout.sourceAmount),
    destinationCurrency: bounded(payout.destinationCurrency),
    destinationAmount: columnAmount(payout.destinationAmount),
    createdAt: new Date(payout.created ?? 0),
    updatedAt: new Date(payout.updated ?? payout.created ?? 0),
    searchText: [payout.destination.accountHolderName ?? '', payout.xid ?? '', payout.id].join('\n').toLowerCase(),
    record: kept,
  }
}

/** A state of a payout's life, as a record tells it; null where the record has no id, status or time. */
export function stateOf(payout: PayoutRecord) {
  const at = payout.updated ?? payout.created
  if (at === null || payout.status === '') return null
  return {
    payoutId: payout.id,
    at: new Date(at),
    status: bounded(payout.status),
    subStatus: bounded(payout.subStatus ?? ''),
    cancellationReason: payout.cancellationReason,
    createdAt: new Date(payout.created ?? at),
  }
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const longestColumn = 200

function bounded(text: string): string {
  return text.slice(0, longestColumn).toWellFormed()
}

const latest = Date.parse('9999-12-31T23:59:59.999Z')

function instantOf(value: unknown): Date | null {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return ms >= 0 && ms <= latest ? new Date(ms) : null
}

/** Exact decimal text of a JSON number, or of a text that is a plain decimal number. */
function decimalOf(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return amount(value).toFixed()
  return typeof value === 'string' && /^-?\d{1,24}(?:\.\d{1,18})?$/.test(value) ? amount(value).toFixed() : null
}

/** What the column holds without loss. */
function columnAmount(text: string | null): string | null {
  if (text === null) return null
  const exact = amount(text)
  return exact.decimalPlaces() <= 8 && exact.abs().lessThan(1e15) ? text : null
}

function unnamed(record: Record<string, unknown>, names: readonly string[], prefix: string) {
  return Object.entries(record)
    .filter(([name]) => !names.includes(name))
    .map(([name, value]) => ({ name: `${prefix}${name}`, value: textOf(value) ?? 'null' }))
}

const readers = {
  created: instantOf,
  updated: instantOf,
  sourceAmount: decimalOf,
  destinationAmount: decimalOf,
  rate: decimalOf,
}

/** Named fields whose values are not of their kind: shown as they came. */
function unreadable(record: Record<string, unknown>) {
  return Object.entries(readers).flatMap(([name, read]) => {
    const value = record[name]
    return value !== null && value !== undefined && read(value) === null ? [{ name, value: textOf(value) ?? '' }] : []
  })
}
