import type { IncomingMessage } from 'node:http'
import type { RequestKind } from '#lib/environments/metrics.ts'
import { isOfService } from './http-limits.ts'

/** Prefix of the request target → kind; the first match counts. */
const requestKinds: readonly (readonly [RegExp, RequestKind])[] = [
  [/^\/api\/health\b/, 'health'],
  [/^\/api\/webhooks\//, 'webhook'],
  [/^\/api\/auth\b|^\/sign-(?:in|out)\b/, 'sign-in'],
  [/^\/(?:api\/)?embed(?:[/?]|$)/, 'embed'],
  [/^\/api\/[^/?]+\/live\b/, 'live'],
  [/^\/api\//, 'api'],
  [/^\/_next\/|^\/[\w.-]+\.\w+(?:\?|$)/, 'asset'],
]

/** What a request is for, as the metrics count it. */
export function requestKind({ url = '', headers }: IncomingMessage): RequestKind {
  const kind = requestKinds.find(([pattern]) => pattern.test(url))?.[1]
  return kind ?? (isOfService(url) ? 'service' : 'next-action' in headers ? 'action' : 'page')
}
