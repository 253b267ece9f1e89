import { processWide } from '#lib/shared/process-wide.ts'
import type { Environment } from '#lib/shared/routes.ts'

const restsUntil = processWide<Map<Environment, number>>('carddeskServiceRest', () => new Map())

/** The service's `Retry-After` to this process. */
export function noteRest(environment: Environment, retryAfterMs: number | null): void {
  if (retryAfterMs !== null) restsUntil().set(environment, Date.now() + retryAfterMs)
}

/** Milliseconds until the service accepts requests again. */
export function restMsOf(environment: Environment): number {
  return Math.max(0, (restsUntil().get(environment) ?? 0) - Date.now())
}
