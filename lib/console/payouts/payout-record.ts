import { parseResponse } from '#lib/client/parse-response.ts'
import { contractProfile, responseNames } from '#lib/client/service-profile.ts'
import { isToCard } from '#lib/contract/payout-rules.ts'
import { Payout as PayoutSchema } from '#lib/contract/payouts.ts'
import { type Payout, withPrefix } from '#lib/contract/records.ts'
import { termsOfId, termsOfName, termsOfXid, toTsvector } from '#lib/index/search-terms.ts'
import { holdsCardNumber } from '#lib/shared/card-numbers.ts'
import { asFields } from '#lib/shared/json.ts'
import { amount, toAmount } from '#lib/shared/money.ts'
import { storable } from '#lib/shared/texts.ts'
import { toDate } from '#lib/shared/time.ts'
import { rateOfSource } from './check-quote.ts'
import type { DestinationField, PayoutRecord } from './types.ts'

const destinationFields = Object.keys(PayoutSchema.shape.destination.shape) as DestinationField[]

/** The payout in the data of an event; null where there is none with an id. */
export function parsePayout(data: unknown): Payout | null {
  const parsed = parseResponse(PayoutSchema, data, responseNames(contractProfile, 'executePayout'))
  if ('unexpected' in parsed) return null
  const payout = parsed.record as Payout & { id: string | null }
  return payout.id === null ? null : payout
}

/** A payout as PostgreSQL can store it, with only the last four digits of a card account's number. */
export function payoutAsStored(payout: Payout): Record<string, unknown> {
  const { destination } = payout
  const number = destination?.accountNumber ?? ''
  const mayBeCard =
    isToCard(payout) || ((payout.method === null || destination?.type === null) && holdsCardNumber(number))
  const masked = mayBeCard && destination ? { ...destination, accountNumber: number.slice(-4) || null } : destination
  return storable({ ...payout, destination: masked }) as Record<string, unknown>
}

/** The texts of a payout that are columns of its row. */
const textColumns = [
  'xid',
  'accountId',
  'method',
  'status',
  'subStatus',
  'sourceCurrency',
  'destinationCurrency',
] as const
type TextColumn = (typeof textColumns)[number]

function mapTextColumns(readText: (name: TextColumn) => string | null) {
  return Object.fromEntries(textColumns.map((name) => [name, readText(name)])) as Record<TextColumn, string | null>
}

/** A stored payout for people. */
export function parseStoredPayout(stored: Record<string, unknown>): PayoutRecord {
  const destination = asFields(stored.destination)
  return {
    id: toText(stored.id) ?? '',
    ...mapTextColumns((name) => toText(stored[name])),
    xmetadata: (stored.xmetadata ?? null) as Payout['xmetadata'],
    created: toInstant(stored.created),
    updated: toInstant(stored.updated),
    sourceAmount: toDecimal(stored.sourceAmount),
    destinationAmount: toDecimal(stored.destinationAmount),
    rate: toRate(stored),
    cancellationReason: toText(stored.cancellationReason),
    destination: Object.fromEntries(
      destinationFields.map((name) => [name, toText(destination[name])]),
    ) as PayoutRecord['destination'],
    otherFields: {
      ...asFields(stored.otherFields),
      ...withPrefix('destination', asFields(destination.otherFields)),
    },
  }
}

/** The columns of a payout's row in the index. Texts are bounded, so that an index can hold them; `record` is whole. */
export function payoutColumns(stored: Record<string, unknown>) {
  const payout = parseStoredPayout(stored)
  return {
    id: payout.id,
    ...mapTextColumns((name) => bounded(payout[name])),
    sourceAmount: columnAmount(payout.sourceAmount),
    destinationAmount: columnAmount(payout.destinationAmount),
    createdAt: toDate(payout.created),
    updatedAt: toDate(payout.updated),
    terms: toTsvector([
      ...termsOfName(payout.destination.accountHolderName),
      ...termsOfXid(payout.xid),
      ...termsOfId(payout.id),
    ]),
    searchText: [payout.destination.accountHolderName ?? '', payout.xid ?? '', payout.id].join('\n').toLowerCase(),
    record: stored,
  }
}

/** The state of a payout in a record; null where the record has no status or time. */
export function toPayoutState(payout: PayoutRecord) {
  const at = payout.updated ?? payout.created
  const status = bounded(payout.status)
  if (!at || !status) return null
  return {
    payoutId: payout.id,
    at: new Date(at),
    status,
    subStatus: bounded(payout.subStatus) ?? '',
    cancellationReason: payout.cancellationReason,
    createdAt: new Date(payout.created ?? at),
  }
}

function toText(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

const longestColumn = 200

function bounded(text: string | null): string | null {
  return text && text.slice(0, longestColumn).toWellFormed()
}

function toInstant(value: unknown): string | null {
  const instant = new Date(typeof value === 'string' ? value : Number.NaN)
  return Number.isNaN(instant.getTime()) ? null : instant.toISOString()
}

function toDecimal(value: unknown): string | null {
  return typeof value === 'number' && Number.isFinite(value) ? amount(value).toFixed() : null
}

function toRate(stored: Record<string, unknown>): string | null {
  const [rate, sourceAmount, destinationAmount] = [stored.rate, stored.sourceAmount, stored.destinationAmount].map(
    toDecimal,
  )
  const [sourceCurrency, destinationCurrency] = [stored.sourceCurrency, stored.destinationCurrency].map(toText)
  if (!rate || !sourceAmount || !destinationAmount || !sourceCurrency || !destinationCurrency) return rate ?? null
  return rateOfSource({ rate, sourceAmount, destinationAmount, sourceCurrency, destinationCurrency })
}

/** The amount where the column holds it without loss, else null. */
function columnAmount(text: string | null): string | null {
  const exact = toAmount(text)
  return exact && exact.decimalPlaces() <= 8 && exact.abs().lessThan(1e15) ? text : null
}
