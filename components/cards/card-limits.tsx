'use client'

import { useQuery } from '@tanstack/react-query'
import { Amount } from '#components/ui/amount.tsx'
import { Meter } from '#components/ui/meter.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { Card } from '#lib/contract/records.ts'
import { transactionsQuery } from '#lib/queries/transactions.ts'
import { formatAmount } from '#lib/shared/currency.ts'
import { shareOf } from '#lib/shared/exact-sum.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { cardStatusEntry } from './card-status.ts'
import { type LimitUsage, limitUsage, usageFilters } from './card-usage.ts'

export function CardLimits({
  environment,
  card,
  currency,
  nowMs,
}: {
  environment: Environment
  card: Card
  currency: string
  nowMs: number
}) {
  const { data } = useQuery(transactionsQuery(environment, card.cardAccountId, usageFilters(card.id, nowMs)))
  const isActive = card.status === 'active'
  return (
    <Panel title="Limits" note={<span className="text-faint">charged today and this month, Hong Kong time</span>}>
      <div className="rounded-control bg-sunken px-3 py-2.5">
        <div className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="text-soft">{isActive ? 'Can be charged now' : 'Could be charged if it were active'}</span>
          <Amount amount={card.availableLimit} currency={currency} size="large" />
        </div>
        <p className="mt-0.5 text-xs text-faint">
          {isActive
            ? ''
            : `Nothing can be charged while the card is ${cardStatusEntry(card.status).word.toLowerCase()}. `}
          The largest single charge that would pass, by the service’s count of all these limits and of what the account
          has available.
        </p>
      </div>
      <ul className="mt-3 grid gap-3">
        {limitUsage(card, data, nowMs).map((usage) => (
          <LimitRow key={usage.name} usage={usage} currency={currency} />
        ))}
      </ul>
    </Panel>
  )
}

function LimitRow({ usage, currency }: { usage: LimitUsage; currency: string }) {
  const { label, limit, used, isAtLeast } = usage
  const share = used === null || limit === null ? 0 : shareOf(used, limit)
  const usedText = used === null ? null : `${isAtLeast ? 'at least ' : ''}${formatAmount(used, currency)}`
  return (
    <li>
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="text-soft">{label}</span>
        <span>
          {usedText !== null && (
            <>
              <span className="font-medium">{usedText}</span>
              <span className="text-faint">{limit === null ? ', ' : ' of '}</span>
            </>
          )}
          <span className="text-soft">{limit === null ? 'no limit' : formatAmount(limit, currency)}</span>
          {limit !== null && <span className="ml-1 text-2xs text-faint">{currency}</span>}
        </span>
      </div>
      {usedText !== null && limit !== null && (
        <Meter
          share={share}
          label={label}
          valueText={`${usedText} of ${formatAmount(limit, currency)} ${currency}`}
          tone={share >= 0.9 ? 'warn' : 'accent'}
          className="mt-1.5"
        />
      )}
    </li>
  )
}
