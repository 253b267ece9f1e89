'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { HandCoins } from 'lucide-react'
import { useRef } from 'react'
import { readFailure } from '#components/environment/read-failure.ts'
import { OperationDialog } from '#components/operations/operation-dialog.tsx'
import { ReadFailed } from '#components/operations/read-failed.tsx'
import { ReasonFields, reasonIn, reasonProblems } from '#components/operations/reason-fields.tsx'
import { useOperation } from '#components/operations/use-operation.ts'
import { Loading, Skeleton } from '#components/ui/skeleton.tsx'
import { waiveFee } from '#lib/actions/fees.ts'
import type { Outcome } from '#lib/console/desk/shapes.ts'
import type { FeeBalance, FeeDetail, FeeRow } from '#lib/console/fees/shapes.ts'
import { ReadError } from '#lib/queries/read.ts'
import { readQuery } from '#lib/queries/reads.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { BalanceChange } from './balance-change.tsx'
import { feeTitle } from './fee-labels.ts'
import { waiverRows } from './waiver-rows.tsx'

/** Everything on screen that shows the fee or the balance of its account. */
const touched = ['fees', 'card-accounts', 'overview'] as const

const ownFields = ['reason', 'comment']

/** Waives one fee: what it is, whose, the balance before and after. `operationId` is made by its opener. */
export function WaiveDialog({
  environment,
  row,
  operationId,
  isOpen,
  onClose,
}: {
  environment: Environment
  row: FeeRow
  operationId: string
  isOpen: boolean
  onClose: () => void
}) {
  const feeId = row.fee.id
  const client = useQueryClient()
  const query = readQuery('readFee', environment, feeId)
  const { data, error, refetch, isFetching, isFetchedAfterMount } = useQuery({ ...query, enabled: isOpen })
  const before = useRef<FeeBalance | null>(null)
  const operation = useOperation<FeeDetail>({
    environment,
    kind: 'fee.waive',
    operationId,
    touched,
    onClose,
    onDone: ({ record }) => {
      if (record) client.setQueryData(query.queryKey, record)
      return {
        description: (
          <BalanceChange before={before.current} after={record?.balance ?? null} change={record?.change ?? null} />
        ),
      }
    },
  })
  const detail = isFetchedAfterMount ? data : undefined
  const foreseen = operation.isPending || operation.isDone ? null : foreseeError(detail, error)
  const failure = detail || foreseen ? null : readFailure(error, 'The fee')
  return (
    <OperationDialog
      isOpen={isOpen}
      onClose={onClose}
      operation={{ ...operation, problem: operation.problem ?? foreseen }}
      fields={ownFields}
      problem={(field, wrong) => (field === 'feeId' ? `The fee ID ${wrong}.` : `${field} ${wrong}.`)}
      grade="moderate"
      title={`Waive “${feeTitle(row)}”?`}
      consequence="The fee is voided and credited to the account immediately. This can’t be undone."
      {...(detail ? { rows: waiverRows(environment, detail) } : {})}
      unavailable={unavailableBecause(foreseen !== null, detail !== undefined, failure !== null)}
      confirmLabel="Waive fee"
      confirmIcon={<HandCoins aria-hidden="true" />}
      cancelLabel="Keep fee"
      onConfirm={(values) => {
        const reason = reasonIn(values)
        const problems = reasonProblems('fee.waive', reason)
        if (Object.keys(problems).length > 0) return operation.setErrors(problems)
        before.current = detail?.balance ?? null
        operation.start((id) => waiveFee({ environment, operationId: id, feeId, ...reason }))
      }}
    >
      {failure && (
        <ReadFailed title={failure.title} isRetrying={isFetching} onRetry={() => void refetch()}>
          {failure.detail}
        </ReadFailed>
      )}
      {!detail && !failure && !foreseen && (
        <>
          <Loading what="the fee and its account" />
          <Skeleton className="h-48 w-full rounded-panel" />
        </>
      )}
      {!foreseen && <ReasonFields kind="fee.waive" errors={operation.errors} />}
    </OperationDialog>
  )
}

function unavailableBecause(isForeseen: boolean, isRead: boolean, hasFailed: boolean): string | undefined {
  if (isForeseen) return 'This fee can’t be waived.'
  if (isRead) return undefined
  return hasFailed ? 'The fee could not be read.' : 'The fee is still loading.'
}

/** What is known before anything is sent: a fee that is void already, or that there is not. */
function foreseeError(detail: FeeDetail | undefined, error: Error | null): Outcome | null {
  const refused = {
    state: 'refused',
    changed: 'no',
    isSafeToRetry: false,
    needsReview: false,
    status: null,
    requestId: null,
  } as const
  if (detail?.fee.status === 'void') {
    return {
      ...refused,
      happened: 'This fee is void already.',
      next: 'The balance does not count it.',
      code: 'FEE_ALREADY_VOID',
    }
  }
  if (detail || !(error instanceof ReadError) || error.code !== 'FEE_NOT_FOUND') return null
  return {
    ...refused,
    happened: error.message,
    next: 'Check the list of fees and the environment.',
    code: error.code,
    requestId: error.requestId,
  }
}
