import type { CardAccount } from '#lib/contract/records.ts'
import { amount, toWire } from '#lib/shared/money.ts'
import type { directoryAccounts } from '../tables/directory.ts'

type Row = typeof directoryAccounts.$inferSelect

const texts = ['xid', 'phoneNumber', 'identityType', 'accountType', 'clientIdentityStatus'] as const
const amounts = ['limit', 'balance', 'outstanding', 'available', 'disputeAmount'] as const

/**
 * The columns of an account's row. A service may answer with fields that nobody knows, or with values that fit no column:
 * those are kept in `more` as they came, and given back by `accountOf`.
 */
export function accountColumns(record: CardAccount) {
  const rest = new Map<string, unknown>(Object.entries(record))
  const take = <Value>(name: string, fits: (value: unknown) => Value | null): Value | null => {
    const value = fits(rest.get(name))
    if (value !== null || rest.get(name) === null) rest.delete(name)
    return value
  }
  const text = (value: unknown) => (typeof value === 'string' && storable(value) === value ? value : null)
  const id = record.id
  rest.delete('id')
  const name = take('name', text) ?? ''
  const currency = take('currency', text) ?? ''
  const createdAt = new Date(typeof record.createdAt === 'string' ? Date.parse(record.createdAt) : Number.NaN)
  if (createdAt.toJSON() === record.createdAt) rest.delete('createdAt')
  const taken = Object.fromEntries(texts.map((field) => [field, take(field, text)])) as Record<
    (typeof texts)[number],
    string | null
  >
  const money = Object.fromEntries(amounts.map((field) => [field, take(field, amountText)])) as Record<
    (typeof amounts)[number],
    string | null
  >
  const xmetadata = storable(record.xmetadata)
  rest.delete('xmetadata')
  return {
    id,
    name,
    currency,
    ...taken,
    limit: money.limit,
    balance: money.balance ?? '0',
    outstanding: money.outstanding ?? '0',
    available: money.available ?? '0',
    disputeAmount: money.disputeAmount ?? '0',
    createdAt: Number.isNaN(createdAt.getTime()) ? new Date(0) : createdAt,
    xmetadata,
    more: rest.size > 0 ? (storable(Object.fromEntries(rest)) as Record<string, unknown>) : null,
    searchText: [name, taken.xid ?? '', id].join('\n').toLowerCase(),
  }
}

/** The account as the service answered. */
export function accountOf(row: Row): CardAccount {
  return {
    id: row.id,
    xid: row.xid,
    xmetadata: row.xmetadata as CardAccount['xmetadata'],
    name: row.name,
    phoneNumber: row.phoneNumber ?? '',
    identityType: row.identityType ?? '',
    accountType: row.accountType ?? '',
    currency: row.currency,
    limit: toWire(row.limit ?? '0'),
    balance: toWire(row.balance),
    outstanding: toWire(row.outstanding),
    available: toWire(row.available),
    disputeAmount: toWire(row.disputeAmount),
    clientIdentityStatus: row.clientIdentityStatus ?? '',
    createdAt: row.createdAt.toISOString(),
    ...row.more,
  }
}

/** Exact decimal text of a JSON number that the column holds without loss. */
function amountText(value: unknown): string | null {
  if (typeof value !== 'number' || !Number.isFinite(value) || Math.abs(value) >= 1e15) return null
  const exact = amount(value)
  return exact.decimalPlaces() <= 8 ? exact.toFixed() : null
}

/**
 * The same value as PostgreSQL can keep it: it has no NUL and no half of a surrogate pair, so that one hostile text stops
 * no reading.
 */
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\ufffd')
  if (Array.isArray(value)) return value.map(storable)
  if (typeof value !== 'object' || value === null) return value ?? null
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [storable(key), storable(item)]))
}
