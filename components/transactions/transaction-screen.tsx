'use client'

import { useQuery } from '@tanstack/react-query'
import { accountTitle } from '#components/card-accounts/account-labels.ts'
import { EmbedButton } from '#components/embed/embed-button.tsx'
import { AsOf } from '#components/environment/as-of.tsx'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { WhenRead } from '#components/environment/when-read.tsx'
import { SimulateMenu } from '#components/lab/simulate-menu.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { Dotted } from '#components/ui/dotted.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { Loading, Skeleton } from '#components/ui/skeleton.tsx'
import { StatusBadge } from '#components/ui/status-badge.tsx'
import type { TransactionDetail } from '#lib/console/transactions/shapes.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'
import { AuthorizationPanel, MerchantPanel } from './authorization-panels.tsx'
import { DisputeBadge } from './dispute-badge.tsx'
import { TransactionAmount } from './transaction-amount.tsx'
import { TransactionFacts } from './transaction-facts.tsx'
import { declineReason, intentLabel, transactionTitle } from './transaction-labels.ts'
import { TransactionStatusBadge } from './transaction-status-badge.tsx'
import { TransactionTimeline } from './transaction-timeline.tsx'

/** One transaction with everything that is known about it. */
export function TransactionScreen({
  environment,
  cardAccountId,
  transactionId,
}: {
  environment: Environment
  cardAccountId: string
  transactionId: string
}) {
  const transaction = useQuery(readQuery('readTransaction', environment, cardAccountId, transactionId))
  return (
    <WhenRead query={transaction} what="The transaction" skeleton={<TransactionSkeleton />}>
      {(detail) => <TransactionPage environment={environment} detail={detail} />}
    </WhenRead>
  )
}

function TransactionPage({ environment, detail }: { environment: Environment; detail: TransactionDetail }) {
  const { transaction, account, timeline, freshness } = detail
  const { may } = usePermissions(environment)
  const { intent, status, disputeStatus } = transaction
  const title = transactionTitle(transaction)
  const accountName = accountTitle(account)
  const reason = declineReason(transaction)
  return (
    <div className="grid min-w-0 gap-5">
      <PageHeader
        title={<span className="wrap-anywhere">{title}</span>}
        badge={
          <>
            {status ? <TransactionStatusBadge status={status} /> : <StatusBadge label="Status not provided" />}
            {disputeStatus && <DisputeBadge status={disputeStatus} />}
          </>
        }
        actions={
          <>
            <EmbedButton object={{ environment, type: 'transaction', id: transaction.id, cardAccountId: account.id }} />
            <SimulateMenu
              environment={environment}
              about={{ cardAccountId: account.id, transactionId: transaction.id, status }}
            />
          </>
        }
        breadcrumbs={[
          { label: 'Card accounts', href: routes.cardAccounts(environment) },
          { label: accountName, href: routes.cardAccount(environment, account.id) },
          { label: title },
        ]}
        subtitle={
          <Dotted>
            {intent && <span>{intentLabel(intent)}</span>}
            <span className="wrap-anywhere">{accountName}</span>
            <IdText id={transaction.id} label="transaction id" />
            <span>
              <AsOf freshness={freshness} />
            </span>
          </Dotted>
        }
      />
      {reason !== undefined && (
        <Callout tone="bad" title="Declined.">
          {reason.endsWith('.') ? reason : `${reason}.`} The balance did not change.
        </Callout>
      )}
      <div
        className={`grid min-w-0 items-start gap-5 lg:grid-cols-2 ${transaction.authorization ? '2xl:grid-cols-3' : ''}`}
      >
        <div className="grid min-w-0 gap-5">
          <TransactionAmount transaction={transaction} />
          <TransactionTimeline
            environment={environment}
            cardAccountId={account.id}
            transaction={transaction}
            entries={timeline}
            seesInbox={may.has('webhooks.read')}
          />
        </div>
        <div className={`grid min-w-0 gap-5 ${transaction.authorization ? '2xl:contents' : ''}`}>
          <div className="grid min-w-0 gap-5 empty:hidden">
            <AuthorizationPanel transaction={transaction} />
            <MerchantPanel transaction={transaction} />
          </div>
          <TransactionFacts environment={environment} detail={detail} />
        </div>
      </div>
    </div>
  )
}

function TransactionSkeleton() {
  return (
    <div className="grid gap-5">
      <Loading what="the transaction" />
      <Skeleton className="h-7 w-64" />
      <div className="grid gap-5 lg:grid-cols-2">
        <Skeleton className="h-40 w-full rounded-panel" />
        <Skeleton className="h-40 w-full rounded-panel" />
        <Skeleton className="h-64 w-full rounded-panel" />
        <Skeleton className="h-64 w-full rounded-panel" />
      </div>
    </div>
  )
}
