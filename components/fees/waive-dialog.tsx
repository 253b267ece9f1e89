'use client'

import { useQuery } from '@tanstack/react-query'
import { ArrowRight, HandCoins } from 'lucide-react'
import { useRef, type ReactNode } from 'react'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { readFailure } from '#components/environment/when-read.tsx'
import { OperationDialog, ReadFailed } from '#components/operations/operation-dialog.tsx'
import { refusedHere } from '#components/operations/outcome-text.tsx'
import { ReasonFields, reasonIn, reasonProblems } from '#components/operations/reason-fields.tsx'
import { type OperationProps, useOperation } from '#components/operations/use-operation.ts'
import { transactionStatusEntry } from '#components/transactions/transaction-labels.ts'
import { Amount } from '#components/ui/amount.tsx'
import { CodeBadge } from '#components/ui/badge.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { NotProvided } from '#components/ui/not-provided.tsx'
import { LoadingBlocks } from '#components/ui/skeleton.tsx'
import { TextLink } from '#components/ui/text-link.tsx'
import { Time } from '#components/ui/time.tsx'
import type { FeeBalance, FeeDetail, FeeRow, HoldingJob } from '#lib/console/fees/types.ts'
import { exactSum, isDifferent, negated } from '#lib/contract/exact-sum.ts'
import { feeIntentTitle } from '#lib/contract/fee-intents.ts'
import type { FeeEntry } from '#lib/contract/records.ts'
import type { Outcome } from '#lib/operations/types.ts'
import { ReadError } from '#lib/queries/read.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { isSameCurrency } from '#lib/shared/currency.ts'
import { routes } from '#lib/shared/routes.ts'
import { AccountFact } from './fee-account.tsx'
import { FeeAmount } from './fee-columns.tsx'
import { feeTitle } from './fee-labels.ts'

const ownFields = ['reason', 'comment']

/** Waives one fee: what it is, whose, the balance now and the expected one. */
export function WaiveDialog({ row, ...dialog }: OperationProps & { row: FeeRow }) {
  const environment = useEnvironment()
  const feeId = row.fee.id
  const query = readQuery('readFee', environment, feeId)
  const { data, error, refetch, isFetching, isFetchedAfterMount } = useQuery({ ...query, enabled: dialog.isOpen })
  const before = useRef<FeeBalance | null>(null)
  const operation = useOperation({
    ...dialog,
    kind: 'fee.waive',
    onDone: ({ record }) => ({
      description: (
        <BalanceChange before={before.current} after={record?.balance ?? null} change={record?.change ?? null} />
      ),
    }),
  })
  const detail = isFetchedAfterMount ? data : undefined
  // Once it is started, its own outcome is said: the fee may show it already, as one that was waived before.
  const isStarted = operation.isPending || operation.isDone || operation.outcome !== null
  const foreseen = isStarted ? null : foreseeError(detail, error)
  const failure = detail || foreseen ? null : readFailure(error, 'The fee')
  return (
    <OperationDialog
      {...dialog}
      operation={{ ...operation, problem: operation.problem ?? foreseen }}
      fields={ownFields}
      confirmationLevel="moderate"
      title={`Waive “${feeTitle(row)}”?`}
      consequence={
        foreseen ? undefined : 'The fee is voided and credited to the account immediately. This can’t be undone.'
      }
      rows={detail ? waiverRows(detail) : undefined}
      unavailable={unavailableBecause(foreseen !== null, detail !== undefined, failure !== null)}
      confirmLabel="Waive fee"
      confirmIcon={<HandCoins aria-hidden="true" />}
      cancelLabel="Keep fee"
      onConfirm={(values) => {
        const reason = reasonIn(values)
        const problems = reasonProblems('fee.waive', reason)
        if (Object.keys(problems).length > 0) return operation.setErrors(problems)
        before.current = detail?.balance ?? null
        operation.start({ feeId, ...reason })
      }}
    >
      {failure && (
        <ReadFailed title={failure.title} isRetrying={isFetching} onRetry={() => void refetch()}>
          {failure.detail}
        </ReadFailed>
      )}
      {!detail && !failure && !foreseen && <LoadingBlocks what="the fee and its account" blocks={['h-48']} />}
      {!foreseen && detail?.heldBy && <HeldBy job={detail.heldBy} />}
      {!foreseen && <ReasonFields kind="fee.waive" errors={operation.errors} />}
    </OperationDialog>
  )
}

function HeldBy({ job: { id, title, by } }: { job: HoldingJob }) {
  const environment = useEnvironment()
  return (
    <Callout tone="warn" title="A job is to waive this fee.">
      It is a row of <TextLink href={routes.bulkJob(environment, id)}>{title}</TextLink> by {by}, which refuses the row
      once the fee is void.
    </Callout>
  )
}

function unavailableBecause(isForeseen: boolean, isRead: boolean, hasFailed: boolean): string | undefined {
  if (isForeseen) return 'This fee can’t be waived.'
  if (isRead) return undefined
  return hasFailed ? 'The fee could not be read.' : 'The fee is still loading.'
}

/** A problem that is found before anything is sent: the fee is already void, was waived before, or does not exist. */
function foreseeError(detail: FeeDetail | undefined, error: Error | null): Outcome | null {
  if (detail?.fee.status === 'void') {
    const next = 'The balance does not count it.'
    return refusedHere({ happened: 'This fee is void already.', next, code: 'FEE_ALREADY_VOID' })
  }
  if (typeof detail?.waivedBefore === 'string') {
    const next = 'Ask the card service about this fee.'
    return refusedHere({ happened: detail.waivedBefore, next, code: 'FEE_WAIVED_BEFORE' })
  }
  if (detail || !(error instanceof ReadError) || error.code !== 'FEE_NOT_FOUND') return null
  const { message: happened, code, requestId } = error
  return refusedHere({ happened, next: 'Check the list of fees and the environment.', code, requestId })
}

type Row = { label: string; value: ReactNode }

/** The facts that waiving one fee is decided by. */
export function waiverRows(detail: FeeDetail): Row[] {
  const { fee, account } = detail
  return [
    { label: 'Account', value: <AccountFact account={account} /> },
    {
      label: 'Intent',
      value: fee.intent && <span className="wrap-anywhere">{feeIntentTitle(fee.intent)}</span>,
    },
    { label: 'Charged', value: <Time instant={fee.createdAt} isZoneShown /> },
    { label: 'Status now', value: <CodeBadge code={fee.status} toEntry={transactionStatusEntry} /> },
    { label: 'Fee', value: <FeeAmount row={detail} /> },
    ...balanceRows(detail),
  ]
}

function balanceRows({ fee, balance, change }: FeeDetail): Row[] {
  if (balance === null) return [{ label: 'Balance of the account', value: <NotProvided /> }]
  const now = { label: 'Balance now', value: <Amount amount={balance.balance} currency={balance.currency} /> }
  if (fee.status === 'void') return [now]
  const after =
    change !== null && isSameCurrency(balance.currency, fee.currency) && exactSum([balance.balance, negated(change)])
  return [
    now,
    {
      label: 'Expected balance',
      value: after ? (
        <strong>
          <Amount amount={after} currency={balance.currency} />
        </strong>
      ) : (
        <span className="text-soft">can’t be computed: {whyUnknown(fee, balance, change)}</span>
      ),
    },
  ]
}

function whyUnknown(fee: FeeEntry, balance: FeeBalance, change: string | null): string {
  if (change === null) return 'the fee’s amount or direction was not provided'
  return fee.currency && balance.currency
    ? `the fee is in ${fee.currency}, the account in ${balance.currency}`
    : 'the currency of the fee or of the account was not provided'
}

/** The account's balance as it was read before and after a waiver. */
export function BalanceChange({
  before,
  after,
  change,
}: {
  before: FeeBalance | null
  after: FeeBalance | null
  change: string | null
}) {
  if (after === null) {
    return <p className="mt-1">The account’s balance could not be read back; its page shows it.</p>
  }
  const known = before?.currency === after.currency ? before : null
  return (
    <div className="mt-2">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span>Balance</span>
        {known && (
          <>
            <Amount amount={known.balance} currency={known.currency} />
            <ArrowRight aria-hidden="true" className="size-3.5 self-center" />
            <span className="sr-only">is now</span>
          </>
        )}
        <strong>
          <Amount amount={after.balance} currency={after.currency} />
        </strong>
        <span className="text-xs">
          as of <Time instant={after.asOf} format="time-seconds" isZoneShown />
        </span>
      </p>
      {known && isDifferent(exactSum([known.balance, negated(change)]), after.balance) && (
        <p className="text-xs">Other entries changed the balance in between, too.</p>
      )}
    </div>
  )
}
