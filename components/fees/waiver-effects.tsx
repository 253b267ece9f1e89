import { ArrowRight } from 'lucide-react'
import { Amount } from '#components/ui/amount.tsx'
import { formatCount } from '#components/ui/count.ts'
import { Time } from '#components/ui/time.tsx'
import type { JobPreview } from '#lib/console/bulk/types.ts'
import { accountName, FeeAccountId } from './fee-account.tsx'

/** The height for the effects of so many fees, as a class: the list takes what the totals leave, and scrolls. */
export function waiverEffectsHeight(fees: number): string {
  if (fees > 2) return 'h-64'
  return fees === 2 ? 'h-58 sm:h-43' : 'h-44 sm:h-34'
}

/** As many accounts as are listed one by one. */
const listed = 200

/** Effect of a bulk waiver, in the height: the refund per currency, and the balance that each account should have. */
export function WaiverEffects({ preview: { ids, effect, asOf }, height }: { preview: JobPreview; height: string }) {
  const { totals, effects } = effect.waived ?? { totals: [], effects: [] }
  return (
    <div className={`${height} flex flex-col gap-3 overflow-y-auto`}>
      <dl className="shrink-0 divide-y rounded-panel border">
        {totals.map(({ currency, records, amount, excluded }) => (
          <div key={currency ?? ''} className="flex flex-wrap items-baseline justify-between gap-x-4 px-3 py-2">
            <dt className="text-soft">
              {formatCount(records, 'fee')} {currency ? `in ${currency}` : 'without a currency'}, returned
            </dt>
            <dd>
              <Amount amount={amount} currency={currency} isSigned tone="good" size="large" />
              {amount !== null && excluded > 0 && (
                <span className="block text-xs text-warn">
                  Excludes {formatCount(excluded, 'fee')} without an amount or direction
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
      <section aria-labelledby="waiver-effects" className="flex min-h-24 min-w-0 flex-1 flex-col sm:min-h-20">
        <h3 id="waiver-effects" className="font-medium">
          Effect per account
        </h3>
        <p className="text-xs text-faint">
          Amount returned, balance now and expected · {formatCount(ids.length, 'fee')}, as of{' '}
          <Time instant={asOf} format="time-seconds" isZoneShown />.
        </p>
        <section
          aria-label="Effect per account, a list that scrolls"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls takes the keyboard
          tabIndex={0}
          className="mt-1.5 min-h-0 flex-1 overflow-y-auto rounded-panel border -outline-offset-2"
        >
          <ul className="divide-y">
            {effects.slice(0, listed).map(({ account, currency, records, amount, before, after }) => (
              <li
                key={`${JSON.stringify(account)} ${currency}`}
                className="flex items-baseline justify-between gap-x-4 px-3 py-2 max-sm:flex-wrap"
              >
                <span className="min-w-0 wrap-anywhere">
                  {accountName(account)} <FeeAccountId account={account} />{' '}
                  {records > 1 && (
                    <span className="text-xs whitespace-nowrap text-soft">{formatCount(records, 'fee')}</span>
                  )}
                </span>
                <span className="ml-auto flex flex-wrap items-baseline justify-end gap-x-2 sm:shrink-0 sm:flex-nowrap">
                  <Amount amount={amount} currency={currency} isSigned tone="good" className="sm:min-w-28" />
                  {before === null ? (
                    <span className="text-right text-xs text-faint sm:min-w-64">balance not provided</span>
                  ) : (
                    <span className="inline-flex flex-wrap items-baseline justify-end gap-x-1.5">
                      <Amount amount={before} currency={currency} isCurrencyShown={false} className="sm:min-w-28" />
                      <ArrowRight aria-hidden="true" className="size-3 self-center text-faint" />
                      <span className="sr-only">expected</span>
                      <Amount amount={after} currency={currency} className="sm:min-w-32" />
                    </span>
                  )}
                </span>
              </li>
            ))}
          </ul>
          {effects.length > listed && (
            <p className="border-t px-3 py-2 text-xs text-soft">
              and {effects.length - listed} more accounts, included in the totals above.
            </p>
          )}
        </section>
      </section>
    </div>
  )
}
