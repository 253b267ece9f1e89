'use client'

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { IdText } from '#components/ui/id-text.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { StatusBadge } from '#components/ui/status-badge.tsx'
import { RelativeTime, Time } from '#components/ui/time.tsx'
import type { ServiceHealth } from '#lib/console/service-health.ts'
import { serviceHealthQuery } from '#lib/queries/health.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { newerHealth } from './newer-health.ts'

/** Whether the service answers, when it last did, and what its last problem was. */
export function ServiceHealthPanel({ environment, health }: { environment: Environment; health: ServiceHealth }) {
  const { data } = useQuery(serviceHealthQuery(environment))
  // What the frame of the page asked for may be older than the overview, which has asked the service since.
  const known = data ? newerHealth(data, health) : health
  if (!known.connected) return null
  const { lastAnswerAt, unreachableSince, lastProblem } = known
  const isDown = unreachableSince !== null
  const [word, tone] = isDown
    ? (['Does not answer', 'bad'] as const)
    : lastAnswerAt === null
      ? (['Not asked yet', 'neutral'] as const)
      : (['Answers', 'good'] as const)
  return (
    <Panel title="Service" actions={<StatusBadge tone={tone} word={word} />}>
      <dl className="divide-y text-soft">
        <Row label="Last answer">
          {lastAnswerAt === null ? 'never' : <Time instant={lastAnswerAt} format="time-seconds" isZoneShown />}
          {lastAnswerAt && (
            <span className="text-faint">
              , <RelativeTime instant={lastAnswerAt} />
            </span>
          )}
        </Row>
        {isDown && (
          <Row label="Without an answer since">
            <Time instant={unreachableSince} format="time-seconds" isZoneShown />
          </Row>
        )}
        {lastProblem && (
          <Row label="Last problem">
            {[lastProblem.status && `HTTP ${lastProblem.status}`, lastProblem.code].filter(Boolean).join(', ') ||
              'no answer'}
            {lastProblem.requestId && <IdText id={lastProblem.requestId} label="request id" className="ml-1" />}
          </Row>
        )}
      </dl>
    </Panel>
  )
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 py-1.5 first:pt-0 last:pb-0">
      <dt>{label}</dt>
      <dd className="text-ink">{children}</dd>
    </div>
  )
}
