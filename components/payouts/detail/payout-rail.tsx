'use client'

import { StatusRail } from '#components/ui/status-rail.tsx'
import { Time } from '#components/ui/time.tsx'
import type { PayoutStop } from '#lib/console/payouts/shapes.ts'
import { payoutStatusEntry } from '../payout-labels.ts'

/** A payout's way so far, and what comes next where that is known. */
export function PayoutRail({ stops }: { stops: readonly PayoutStop[] }) {
  return (
    <StatusRail
      labelClassName="wrap-anywhere"
      stops={stops.map(({ status, at, isNow }) => {
        const isReached = at !== null || isNow
        return {
          ...(status === null ? { label: 'Created', tone: 'neutral' as const } : payoutStatusEntry(status)),
          status,
          isNow,
          isReached,
          ...(isReached ? { detail: <Time instant={at} /> } : {}),
        }
      })}
    />
  )
}
