'use client'

import { formatCount } from '#components/ui/count.ts'
import { Time } from '#components/ui/time.tsx'
import type { Freshness } from '#lib/environments/types.ts'
import type { Coverage, AccountCoverage } from '#lib/index/types.ts'

/** Where what is shown comes from, and as of when. */
export function AsOf({ freshness }: { freshness: Freshness }) {
  return (
    <>
      {freshness.source === 'service' ? 'as of ' : 'as Carddesk last read it, '}
      <Time
        instant={freshness.asOf}
        format={freshness.source === 'service' ? 'time-seconds' : 'date-time'}
        isZoneShown
      />
    </>
  )
}

/** States how complete and how old an indexed list is, so that the total of a part is never shown as the whole. */
export function ListCoverage({ coverage: { isComplete, isReading, asOf, readBackTo } }: { coverage: Coverage }) {
  if (isComplete) {
    return (
      <>
        as of <Time instant={asOf} format="time-seconds" isZoneShown /> or newer
      </>
    )
  }
  return (
    <>
      read so far
      {readBackTo && (
        <>
          , back to <Time instant={readBackTo} />
        </>
      )}
      {isReading && ', still reading'}; totals cover these only
    </>
  )
}

/** States how complete and how old the index is, so that the total of a part is never shown as the whole. */
export function CoverageText({
  coverage: { accounts, accountsWithCards, isComplete, isReading, asOf },
}: {
  coverage: AccountCoverage
}) {
  if (!isComplete) {
    return `${formatCount(accounts, 'account')} read so far${isReading ? ', still reading' : ''}; totals cover these only`
  }
  return (
    <>
      as of <Time instant={asOf} format="time-seconds" isZoneShown />
      {accountsWithCards < accounts && ` · cards of ${formatCount(accountsWithCards, 'account')} read so far`}
    </>
  )
}
