import type { CardAccount } from '#lib/contract/records.ts'
import { storable } from '#lib/shared/texts.ts'
import { isoTime } from '#lib/shared/time.ts'
import type { indexedAccounts } from '#lib/tables/card-accounts.ts'
import { amountText, columnText, parseInstant, wireAmount } from './column-values.ts'
import { termsOfId, termsOfName, termsOfPhone, termsOfXid, toTsvector } from './search-terms.ts'

type Row = typeof indexedAccounts.$inferSelect

const texts = ['xid', 'name', 'currency', 'phoneNumber', 'identityType', 'accountType', 'clientIdentityStatus'] as const
const amounts = ['limit', 'balance', 'outstanding', 'available', 'disputeAmount'] as const

/**
 * The columns of an account's row, null where the service did not provide the value. Values that fit no column, and fields
 * that the interface does not name, are in `more`, from which `toCardAccount` takes them back.
 */
export function accountColumns(record: CardAccount) {
  const { id, xmetadata, ...fields } = record
  const rest = new Map<string, unknown>(Object.entries(fields))
  const take = <Value>(name: string, fits: (value: unknown) => Value | null): Value | null => {
    const value = fits(rest.get(name))
    if (value !== null || rest.get(name) === null) rest.delete(name)
    return value
  }
  const columns = <Name extends string>(names: readonly Name[], fits: (value: unknown) => string | null) =>
    Object.fromEntries(names.map((name) => [name, take(name, fits)])) as Record<Name, string | null>
  const createdAt = take('createdAt', parseInstant)
  const textColumns = columns(texts, columnText)
  const amountColumns = columns(amounts, amountText)
  return {
    id,
    ...textColumns,
    ...amountColumns,
    createdAt,
    xmetadata: storable(xmetadata),
    more: rest.size > 0 ? (storable(Object.fromEntries(rest)) as Record<string, unknown>) : null,
    terms: toTsvector([
      ...termsOfName(record.name),
      ...termsOfXid(record.xid),
      ...termsOfId(id),
      ...termsOfPhone(record.phoneNumber),
    ]),
    searchText: [record.name ?? '', record.xid ?? '', id].map(storable).join('\n').toLowerCase(),
  }
}

/** The account as the service provided it. */
export function toCardAccount(row: Row): CardAccount {
  return {
    id: row.id,
    xid: row.xid,
    xmetadata: row.xmetadata as CardAccount['xmetadata'],
    name: row.name,
    phoneNumber: row.phoneNumber,
    identityType: row.identityType,
    accountType: row.accountType,
    currency: row.currency,
    limit: wireAmount(row.limit),
    balance: wireAmount(row.balance),
    outstanding: wireAmount(row.outstanding),
    available: wireAmount(row.available),
    disputeAmount: wireAmount(row.disputeAmount),
    clientIdentityStatus: row.clientIdentityStatus,
    createdAt: isoTime(row.createdAt),
    ...row.more,
  }
}
