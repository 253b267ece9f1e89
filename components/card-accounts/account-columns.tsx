import { Hourglass } from 'lucide-react'
import type { DataColumn } from '#components/data-table/data-column.ts'
import { DisputeAge } from '#components/transactions/dispute-age.tsx'
import { Amount } from '#components/ui/amount.tsx'
import { StatusBadge } from '#components/ui/badge.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { noValue, Provided } from '#components/ui/not-provided.tsx'
import { Time } from '#components/ui/time.tsx'
import { metadataColumn } from '#lib/api/card-accounts.ts'
import type { ListedCardAccount } from '#lib/console/card-accounts/types.ts'
import type { CardAccountRow } from '#lib/index/types.ts'
import { asFields } from '#lib/shared/json.ts'
import { accountTitle, accountTypeLabel } from './account-labels.ts'
import { computeShare } from './compute-share.ts'
import { IdentityBadge } from './identity-badge.tsx'

type Column = DataColumn<ListedCardAccount>
type Figure = 'balance' | 'outstanding' | 'available' | 'disputeAmount' | 'limit'

function figure(id: Figure, header: string, priority: 1 | 2 | 3 | 4, isQuietAtZero: boolean): Column {
  return {
    id,
    header,
    align: 'end',
    priority,
    cell: ({ account }) => (
      <Amount
        amount={account[id]}
        currency={account.currency}
        className={isQuietAtZero && account[id] === 0 ? '[&>span]:font-normal [&>span]:text-faint' : undefined}
        tone={id === 'disputeAmount' && account[id] !== 0 ? 'warn' : undefined}
      />
    ),
  }
}

/** Where there is no room for the column of disputed amounts. */
function NarrowDisputed({ account: { disputeAmount, currency } }: CardAccountRow) {
  if (disputeAmount === null || disputeAmount === 0) return null
  return (
    <span className="text-warn @min-[56rem]:hidden">
      disputed <Amount amount={disputeAmount} currency={currency} isCurrencyShown={false} className="text-2xs" />
    </span>
  )
}

const name: Column = {
  id: 'name',
  header: 'Account',
  cell: ({ account, waitingLimits }) => (
    <>
      <span className="line-clamp-2 max-w-72 min-w-36 wrap-anywhere @max-[72rem]:max-w-52 @max-[40rem]:min-w-32">
        {accountTitle(account)}
      </span>
      {waitingLimits.length > 0 && <StatusBadge label="Limit change waiting" tone="warn" icon={Hourglass} />}
    </>
  ),
  below: ({ account }) => (
    <span className="flex max-w-72 items-center gap-1.5 @max-[72rem]:max-w-52 @max-[40rem]:max-w-32">
      <IdText id={account.id} isCopyable={false} className="shrink-0" />
      {account.xid && (
        <span className="min-w-0 truncate" title={account.xid}>
          {account.xid}
        </span>
      )}
    </span>
  ),
}

function keyHeader(key: string): string {
  return `${key.slice(0, 1).toUpperCase()}${key.slice(1, 23)}${key.length > 23 ? '…' : ''}`
}

function KeyValue({ value }: { value: string }) {
  return <span className="line-clamp-1 max-w-36 wrap-anywhere text-soft">{value}</span>
}

function group(groupKey: string): Column {
  return {
    id: 'group',
    header: keyHeader(groupKey),
    priority: 3,
    cell: (row) => row.group && <KeyValue value={row.group} />,
  }
}

/** A choice of columns is stored as text in a cookie, which carries these keys. */
const storableKey = /^[\w-]{1,40}$/
const mostKeys = 12

/** A column for each key of metadata, shown once a person chooses it. */
function metadataColumns(keys: readonly string[]): Column[] {
  return keys
    .filter((key) => storableKey.test(key))
    .slice(0, mostKeys)
    .map((key) => ({
      id: `${metadataColumn}${key}`,
      header: keyHeader(key),
      priority: 4,
      isExtra: true,
      cell: ({ account }) => {
        const value = asFields(account.xmetadata)[key] ?? ''
        return value === '' ? null : <KeyValue value={typeof value === 'string' ? value : JSON.stringify(value)} />
      },
    }))
}

/**
 * The columns of the list of accounts, with one for the key that it is grouped by, and those that a person may add. Amounts of
 * several currencies are compared by their value in the reporting currency.
 */
export function accountColumns(
  groupKey: string | null,
  { currency, disputesAt }: { currency: string | null; disputesAt: string | null },
  metadataKeys: readonly string[],
): Column[] {
  const hint = currency ? {} : { hint: 'Sorts by value in the reporting currency' }
  return [...makeColumns(groupKey, disputesAt, hint), ...metadataColumns(metadataKeys)]
}

/** How long the oldest open dispute of an account has been open at a time. */
function disputedSince(at: string): Column {
  return {
    id: 'disputedSince',
    header: 'Disputed for',
    align: 'end',
    priority: 2,
    hint: 'Since the first event or reading that showed its oldest open dispute',
    cell: ({ disputedSince: since, disputeMayBeOlder }) => (
      <DisputeAge since={since} mayBeOlder={disputeMayBeOlder} at={at} />
    ),
  }
}

/** The share of the limit that is owed. */
function Used({ account: { outstanding, limit } }: CardAccountRow) {
  const share = computeShare(outstanding, limit)
  if (share === null) return null
  return <span className={share >= 0.9 ? 'text-warn' : 'text-soft'}>{Math.round(share * 100)} %</span>
}

/** Shown once a person chooses them. A phone number is not among them: who read it is recorded, account by account. */
const extraColumns: Column[] = [
  { ...figure('limit', 'Limit', 3, true), isExtra: true },
  { id: 'used', header: 'Limit used', align: 'end', priority: 3, isExtra: true, cell: Used },
  {
    id: 'createdAt',
    header: 'Opened',
    priority: 3,
    isExtra: true,
    cell: ({ account }) => <Time instant={account.createdAt} format="date" className="text-soft" />,
  },
  {
    id: 'activity',
    header: 'Last activity',
    priority: 3,
    isExtra: true,
    cell: ({ lastActivityAt }) => <Time instant={lastActivityAt} missing={noValue} className="text-soft" />,
  },
]

function makeColumns(groupKey: string | null, disputesAt: string | null, hint: { hint?: string }): Column[] {
  return [
    name,
    ...(groupKey === null ? [] : [group(groupKey)]),
    {
      id: 'type',
      header: 'Type',
      priority: 4,
      cell: ({ account }) => (
        <span className="text-soft">
          <Provided>{account.accountType && accountTypeLabel(account.accountType)}</Provided>
        </span>
      ),
    },
    { ...figure('balance', 'Balance', 2, false), ...hint },
    { ...figure('outstanding', 'Outstanding', 2, true), ...hint, below: NarrowDisputed },
    { ...figure('available', 'Available', 1, false), ...hint },
    { ...figure('disputeAmount', 'Disputed', disputesAt === null ? 3 : 2, true), ...hint },
    ...(disputesAt === null ? [] : [disputedSince(disputesAt)]),
    {
      id: 'identity',
      header: 'Identity',
      priority: 2,
      cell: ({ account }) => <IdentityBadge status={account.clientIdentityStatus} />,
      below: ({ rejectedReason }) =>
        rejectedReason && <span className="line-clamp-2 max-w-56 pt-1 wrap-anywhere">{rejectedReason}</span>,
    },
    {
      id: 'cards',
      header: 'Cards',
      align: 'end',
      priority: 3,
      cell: ({ cards }) =>
        cards === null ? (
          <span className="text-faint" title="Its cards have not been read yet">
            ?<span className="sr-only"> not read yet</span>
          </span>
        ) : (
          cards
        ),
    },
    ...extraColumns,
  ]
}
