'use client'

import { useQuery } from '@tanstack/react-query'
import { ReceiptText } from 'lucide-react'
import { EmbedButton } from '#components/embed/embed-button.tsx'
import { WhenRead } from '#components/environment/when-read.tsx'
import { SimulateMenu } from '#components/lab/simulate-menu.tsx'
import { SetLimitButton } from '#components/limits/limit-buttons.tsx'
import { NotesPanel } from '#components/notes/notes-panel.tsx'
import { TransactionList } from '#components/transactions/transaction-list.tsx'
import { ButtonLink } from '#components/ui/button-link.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import type { CardAccountDetail } from '#lib/console/card-accounts/shapes.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { routes, type Environment } from '#lib/shared/routes.ts'
import { AccountCards } from './account-cards.tsx'
import { AccountDetails, AccountIds } from './account-details.tsx'
import { AccountFigures, BalanceExplanation } from './account-figures.tsx'
import { accountTitle } from './account-labels.ts'
import { IdentityBadge } from './identity-badge.tsx'

export function AccountScreen({ environment, cardAccountId }: { environment: Environment; cardAccountId: string }) {
  const account = useQuery(readQuery('readCardAccount', environment, cardAccountId))
  return (
    <WhenRead query={account} what="The card account" blocks={['h-7 w-64', 'h-28', 'h-64']}>
      {(detail) => <AccountPage environment={environment} detail={detail} />}
    </WhenRead>
  )
}

function AccountPage({ environment, detail }: { environment: Environment; detail: CardAccountDetail }) {
  const { account, cards, freshness } = detail
  const title = accountTitle(account)
  /** The list of cards is as high as details and notes together. */
  const isLong = cards.length > 3
  return (
    <div className="grid min-w-0 gap-5">
      <PageHeader
        title={<span className="wrap-anywhere">{title}</span>}
        badge={<IdentityBadge status={account.clientIdentityStatus} prefix="Identity" />}
        actions={
          <>
            <EmbedButton object={{ environment, type: 'card-account', id: account.id, cardAccountId: null }} />
            <ButtonLink
              prefetch={false}
              href={routes.fees(environment, { accountId: account.id })}
              icon={<ReceiptText />}
            >
              Fees
            </ButtonLink>
            <SetLimitButton environment={environment} account={account} />
            <SimulateMenu environment={environment} about={{ cardAccountId: account.id, currency: account.currency }} />
          </>
        }
        breadcrumbs={[{ label: 'Card accounts', href: routes.cardAccounts(environment) }, { label: title }]}
        subtitle={<AccountIds account={account} freshness={freshness} />}
      />
      <AccountFigures account={account}>
        <BalanceExplanation environment={environment} cardAccountId={account.id} />
      </AccountFigures>
      <div
        className={`grid min-w-0 gap-5 lg:grid-cols-2 2xl:grid-cols-[minmax(0,5fr)_repeat(2,minmax(0,4fr))] ${isLong ? 'lg:max-2xl:grid-rows-[auto_1fr] lg:max-2xl:*:first:row-span-2' : 'lg:max-2xl:*:last:col-span-2'}`}
      >
        <AccountCards environment={environment} detail={detail} />
        <AccountDetails environment={environment} account={account} rejectedReason={detail.rejectedReason} />
        <NotesPanel target={{ environment, type: 'cardaccount', id: account.id }} />
      </div>
      <TransactionList environment={environment} cardAccountId={account.id} cards={cards} />
    </div>
  )
}
