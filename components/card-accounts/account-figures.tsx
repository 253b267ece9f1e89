import type { ReactNode } from 'react'
import { Amount } from '#components/ui/amount.tsx'
import { Meter } from '#components/ui/meter.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Stat } from '#components/ui/stat.tsx'
import type { CardAccount } from '#lib/contract/records.ts'
import { formatAmount } from '#lib/shared/currency.ts'
import { compareAmounts, shareOf } from '#lib/shared/exact-sum.ts'
import { availableReason } from './available-reason.ts'

/** The account's figures, and in a sentence why what is available is what it is. */
export function AccountFigures({ account, children }: { account: CardAccount; children?: ReactNode }) {
  const { balance, outstanding, available, limit, disputeAmount, currency, accountType } = account
  const isCredit = accountType === 'credit'
  const used = shareOf(outstanding, limit)
  const isDisputed = compareAmounts(disputeAmount, 0) !== 0
  const figures: { label: string; amount: number; note: ReactNode; tone?: 'warn' | 'bad' }[] = [
    {
      label: 'Available',
      amount: available,
      note: 'can be charged now',
      ...(compareAmounts(available, 0) < 0 ? { tone: 'bad' as const } : {}),
    },
    { label: 'Balance', amount: balance, note: compareAmounts(balance, 0) < 0 ? 'negative: money is owed' : 'held' },
    {
      label: 'Outstanding',
      amount: outstanding,
      note: compareAmounts(outstanding, 0) > 0 ? 'owed' : 'nothing is owed',
    },
    ...(isCredit ? [{ label: 'Limit', amount: limit, note: 'may be owed at most' }] : []),
    {
      label: 'Disputed',
      amount: disputeAmount,
      note: isDisputed ? 'requested or pending' : 'nothing is disputed',
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
            note={note}
          />
        ))}
      </div>
      {isCredit && limit > 0 && (
        <Meter
          share={used}
          label="Limit in use"
          valueText={`${formatAmount(outstanding, currency)} of ${formatAmount(limit, currency)} ${currency}`}
          tone={used >= 0.9 ? 'warn' : 'accent'}
          className="mt-4"
        />
      )}
      <p className="mt-3 text-xs text-soft">
        <span className="font-medium">Why {formatAmount(available, currency)}?</span> {availableReason(account)}
      </p>
      {children}
    </Panel>
  )
}
