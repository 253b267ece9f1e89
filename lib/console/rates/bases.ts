import 'server-only'
import { callService } from '#lib/environments/environments.ts'
import { nullOn } from '#lib/shared/app-error.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { minuteMs } from '#lib/shared/time.ts'

/** Always sampled, even without a funding account in it: most pairs are quoted through it. */
const always = 'USD'
const retryAfterMs = 10 * minuteMs
const retryAfterFailureMs = minuteMs

type CachedBases = { bases: readonly string[]; nextMs: number }
const cache = globalSingleton<Map<Environment, CachedBases>>('carddeskRateBases', () => new Map())

/** The bases that are sampled in the background, as far as this process knows. */
export function sampledBases(environment: Environment): readonly string[] {
  return cache().get(environment)?.bases ?? [always]
}

/** The currencies of the funding accounts and the dollar. While the service does not respond, the ones that were cached. */
export async function findBases(environment: Environment): Promise<readonly string[]> {
  const now = Date.now()
  const before = cache().get(environment)
  if (before && now < before.nextMs) return before.bases
  const bases = await fetchBases(environment)
  const nextMs = now + (bases ? retryAfterMs : retryAfterFailureMs)
  cache().set(environment, { bases: bases ?? sampledBases(environment), nextMs })
  return sampledBases(environment)
}

async function fetchBases(environment: Environment): Promise<readonly string[] | null> {
  const received = await nullOn(callService(environment, 'listAccounts', {}))
  const currencies = received?.response.accounts.flatMap(({ currency }) =>
    currency !== null && /^[A-Z]{3}$/.test(currency) ? [currency] : [],
  )
  return currencies ? [...new Set([always, ...currencies])].sort() : null
}
