'use client'

import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useEnvironment } from '#components/environment/use-environment.ts'
import type { WebhookHealth } from '#lib/console/webhooks/types.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { sameUrl } from '#lib/shared/texts.ts'
import { secondMs } from '#lib/shared/time.ts'

/** An endpoint has 15 seconds to respond, and the console polls every few. */
const timeoutMs = 20 * secondMs
const readEveryMs = 2 * secondMs

/**
 * The result of the first ping of a webhook that was just added; `before` are the ids of the webhooks that existed
 * before it.
 */
export function FirstPing({ url, before }: { url: string | null; before: readonly string[] }) {
  const environment = useEnvironment()
  const { data } = useQuery({ ...readQuery('readWebhooks', environment), refetchInterval: readEveryMs })
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), timeoutMs)
    return () => clearTimeout(timer)
  }, [])
  const added = data?.webhooks.findLast((webhook) => sameUrl(webhook.url, url) && !before.includes(webhook.id))
  return <p className="mt-1 font-medium">{firstPingLabels(added ?? null, isLate)}</p>
}

/** The states that an unanswered ping leads to; one that the console does not know says nothing of pings. */
const failing: ReadonlySet<string> = new Set(['unhealthy', 'suspended', 'deleted'])

export function firstPingLabels(
  added: Pick<WebhookHealth, 'state' | 'status' | 'lastSuccessAtMs'> | null,
  isLate: boolean,
): string {
  if (added && failing.has(added.state)) {
    return 'The endpoint didn’t return 200 for the first ping. Nothing is delivered until it does; pings are retried automatically.'
  }
  const hasResponded =
    added && (added.lastSuccessAtMs !== null || (added.status !== null && added.status !== 'created'))
  if (hasResponded) return 'The endpoint returned 200 for the first ping. Events are delivered from now on.'
  return isLate ? 'The first ping is on its way; its result shows on the panel.' : 'Waiting for the first ping…'
}

type Pinged = Pick<WebhookHealth, 'isNew' | 'state' | 'lastSuccessAtMs' | 'transitions'>

const wasUnwell = ({ transitions }: Pinged) => transitions.some(({ statusAfter }) => failing.has(statusAfter))

/** Whether a webhook that was added in the last day has had no success yet: its first ping is in its queue. */
export function hasFirstPingFailed(webhook: Pinged): boolean {
  const { isNew, state, lastSuccessAtMs } = webhook
  return isNew && state !== 'deleted' && lastSuccessAtMs === null && wasUnwell(webhook)
}

/**
 * The result of the first ping of a webhook that was added in the last day, for its panel; null where it is unknown.
 */
export function firstPingFigure(webhook: Pinged): { value: string; note: string } | null {
  if (hasFirstPingFailed(webhook)) return { value: 'Failed', note: 'not 200; retried automatically' }
  if (!webhook.isNew || webhook.state !== 'healthy' || wasUnwell(webhook)) return null
  return webhook.lastSuccessAtMs === null
    ? { value: 'Waiting', note: 'nothing is delivered before it' }
    : { value: 'Returned 200', note: 'events are delivered' }
}
