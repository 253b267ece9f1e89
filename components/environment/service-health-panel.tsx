'use client'

import type { ReactNode } from 'react'
import { StatusBadge } from '#components/ui/badge.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { Link } from '#components/ui/link.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { quietLink } from '#components/ui/text-link.tsx'
import { RelativeTime, Time } from '#components/ui/time.tsx'
import type { EndpointProblem, ServiceHealth, ServiceProblem } from '#lib/environments/types.ts'
import { routes } from '#lib/shared/routes.ts'
import { problemSentence, stateText } from './service-state.ts'
import { useEnvironment, useRead } from './use-environment.ts'
import { usePermissions } from './use-permissions.ts'

/** The status of the service, its last response, its last problem and the endpoints that don't work. */
export function ServiceHealthPanel({ health }: { health: ServiceHealth }) {
  const environment = useEnvironment()
  const { data } = useRead('readServiceHealth')
  const { may } = usePermissions()
  // The frame's reading may be older than the overview's, which has called the service since.
  const known = data ? newerHealth(data, health) : health
  if (!known.connected) return null
  const { since, lastResponseAt, lastProblem, endpoints } = known
  const { label, tone } = stateText(known)
  return (
    <Panel title="Service" actions={<StatusBadge tone={tone} label={label} />}>
      <dl className="divide-y text-soft">
        <Row label="Last response">
          <Time instant={lastResponseAt} format="time-seconds" isZoneShown missing="Never" />
          {lastResponseAt && (
            <span className="text-faint">
              , <RelativeTime instant={lastResponseAt} />
            </span>
          )}
        </Row>
        {since !== null && (
          <Row label={`${label.split(':')[0]} since`}>
            <Time instant={since} format="time-seconds" isZoneShown />
          </Row>
        )}
        {lastProblem && (
          <Row label="Last problem">
            <ProblemText problem={lastProblem} />
          </Row>
        )}
        {endpoints.map((problem) => (
          <Row key={problem.name} label={problem.endpoint}>
            {problemSentence(problem).replace(`${problem.endpoint} `, '')} <LastFailed problem={problem} />
          </Row>
        ))}
      </dl>
      {lastProblem?.diagnosis && <p className="mt-2 text-soft">{lastProblem.diagnosis}</p>}
      {may.has('connection.read') && (
        <p className="mt-2">
          <Link href={routes.connection(environment)} className={quietLink}>
            Check the connection
          </Link>
        </p>
      )}
    </Panel>
  )
}

/** When an endpoint failed first and last: it may not have been called since. */
export function LastFailed({ problem: { since, lastAt } }: { problem: EndpointProblem }) {
  return (
    <span className="text-soft">
      Since <Time instant={since} format="time-seconds" isZoneShown />, last failed <RelativeTime instant={lastAt} />.
    </span>
  )
}

/** Endpoint, status, code and request ID of a failed request. */
export function ProblemText({ problem: { endpoint, status, code, requestId } }: { problem: ServiceProblem }) {
  return (
    <>
      {[endpoint, status && `HTTP ${status}`, code].filter(Boolean).join(', ') || 'No response'}
      {requestId && <IdText id={requestId} label="request ID" className="ml-1" />}
    </>
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

/** The later of two things known of a service's health; the first where they are of one moment. */
export function newerHealth(one: ServiceHealth, other: ServiceHealth): ServiceHealth {
  return newestMs(other) > newestMs(one) ? other : one
}

function newestMs(health: ServiceHealth): number {
  if (!health.connected) return 0
  return Math.max(...[health.lastResponseAt, health.unreachableSince].map((at) => (at === null ? 0 : Date.parse(at))))
}
