'use client'

import { useLab, useRead } from '#components/environment/use-environment.ts'
import { amountText, figureText, Amount } from '#components/ui/amount.tsx'
import { formatCount } from '#components/ui/count.ts'
import { Meter } from '#components/ui/meter.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { Card } from '#lib/contract/records.ts'
import { computeShare } from '../card-accounts/compute-share.ts'
import { isKnownCardStatus, statusInSentence } from './card-status.ts'
import { type LimitUsage, limitUsage, smallerPurchases, usageFilters } from './card-usage.ts'

export function CardLimitsPanel({
  card,
  cardAccountId,
  currency,
  nowMs,
}: {
  card: Card
  cardAccountId: string
  currency: string | null
  nowMs: number
}) {
  const { data } = useRead('listTransactions', cardAccountId, usageFilters(card.id, nowMs))
  const isBuiltIn = useLab() === 'built-in'
  return (
    <Panel title="Limits" note={<span className="text-faint">charged so far, HKT</span>}>
      <div className="rounded-control bg-sunken px-3 py-2.5">
        <div className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="text-soft">{figureLabel(card.status)}</span>
          <Amount amount={card.availableLimit} currency={currency} size="large" />
        </div>
        {isBuiltIn &&
          smallerPurchases(card, data, nowMs).map(({ label, largest, isAtLeast }) => (
            <div key={label} className="flex flex-wrap items-baseline justify-between gap-x-3">
              <span className="text-soft">{label}</span>
              <span className="font-medium">
                {isAtLeast && 'at least '}
                {figureText(largest, currency)}
              </span>
            </div>
          ))}
        {card.status !== 'active' && <p className="mt-0.5 text-xs text-faint">{statusNote(card.status)}</p>}
      </div>
      <ul className="mt-3 grid gap-3">
        {limitUsage(card, data, nowMs, isBuiltIn).map((usage) => (
          <LimitRow key={usage.name} usage={usage} currency={currency} />
        ))}
      </ul>
    </Panel>
  )
}

function figureLabel(status: string | null): string {
  return status === 'active' ? 'Largest charge possible now' : 'Largest charge possible once active'
}

/** Effect on the figure of a status that is not active. */
function statusNote(status: string | null): string {
  if (status === null) return 'Status not provided.'
  if (!isKnownCardStatus(status)) return 'Unknown status: charges may be declined.'
  return `No charges while the card is ${statusInSentence(status)}.`
}

function LimitRow({ usage, currency }: { usage: LimitUsage; currency: string | null }) {
  const { label, limit, used, isAtLeast, excluded } = usage
  const share = computeShare(used, limit === 'none' ? null : limit) ?? 0
  const usedText = used && `${isAtLeast ? 'at least ' : ''}${figureText(used, currency)}`
  return (
    <li>
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="text-soft">{label}</span>
        <span>
          {usedText && (
            <>
              <span className="font-medium">{usedText}</span>
              <span className="text-faint">{limit === 'none' ? ', ' : ' of '}</span>
            </>
          )}
          {limit === 'none' ? (
            <span className="text-soft">no limit</span>
          ) : (
            <Amount amount={limit} currency={currency} className="[&>span]:font-normal" />
          )}
        </span>
      </div>
      {usedText && typeof limit === 'number' && (
        <Meter
          share={share}
          label={label}
          valueText={`${usedText} of ${amountText(limit, currency)}`}
          tone={share >= 0.9 ? 'warn' : 'accent'}
          className="mt-1.5"
        />
      )}
      {excluded > 0 && (
        <p className="text-2xs text-warn">
          Excludes {formatCount(excluded, 'charge')} with an unknown amount, time, kind or status
        </p>
      )}
    </li>
  )
}
