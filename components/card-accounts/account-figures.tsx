'use client'

import { ChevronDown } from 'lucide-react'
import { parseAsStringLiteral, useQueryState } from 'nuqs'
import { type ReactNode, lazy, Suspense, useId } from 'react'
import { amountText, figureText, Amount } from '#components/ui/amount.tsx'
import { Button } from '#components/ui/button.tsx'
import { Meter } from '#components/ui/meter.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { LoadingBlocks } from '#components/ui/skeleton.tsx'
import { Stat } from '#components/ui/stat.tsx'
import type { CardAccount } from '#lib/contract/records.ts'
import { compareAmounts, shareOf } from '#lib/shared/exact-sum.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { availableReason } from './available-reason.ts'

/** The account's figures, and a sentence that explains the available amount. */
export function AccountFigures({ account, children }: { account: CardAccount; children?: ReactNode }) {
  const { balance, outstanding, available, limit, disputeAmount, currency, accountType } = account
  const isCredit = accountType === 'credit'
  const used =
    outstanding !== null && limit !== null && compareAmounts(limit, 0) > 0 ? shareOf(outstanding, limit) : null
  const isDisputed = disputeAmount !== null && compareAmounts(disputeAmount, 0) !== 0
  const figures: { label: string; amount: number | null; note: ReactNode; tone?: 'warn' | 'bad' }[] = [
    {
      label: 'Available',
      amount: available,
      note: 'Available to spend',
      ...(available !== null && compareAmounts(available, 0) < 0 ? { tone: 'bad' as const } : {}),
    },
    {
      label: 'Balance',
      amount: balance,
      note: balance !== null && compareAmounts(balance, 0) < 0 ? 'Owed by the cardholder' : 'Held',
    },
    {
      label: 'Outstanding',
      amount: outstanding,
      note: outstanding !== null && compareAmounts(outstanding, 0) > 0 ? 'Owed' : 'Nothing owed',
    },
    ...(isCredit ? [{ label: 'Limit', amount: limit, note: 'Credit limit' }] : []),
    {
      label: 'Disputed',
      amount: disputeAmount,
      note: isDisputed ? 'Requested or pending' : 'Nothing disputed',
      ...(isDisputed ? { tone: 'warn' as const } : {}),
    },
  ]
  return (
    <Panel className="@container">
      <h2 className="sr-only">Figures</h2>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] gap-x-6 gap-y-4">
        {figures.map(({ label, amount, note, tone }) => (
          <Stat
            key={label}
            label={label}
            value={
              <Amount
                amount={amount}
                currency={currency}
                className="text-lg"
                size="large"
                {...(tone ? { tone } : {})}
              />
            }
            note={amount === null ? undefined : note}
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

const BalanceBreakdown = lazy(() =>
  import('./balance-breakdown.tsx').then(({ BalanceBreakdown }) => ({ default: BalanceBreakdown })),
)

const breakdownBlocks = ['h-5', 'h-64']

/** Opens, in place, the entries behind an account's figures. They are read when it opens; the URL keeps it open. */
export function BalanceExplanation({
  environment,
  cardAccountId,
}: {
  environment: Environment
  cardAccountId: string
}) {
  const id = useId()
  const [open, setOpen] = useQueryState('explain', parseAsStringLiteral(['balance'] as const))
  const isOpen = open === 'balance'
  return (
    <div className="mt-2">
      <Button
        size="small"
        aria-expanded={isOpen}
        {...(isOpen ? { 'aria-controls': id } : {})}
        icon={<ChevronDown aria-hidden="true" className={isOpen ? 'rotate-180' : undefined} />}
        onClick={() => void setOpen(isOpen ? null : 'balance')}
      >
        {isOpen ? 'Hide breakdown' : 'Show breakdown'}
      </Button>
      {isOpen && (
        <div id={id} className="mt-3 border-t pt-3">
          <Suspense fallback={<LoadingBlocks what="the explanation of the balance" blocks={breakdownBlocks} />}>
            <BalanceBreakdown environment={environment} cardAccountId={cardAccountId} blocks={breakdownBlocks} />
          </Suspense>
        </div>
      )}
    </div>
  )
}
