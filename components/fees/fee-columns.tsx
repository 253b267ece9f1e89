import { HandCoins } from 'lucide-react'
import type { DataColumn } from '#components/data-table/data-column.ts'
import { entryTypeMeaning, transactionStatusEntry } from '#components/transactions/transaction-labels.ts'
import { Amount } from '#components/ui/amount.tsx'
import { CodeBadge } from '#components/ui/badge.tsx'
import { Button } from '#components/ui/button.tsx'
import { Provided } from '#components/ui/not-provided.tsx'
import { Time } from '#components/ui/time.tsx'
import type { FeeRow } from '#lib/console/fees/types.ts'
import { feeIntentTitle } from '#lib/contract/fee-intents.ts'
import { AccountFact, accountName, FeeAccountId } from './fee-account.tsx'
import { feeLabel, feeTitle } from './fee-labels.ts'

/** Below the title: what the narrow table has no columns for. */
function Below({ row }: { row: FeeRow }) {
  const { fee, account } = row
  return (
    <span className="block max-w-80 wrap-anywhere">
      <span className="@min-[40rem]:hidden">
        <span className="block">
          {accountName(account)} <FeeAccountId account={account} />
        </span>
        <span className="flex flex-wrap items-center gap-1 pb-1">
          <CodeBadge code={fee.status} toEntry={transactionStatusEntry} />
          <Time instant={fee.createdAt} format="short" />
        </span>
      </span>
      <Time instant={fee.createdAt} className="@max-[40rem]:hidden @min-[56rem]:hidden" />
    </span>
  )
}

/** Whether the intents say more than the titles, which are intents too where a fee has no description of its own. */
export function hasOwnIntents(rows: readonly FeeRow[]): boolean {
  return rows.some(
    (row) => row.fee.intent && feeIntentTitle(row.fee.intent).toLowerCase() !== feeTitle(row).toLowerCase(),
  )
}

/** The columns of the list; `onWaive` is there for those who may. */
export function feeColumns(
  onWaive: ((chosen: { row: FeeRow }) => void) | undefined,
  isIntentShown: boolean,
): DataColumn<FeeRow>[] {
  return [
    {
      id: 'fee',
      header: 'Fee',
      cell: (row) => (
        <span
          className="line-clamp-2 max-w-72 min-w-24 font-medium wrap-anywhere @min-[40rem]:min-w-40"
          title={row.fee.intent ?? undefined}
        >
          {feeTitle(row)}
        </span>
      ),
      below: (row) => <Below row={row} />,
      copy: ({ fee }) => ({ text: fee.id, label: 'fee ID' }),
    },
    {
      id: 'account',
      header: 'Account',
      priority: 2,
      cell: ({ account }) => <AccountFact account={account} />,
    },
    ...(isIntentShown ? [intentColumn] : []),
    {
      id: 'createdAt',
      header: 'Charged',
      priority: 3,
      cell: ({ fee }) => <Time instant={fee.createdAt} className="text-soft" />,
    },
    {
      id: 'status',
      header: 'Status',
      priority: 2,
      cell: ({ fee }) => <CodeBadge code={fee.status} toEntry={transactionStatusEntry} />,
    },
    {
      id: 'amount',
      header: 'Amount',
      hint: entryTypeMeaning,
      align: 'end',
      isHideable: false,
      cell: (row) => <FeeAmount row={row} />,
    },
    ...(onWaive === undefined ? [] : [waiveColumn(onWaive)]),
  ]
}

const intentColumn: DataColumn<FeeRow> = {
  id: 'intent',
  header: 'Intent',
  priority: 4,
  cell: ({ fee }) => (
    <span className="text-soft wrap-anywhere" title={fee.intent ?? undefined}>
      <Provided>{fee.intent && feeIntentTitle(fee.intent)}</Provided>
    </span>
  ),
}

function waiveColumn(onWaive: (chosen: { row: FeeRow }) => void): DataColumn<FeeRow> {
  return {
    id: 'waive',
    header: 'Action',
    align: 'end',
    isUnnoted: true,
    priority: 2,
    cell: (row) => <WaiveButton row={row} size="small" onPress={() => onWaive({ row })} />,
  }
}

/**
 * A fee's amount with its direction in sign, label and colour; a void fee has no effect and is struck through. Where
 * the effect on the balance is unknown, the amount is shown as sent, without a sign.
 */
export function FeeAmount({ row, size }: { row: FeeRow; size?: 'base' | 'large' }) {
  const { fee, change } = row
  return (
    <Amount
      amount={change ?? fee.amount}
      currency={fee.currency}
      entryType={readEntryType(row)}
      isSigned={change !== null}
      size={size}
      isVoid={fee.status === 'void'}
    />
  )
}

/** An entry of the account ledger has a sign and no entry type: undefined. Null: the direction was not provided. */
function readEntryType({ fee: { transaction } }: FeeRow): string | null | undefined {
  if (transaction && !('entryType' in transaction)) return undefined
  return transaction?.entryType ?? null
}

/** Opens the waiver of a fee. On a void fee the same button stays, so that the focus can come back to it, and says why. */
export function WaiveButton({ row, size, onPress }: { row: FeeRow; size: 'small' | 'large'; onPress: () => void }) {
  return (
    <Button
      size={size}
      icon={<HandCoins aria-hidden="true" />}
      unavailable={row.fee.status === 'void' ? 'This fee is void already.' : undefined}
      reason="described"
      aria-label={`Waive… ${feeLabel(row)}`}
      aria-haspopup="dialog"
      onClick={onPress}
    >
      Waive…
    </Button>
  )
}
