'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useState } from 'react'
import { AsOf } from '#components/environment/as-of.tsx'
import { WhenRead } from '#components/environment/when-read.tsx'
import { OtherFields } from '#components/references/other-fields.tsx'
import { TransactionStatusBadge } from '#components/transactions/transaction-status-badge.tsx'
import { Amount } from '#components/ui/amount.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import { type Fact, FactBox } from '#components/ui/fact-list.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { quietLink } from '#components/ui/link-style.ts'
import { Loading, Skeleton } from '#components/ui/skeleton.tsx'
import { Time } from '#components/ui/time.tsx'
import type { FeeDetail } from '#lib/console/fees/shapes.ts'
import type { FeeEntry } from '#lib/contract/records.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'
import { AccountFact } from './fee-account.tsx'
import { FeeAmount } from './fee-amount.tsx'
import { feeTitle, intentLabels } from './fee-labels.ts'
import { WaiveButton } from './waive-button.tsx'
import { WaiveDialog } from './waive-dialog.tsx'

/** One fee with everything that the interface says of it, and its account’s balance. */
export function FeeWindow({
  environment,
  feeId,
  mayWaive,
  seesAudit,
  onClose,
}: {
  environment: Environment
  feeId: string | null
  mayWaive: boolean
  seesAudit: boolean
  onClose: () => void
}) {
  const [shownId, setShownId] = useState(feeId)
  if (feeId !== null && feeId !== shownId) setShownId(feeId)
  const [waiving, setWaiving] = useState<{ operationId: string; detail: FeeDetail; isOpen: boolean } | null>(null)
  const fee = useQuery({
    ...readQuery('readFee', environment, shownId ?? ''),
    enabled: feeId !== null,
  })
  const { data } = fee
  return (
    <Dialog
      kind="drawer-end"
      isOpen={feeId !== null}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
      title={<span className="wrap-anywhere">{data ? feeTitle(data) : 'Fee'}</span>}
      footer={
        data &&
        mayWaive && (
          <WaiveButton
            row={data}
            size="large"
            onPress={() => setWaiving({ operationId: crypto.randomUUID(), detail: data, isOpen: true })}
          />
        )
      }
    >
      <WhenRead query={fee} what="The fee" skeleton={<DetailSkeleton />}>
        {(detail) => <FeeFacts environment={environment} detail={detail} seesAudit={seesAudit} />}
      </WhenRead>
      {waiving && (
        <WaiveDialog
          key={waiving.operationId}
          environment={environment}
          row={waiving.detail}
          operationId={waiving.operationId}
          isOpen={waiving.isOpen}
          onClose={() => setWaiving({ ...waiving, isOpen: false })}
        />
      )}
    </Dialog>
  )
}

function DetailSkeleton() {
  return (
    <>
      <Loading what="the fee" />
      <Skeleton className="h-72 w-full rounded-panel" />
    </>
  )
}

const knownFields: Record<keyof FeeEntry, true> = {
  id: true,
  transaction: true,
  amount: true,
  currency: true,
  status: true,
  intent: true,
  intentId: true,
  createdAt: true,
}

export function FeeFacts({
  environment,
  detail,
  seesAudit,
}: {
  environment: Environment
  detail: FeeDetail
  seesAudit: boolean
}) {
  const { fee, account, balance, freshness } = detail
  const { transaction } = fee
  const cardTransaction = transaction && 'cardAccountId' in transaction ? transaction : null
  const cardAccountId = account?.kind === 'card-account' ? account.id : cardTransaction?.cardAccountId
  const facts: Fact[] = [
    { label: 'Amount', value: <FeeAmount row={detail} size="large" /> },
    { label: 'Status', value: fee.status && <TransactionStatusBadge status={fee.status} /> },
    { label: 'Charged', value: <Time instant={fee.createdAt} format="exact" isZoneShown /> },
    { label: 'Account', value: <AccountFact environment={environment} account={account} /> },
    ...(balance
      ? [{ label: 'Balance now', value: <Amount amount={balance.balance} currency={balance.currency} /> }]
      : []),
    {
      label: 'Intent',
      value: fee.intent && (
        <span className="wrap-anywhere" title={fee.intent}>
          {intentLabels(fee.intent)}
        </span>
      ),
    },
    { label: 'Fee id', value: <IdText id={fee.id} label="fee id" /> },
    { label: 'Caused by', value: <IdText id={fee.intentId} label="id of the instruction" /> },
    ...(cardTransaction?.id && cardAccountId
      ? [
          {
            label: 'Transaction',
            value: (
              <Link
                prefetch={false}
                href={routes.transaction(environment, cardAccountId, cardTransaction.id)}
                className={quietLink}
              >
                {cardTransaction.refId || 'Open'}
              </Link>
            ),
          },
        ]
      : []),
    ...(transaction?.xid
      ? [{ label: 'xid of the transaction', value: <span className="wrap-anywhere">{transaction.xid}</span> }]
      : []),
  ]
  return (
    <div className="grid gap-3">
      <FactBox facts={facts} />
      <OtherFields record={fee} known={knownFields} />
      <p className="text-xs text-faint">
        Fee and balance <AsOf freshness={freshness} />.
        {seesAudit && (
          <>
            {' '}
            <Link prefetch={false} href={routes.audit(environment, { targetId: fee.id })} className={quietLink}>
              Audit history
            </Link>
          </>
        )}
      </p>
    </div>
  )
}
