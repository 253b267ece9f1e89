'use client'

import { clsx } from 'clsx'
import { ChevronDown, ReceiptText } from 'lucide-react'
import { parseAsStringLiteral, useQueryState } from 'nuqs'
import { type ReactNode, Suspense, useId } from 'react'
import { WaitingChanges } from '#components/approvals/waiting-changes.tsx'
import { IssueCardButton, useIssueCard } from '#components/cards/issue-card-button.tsx'
import { LockCardButton } from '#components/cards/lock-card-button.tsx'
import { EmbedButton } from '#components/embed/embed-button.tsx'
import { RecordSubtitle } from '#components/environment/record-subtitle.tsx'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { WhenRead } from '#components/environment/when-read.tsx'
import { SetLimitButton } from '#components/limits/limit-buttons.tsx'
import { NotesPanel } from '#components/notes/notes-panel.tsx'
import { UnsettledNotice } from '#components/operations/unsettled-notice.tsx'
import { ReproduceButton } from '#components/qa/reproduce-button.tsx'
import { SimulateMenu } from '#components/qa/simulate-menu.tsx'
import { AccountTransactions } from '#components/transactions/account-transactions.tsx'
import { amountText, figureText, Amount } from '#components/ui/amount.tsx'
import { ButtonLink } from '#components/ui/button-link.tsx'
import { Button } from '#components/ui/button.tsx'
import { lazyPart } from '#components/ui/lazy-part.ts'
import { Meter } from '#components/ui/meter.tsx'
import { Page } from '#components/ui/page.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { LoadingBlocks } from '#components/ui/skeleton.tsx'
import { Stat } from '#components/ui/stat.tsx'
import type { CardAccountDetail } from '#lib/console/card-accounts/types.ts'
import { isDifferent, isLess } from '#lib/contract/exact-sum.ts'
import type { CardAccount } from '#lib/contract/records.ts'
import { routes } from '#lib/shared/routes.ts'
import { AccountCards } from './account-cards.tsx'
import { AccountDetails } from './account-details.tsx'
import { accountTitle } from './account-labels.ts'
import { availableReason } from './available-reason.ts'
import { computeShare } from './compute-share.ts'
import { IdentityBadge } from './identity-badge.tsx'

export function AccountScreen({ cardAccountId }: { cardAccountId: string }) {
  const account = useRead('readCardAccount', cardAccountId)
  return (
    <WhenRead query={account} what="The card account" blocks={['h-7 w-64', 'h-28', 'h-64']}>
      {(detail) => <AccountPage detail={detail} />}
    </WhenRead>
  )
}

function AccountPage({ detail }: { detail: CardAccountDetail }) {
  const environment = useEnvironment()
  const { account, cards, freshness } = detail
  const title = accountTitle(account)
  const { denied } = usePermissions()
  const issuing = useIssueCard(account)
  return (
    <Page
      title={title}
      badge={<IdentityBadge status={account.clientIdentityStatus} prefix="Identity" />}
      actions={
        <>
          <LockCardButton detail={detail} />
          <IssueCardButton
            issuing={issuing}
            reason={isSaidBySetLimit(account, issuing, denied('limits.set')) ? 'described' : 'beside'}
          />
          <SetLimitButton account={account} />
          <ButtonLink href={routes.fees(environment, { accountId: account.id })} icon={<ReceiptText />}>
            Fees
          </ButtonLink>
          <SimulateMenu about={{ cardAccountId: account.id, currency: account.currency }} />
          <ReproduceButton record={{ type: 'account', id: account.id }} />
          <EmbedButton type="card-account" id={account.id} />
        </>
      }
      above={[{ label: 'Card accounts', href: routes.cardAccounts(environment) }]}
      subtitle={<RecordSubtitle noun="account" id={account.id} xid={account.xid} freshness={freshness} />}
    >
      <UnsettledNotice of={{ about: account.id, pageSize: '5' }} />
      <WaitingChanges title="Limit change waiting." waiting={detail.waitingLimits} isEffectShown />
      <AccountFigures account={account}>
        <BalanceExplanation cardAccountId={account.id} />
      </AccountFigures>
      <div className="grid min-w-0 gap-5 lg:grid-cols-[minmax(0,1fr)_19rem] lg:grid-rows-[auto_1fr] xl:grid-cols-[minmax(0,1fr)_22rem]">
        <AccountCards detail={detail} />
        <div className="grid min-w-0 content-start gap-5 lg:col-start-2 lg:row-span-2 lg:row-start-1">
          <AccountDetails account={account} rejectedReason={detail.rejectedReason} />
          <NotesPanel target={{ type: 'cardaccount', id: account.id }} />
        </div>
        <div className="min-w-0 *:h-auto">
          <AccountTransactions cardAccountId={account.id} cards={cards} />
        </div>
      </div>
      {issuing.dialog}
    </Page>
  )
}

/** Whether the button that follows, which says `said`, writes the same reason. A prepaid account has none to those who may not set limits. */
export function isSaidBySetLimit(
  { accountType }: Pick<CardAccount, 'accountType'>,
  { unavailable }: Pick<ReturnType<typeof useIssueCard>, 'unavailable'>,
  said: string | undefined,
): boolean {
  return accountType !== 'prepaid' && unavailable !== undefined && unavailable === said
}

/** The account's figures, and a sentence that explains the available amount. */
function AccountFigures({ account, children }: { account: CardAccount; children?: ReactNode }) {
  const { balance, outstanding, available, limit, disputeAmount, currency, accountType } = account
  const isCredit = accountType === 'credit'
  const used = computeShare(outstanding, limit)
  const isDisputed = isDifferent(disputeAmount, 0)
  const figures: { label: string; amount: number | null; note: ReactNode; tone?: 'warn' | 'bad' }[] = [
    {
      label: 'Available',
      amount: available,
      note: null,
      ...(isLess(available, 0) ? { tone: 'bad' as const } : {}),
    },
    {
      label: 'Balance',
      amount: balance,
      note: isLess(balance, 0) ? 'Owed by the cardholder' : null,
    },
    { label: 'Outstanding', amount: outstanding, note: null },
    ...(isCredit ? [{ label: 'Limit', amount: limit, note: null }] : []),
    {
      label: 'Disputed',
      amount: disputeAmount,
      note: isDisputed ? 'Not decided yet' : null,
      ...(isDisputed ? { tone: 'warn' as const } : {}),
    },
  ]
  const isWide = figures.some(({ amount }) => figureText(amount, currency).length > '999,999,999.00'.length)
  const columns = isWide
    ? 'grid-cols-[repeat(auto-fit,minmax(12rem,1fr))]'
    : 'grid-cols-[repeat(auto-fit,minmax(8rem,1fr))]'
  return (
    <Panel className="@container">
      <h2 className="sr-only">Figures</h2>
      <div className={clsx('grid gap-x-6 gap-y-4', columns)}>
        {figures.map(({ label, amount, note, tone }) => (
          <Stat
            key={label}
            label={label}
            value={<Amount amount={amount} currency={currency} className="text-lg" size="large" tone={tone} />}
            note={note}
          />
        ))}
      </div>
      {isCredit && used !== null && (
        <Meter
          share={used}
          label="Limit in use"
          valueText={`${figureText(outstanding, currency)} of ${amountText(limit, currency)}`}
          tone={used >= 0.9 ? 'warn' : 'accent'}
          className="mt-4"
        />
      )}
      <p className="mt-3 text-xs text-soft">
        <span className="font-medium">
          {available === null ? 'What is available is not known.' : `Why ${figureText(available, currency)}?`}
        </span>{' '}
        {availableReason(account)}
      </p>
      {children}
    </Panel>
  )
}

const BalanceBreakdown = lazyPart(() => import('./balance-breakdown.tsx').then((file) => file.BalanceBreakdown))

const breakdownBlocks = ['h-5', 'h-64']

/** Opens, in place, the entries behind an account's figures. They are read when it opens; the URL keeps it open. */
function BalanceExplanation({ cardAccountId }: { cardAccountId: string }) {
  const id = useId()
  const [open, setOpen] = useQueryState('explain', parseAsStringLiteral(['balance'] as const))
  const isOpen = open === 'balance'
  return (
    <div className="mt-2">
      <Button
        size="small"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        icon={<ChevronDown aria-hidden="true" className={isOpen ? 'rotate-180' : undefined} />}
        onClick={() => void setOpen(isOpen ? null : 'balance')}
      >
        {isOpen ? 'Hide breakdown' : 'Show breakdown'}
      </Button>
      {isOpen && (
        <div id={id} className="mt-3 border-t pt-3">
          <Suspense fallback={<LoadingBlocks what="the explanation of the balance" blocks={breakdownBlocks} />}>
            <BalanceBreakdown cardAccountId={cardAccountId} blocks={breakdownBlocks} />
          </Suspense>
        </div>
      )}
    </div>
  )
}
