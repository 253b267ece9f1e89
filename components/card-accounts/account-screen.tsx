'use client'

import { useQuery } from '@tanstack/react-query'
import { ReceiptText } from 'lucide-react'
import { AsOf } from '#components/environment/as-of.tsx'
import { readFailure } from '#components/environment/read-failure.ts'
import { SetLimitButton } from '#components/limits/set-limit-button.tsx'
import { TransactionExport } from '#components/transactions/transaction-export.tsx'
import { TransactionFind } from '#components/transactions/transaction-find.tsx'
import { TransactionList } from '#components/transactions/transaction-list.tsx'
import { ButtonLink } from '#components/ui/button-link.tsx'
import { ErrorState } from '#components/ui/error-state.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { Loading, Skeleton } from '#components/ui/skeleton.tsx'
import { cardAccountQuery } from '#lib/queries/card-accounts.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'
import { AccountCards } from './account-cards.tsx'
import { AccountDetails } from './account-details.tsx'
import { AccountFigures } from './account-figures.tsx'
import { BalanceExplanation } from './balance-explanation.tsx'
import { IdentityBadge } from './identity-badge.tsx'

export function AccountScreen({ environment, cardAccountId }: { environment: Environment; cardAccountId: string }) {
  const { data, error, refetch, isFetching } = useQuery(cardAccountQuery(environment, cardAccountId))
  const failure = data ? null : readFailure(error, 'The card account')
  if (failure) return <ErrorState failure={failure} onRetry={() => void refetch()} isRetrying={isFetching} />
  if (!data) return <AccountSkeleton />
  const { account, cards, seen } = data
  return (
    <div className="grid min-w-0 gap-5">
      <PageHeader
        title={<span className="wrap-anywhere">{account.name}</span>}
        badge={<IdentityBadge status={account.clientIdentityStatus} prefix="Identity" />}
        actions={
          <>
            <ButtonLink
              prefetch={false}
              href={routes.fees(environment, { account: account.id })}
              icon={<ReceiptText />}
            >
              Fees
            </ButtonLink>
            <SetLimitButton environment={environment} account={account} />
          </>
        }
        breadcrumbs={[{ label: 'Card accounts', href: routes.cardAccounts(environment) }, { label: account.name }]}
        subtitle={
          <span className="flex flex-wrap items-center gap-x-1.5">
            <IdText id={account.id} label="account id" />
            {account.xid && (
              <>
                <span aria-hidden="true">·</span>
                <span className="min-w-0 wrap-anywhere">{account.xid}</span>
              </>
            )}
            <span aria-hidden="true">·</span>
            <span>
              <AsOf seen={seen} />
            </span>
          </span>
        }
      />
      <AccountFigures account={account}>
        <BalanceExplanation environment={environment} cardAccountId={account.id} />
      </AccountFigures>
      <div className="grid min-w-0 items-start gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(18rem,2fr)]">
        <AccountCards environment={environment} account={account} cards={cards} />
        <AccountDetails environment={environment} account={account} />
      </div>
      <TransactionList
        environment={environment}
        cardAccountId={account.id}
        cards={cards}
        find={<TransactionFind />}
        actions={<TransactionExport environment={environment} cardAccountId={account.id} />}
      />
    </div>
  )
}

function AccountSkeleton() {
  return (
    <div className="grid gap-5">
      <Loading what="the card account" />
      <Skeleton className="h-7 w-64" />
      <Skeleton className="h-28 w-full rounded-panel" />
      <Skeleton className="h-64 w-full rounded-panel" />
    </div>
  )
}
