'use client'

import { Callout } from '#components/ui/callout.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { StatusRail } from '#components/ui/status-rail.tsx'
import { Time } from '#components/ui/time.tsx'
import type { PayoutRecord, PayoutStop } from '#lib/console/payouts/shapes.ts'
import { cancellationText, payoutStatusEntry, payoutSubStatusEntry } from '../payout-labels.ts'

/** Where the payout is on its way, and in sentences what its status and sub-status mean. */
export function PayoutState({ payout, stops }: { payout: PayoutRecord; stops: readonly PayoutStop[] }) {
  const status = payoutStatusEntry(payout.status)
  const subStatus = payout.subStatus ? payoutSubStatusEntry(payout.subStatus) : null
  const reason = cancellationText(payout)
  return (
    <Panel className="@container">
      <h2 className="sr-only">Status</h2>
      {stops.length > 0 && <PayoutRail stops={stops} />}
      <dl className="grid gap-1 text-soft [ol+&]:mt-4 [ol+&]:border-t [ol+&]:pt-3">
        <Meaning label="Status" text={status.label} meaning={status.meaning} />
        {subStatus && (
          <Meaning
            label="Sub-status"
            text={subStatus.label}
            meaning={subStatus.meaning}
            {...(subStatus.isKnown ? { code: payout.subStatus ?? '' } : {})}
          />
        )}
      </dl>
      {reason && (
        <Callout
          tone={status.isGivenBack ? 'bad' : 'warn'}
          title={payout.status === 'cancelled' ? 'Why it was cancelled:' : 'Reason from the API:'}
          className="mt-3"
        >
          <span className="wrap-anywhere">{reason}</span>
        </Callout>
      )}
    </Panel>
  )
}

function Meaning({ label, text, meaning, code }: { label: string; text: string; meaning: string; code?: string }) {
  return (
    <div className="flex flex-wrap gap-x-1.5">
      <dt className="sr-only">{label}</dt>
      <dd className="min-w-0 wrap-anywhere">
        <span className="font-medium text-ink">{text}.</span> {meaning}{' '}
        {code && <span className="font-mono text-2xs text-faint">{code}</span>}
      </dd>
    </div>
  )
}

/** A payout's way so far, and what comes next where that is known. */
function PayoutRail({ stops }: { stops: readonly PayoutStop[] }) {
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
