import 'server-only'
import { setTimeout as delay } from 'node:timers/promises'
import type { Account } from '#lib/contract/records.ts'
import { callService } from '#lib/environments/environments.ts'
import { readFreshness, readHealth } from '#lib/environments/health.ts'
import type { Freshness } from '#lib/environments/types.ts'
import { singleFlight } from '#lib/index/single-flight.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { minuteMs, secondMs } from '#lib/shared/time.ts'

/** `excluded` counts records that came without an id. */
type FundingAccounts = { accounts: Account[]; excluded: number; freshness: Freshness }

/** The accounts that fund payouts, straight from the service. */
export async function listFundingAccounts(environment: Environment): Promise<FundingAccounts> {
  const { response, excluded, fetchedAt } = await callService(environment, 'listAccounts', {})
  return { accounts: response.accounts, excluded, freshness: await readFreshness(environment, fetchedAt) }
}

type Names = ReadonlyMap<string, string>
type Stored = Map<Environment, { names: Names; readAt: number }>
const stored = globalSingleton<Stored>('carddeskFundingNames', () => new Map())

/** A name is worth this much waiting: without it an account is called by its id. */
const timeoutMs = secondMs

/** The name of a funding account by its id; null where the account or its name is not known. */
type NameOf = (id: string | null) => string | null

/** The names of funding accounts, a minute old at most. */
export async function readFundingAccountNames(environment: Environment): Promise<NameOf> {
  const names = await readFreshNames(environment)
  return (id) => names.get(id?.toLowerCase() ?? '') ?? null
}

async function readFreshNames(environment: Environment): Promise<Names> {
  const cached = stored().get(environment)
  if (cached && Date.now() - cached.readAt < minuteMs) return cached.names
  const health = await readHealth(environment)
  if (health.connected && health.unreachableSince === null) {
    const work = singleFlight(`names of funding accounts ${environment}`, () => readNames(environment))
    await Promise.race([work, delay(timeoutMs, undefined, { ref: false })])
  }
  return stored().get(environment)?.names ?? new Map()
}

async function readNames(environment: Environment): Promise<void> {
  const { response } = await callService(environment, 'listAccounts', {})
  const names = new Map(response.accounts.flatMap(({ id, name }) => (name ? [[id.toLowerCase(), name]] : [])))
  stored().set(environment, { names, readAt: Date.now() })
}
