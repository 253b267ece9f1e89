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

/** Whether the service answers, when it last did, and what its last problem was. */
export function ServiceHealthPanel({ environment, health }: { environment: Environment; health: ServiceHealth }) {
  const { data = health } = useQuery(serviceHealthQuery(environment))
  if (!data.connected) return null
  const { lastAnswerAt, unreachableSince, lastProblem } = data
  const isDown = unreachableSince !== null
  return (
    <Panel
      title="Service"
      actions={<StatusBadge tone={isDown ? 'bad' : 'good'} word={isDown ? 'Does not answer' : 'Answers'} />}
    >
      <dl className="divide-y text-soft">
        <Row label="Last answer">
          <Time instant={lastAnswerAt} format="time-seconds" isZoneShown />
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
