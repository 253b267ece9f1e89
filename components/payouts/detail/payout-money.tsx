import { ArrowRight } from 'lucide-react'
import Link from 'next/link'
import { ExactRateText } from '#components/rates/rate-text.tsx'
import { NotProvided } from '#components/ui/not-provided.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { PayoutRecord } from '#lib/console/payouts/shapes.ts'
import { shortId } from '#lib/shared/ids.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'
import { PayoutAmount } from '../payout-amount.tsx'

/** What leaves the funding account, at which rate, and what arrives. */
export function PayoutMoney({
  environment,
  payout,
  fundingAccountName,
}: {
  environment: Environment
  payout: PayoutRecord
  fundingAccountName: string | null
}) {
  const { accountId, sourceCurrency, destinationCurrency, rate } = payout
  return (
    <Panel title="Amounts" className="@container">
      <div className="grid items-center gap-x-4 gap-y-3 @lg:grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)]">
        <div className="min-w-0">
          <p className="text-xs text-soft">
            From{' '}
            {accountId ? (
              <Link
                href={routes.fundingAccounts(environment, { accountId })}
                prefetch={false}
                className="inline-flex min-h-6 items-center underline decoration-line underline-offset-2 hover:decoration-current"
              >
                {fundingAccountName ?? `funding account ${shortId(accountId)}`}
              </Link>
            ) : (
              <NotProvided what="Account" />
            )}
          </p>
          <PayoutAmount payout={payout} side="source" size="display" />
        </div>
        <ArrowRight aria-hidden="true" className="size-5 text-faint @max-lg:rotate-90" />
        <div className="min-w-0">
          <p className="flex min-h-6 items-center text-xs text-soft">To the beneficiary</p>
          <PayoutAmount payout={payout} side="destination" size="display" />
        </div>
      </div>
      <p className="mt-3 border-t pt-2.5 text-soft">
        {rate === null || !sourceCurrency || !destinationCurrency ? (
          'The API didn’t provide the rate.'
        ) : (
          <>
            1 {sourceCurrency} = <ExactRateText rate={rate} className="font-medium text-ink" /> {destinationCurrency}
            <span className="text-faint"> · locked rate</span>
          </>
        )}
      </p>
    </Panel>
  )
}
