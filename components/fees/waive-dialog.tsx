'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { HandCoins } from 'lucide-react'
import { useState } from 'react'
import { readFailure } from '#components/environment/read-failure.ts'
import { TextField } from '#components/form/text-field.tsx'
import { OperationDialog } from '#components/operations/operation-dialog.tsx'
import { ReadFailed } from '#components/operations/read-failed.tsx'
import { useOperation } from '#components/operations/use-operation.ts'
import { Loading, Skeleton } from '#components/ui/skeleton.tsx'
import { waiveFee } from '#lib/actions/fees.ts'
import type { Outcome } from '#lib/console/desk/operations/outcome.ts'
import type { FeeBalance, FeeDetail, FeeRow } from '#lib/console/fees/list.ts'
import { ReadError } from '#lib/queries/read.ts'
import { readQuery } from '#lib/queries/reads.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { BalanceChange } from './balance-change.tsx'
import { feeTitle } from './fee-labels.ts'
import { reasonProblem } from './reason-problem.ts'
import { waiverRows } from './waiver-rows.tsx'

/** Everything on screen that shows the fee or the balance of its account. */
const touched = ['fees', 'card-accounts', 'overview'] as const

const ownFields = ['reason']

/** Waives one fee: what it is, whose, the balance before and after, then the truth. `operationId` is made by its opener. */
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
  const [before, setBefore] = useState<FeeBalance | null>(null)
  const operation = useOperation<FeeDetail>(environment, operationId, touched, ({ record }) => {
    if (record) client.setQueryData(query.queryKey, record)
  })
  const detail = isFetchedAfterMount ? data : undefined
  const foreseen = operation.isPending ? null : foreseeError(detail, error)
  const outcome = operation.outcome ?? foreseen
  const failure = detail || foreseen ? null : readFailure(error, 'The fee')
  return (
    <OperationDialog
      isOpen={isOpen}
      onClose={onClose}
      operation={{ ...operation, outcome }}
      fields={ownFields}
      problem={(field, wrong) => (field === 'feeId' ? `The fee id ${wrong}.` : `${field} ${wrong}.`)}
      grade="moderate"
      title={`Waive “${feeTitle(row)}”${outcome === null ? '?' : ''}`}
      consequence="The fee becomes void, and its amount is back on the account at once. The interface has no way to charge it again."
      {...(detail ? { rows: waiverRows(environment, detail) } : {})}
      {...(detail ? {} : { unavailable: failure ? 'The fee could not be read.' : 'The fee is being read.' })}
      confirmLabel="Waive fee"
      confirmIcon={<HandCoins aria-hidden="true" />}
      cancelLabel="Keep fee"
      ending={
        operation.outcome?.state === 'done' && (
          <BalanceChange before={before} after={detail?.balance ?? null} change={detail?.change ?? null} />
        )
      }
      onConfirm={(values) => {
        const reason = String(values.get('reason') ?? '').trim()
        const problem = reasonProblem(reason, false)
        if (problem) return operation.setErrors({ reason: problem })
        setBefore(detail?.balance ?? null)
        operation.start(() => waiveFee({ environment, operationId, feeId, reason }))
      }}
    >
      {failure && (
        <ReadFailed title={failure.title} isRetrying={isFetching} onRetry={() => void refetch()}>
          {failure.detail}
        </ReadFailed>
      )}
      {!detail && !failure && (
        <>
          <Loading what="the fee and its account" />
          <Skeleton className="h-48 w-full rounded-panel" />
        </>
      )}
      <TextField
        label="Reason"
        name="reason"
        isOptional
        maxLength={300}
        error={operation.errors.reason}
        hint="It stands in the audit trail."
      />
    </OperationDialog>
  )
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
      happened: 'This fee is void already: it was waived or cancelled before, and the balance does not count it.',
      next: 'Nothing needs to be done.',
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
