import type { DataColumn } from '#components/data-table/data-column.ts'
import { entryTypeMeaning, transactionStatusEntry } from '#components/transactions/transaction-labels.ts'
import { CodeBadge } from '#components/ui/badge.tsx'
import { NotProvided } from '#components/ui/not-provided.tsx'
import { Time } from '#components/ui/time.tsx'
import type { FeeRow } from '#lib/console/fees/shapes.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { AccountFact, accountName, FeeAccountId } from './fee-account.tsx'
import { FeeAmount } from './fee-amount.tsx'
import { feeTitle, intentLabels } from './fee-labels.ts'
import { WaiveButton } from './waive-button.tsx'

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
          <CodeBadge code={fee.status} entryOf={transactionStatusEntry} />
          <Time instant={fee.createdAt} />
        </span>
      </span>
      <Time instant={fee.createdAt} format="date-time" className="@max-[40rem]:hidden @min-[56rem]:hidden" />
    </span>
  )
}

/** The columns of the list; `onWaive` is there for those who may. */
export function feeColumns(
  environment: Environment,
  onWaive: ((chosen: { row: FeeRow }) => void) | undefined,
): DataColumn<FeeRow>[] {
  return [
    {
      id: 'fee',
      header: 'Fee',
      cell: (row) => (
        <span className="line-clamp-2 max-w-72 min-w-24 font-medium wrap-anywhere @min-[40rem]:min-w-40">
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
      cell: ({ account }) => <AccountFact environment={environment} account={account} />,
    },
    {
      id: 'intent',
      header: 'Intent',
      priority: 4,
      cell: ({ fee }) => (
        <span className="text-soft wrap-anywhere" title={fee.intent ?? undefined}>
          {fee.intent ? intentLabels(fee.intent) : <NotProvided />}
        </span>
      ),
    },
    {
      id: 'charged',
      header: 'Charged',
      priority: 3,
      cell: ({ fee }) => <Time instant={fee.createdAt} format="date-time" className="text-soft" />,
    },
    {
      id: 'status',
      header: 'Status',
      priority: 2,
      cell: ({ fee }) => <CodeBadge code={fee.status} entryOf={transactionStatusEntry} />,
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

function waiveColumn(onWaive: (chosen: { row: FeeRow }) => void): DataColumn<FeeRow> {
  return {
    id: 'waive',
    header: 'Action',
    align: 'end',
    priority: 2,
    cell: (row) => <WaiveButton row={row} size="small" onPress={() => onWaive({ row })} />,
  }
}
