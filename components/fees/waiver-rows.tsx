import type { ReactNode } from 'react'
import { TransactionStatusBadge } from '#components/transactions/transaction-status-badge.tsx'
import { Amount } from '#components/ui/amount.tsx'
import { NotProvided } from '#components/ui/not-provided.tsx'
import { Time } from '#components/ui/time.tsx'
import type { FeeDetail } from '#lib/console/fees/shapes.ts'
import { exactSum } from '#lib/shared/exact-sum.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { AccountFact } from './fee-account.tsx'
import { FeeAmount } from './fee-amount.tsx'
import { intentLabels, turned } from './fee-labels.ts'

type Row = { label: string; value: ReactNode }

/** The facts that waiving one fee is decided by. */
export function waiverRows(environment: Environment, detail: FeeDetail): Row[] {
  const { fee, account } = detail
  return [
    { label: 'Account', value: <AccountFact environment={environment} account={account} /> },
    {
      label: 'Intent',
      value: fee.intent ? <span className="wrap-anywhere">{intentLabels(fee.intent)}</span> : <NotProvided />,
    },
    { label: 'Charged', value: <Time instant={fee.createdAt} format="date-time" isZoneShown /> },
    { label: 'Status now', value: <TransactionStatusBadge status={fee.status} /> },
    { label: 'Fee', value: <FeeAmount row={detail} /> },
    ...balanceRows(detail),
  ]
}

function balanceRows({ fee, balance, change }: FeeDetail): Row[] {
  if (balance === null || balance.balance === null) {
    const value = <NotProvided />
    return [{ label: 'Balance of the account', value }]
  }
  const isComparable = change !== null && balance.currency === fee.currency
  return [
    { label: 'Balance now', value: <Amount amount={balance.balance} currency={balance.currency} /> },
    {
      label: 'Balance after',
      value: isComparable ? (
        <strong>
          <Amount amount={exactSum([balance.balance, turned(change)])} currency={balance.currency} />
        </strong>
      ) : (
        <span className="text-soft">can’t be computed: the fee’s amount or direction was not provided</span>
      ),
    },
  ]
}
