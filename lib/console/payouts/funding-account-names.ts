import 'server-only'
import { setTimeout as delay } from 'node:timers/promises'
import { processWide } from '#lib/shared/process-wide.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { minuteMs, secondMs } from '#lib/shared/time.ts'
import { callService } from '../desk/connections/environments.ts'
import { healthOf } from '../desk/connections/health-record.ts'
import { once } from '../desk/mirror/freshness.ts'

type Names = ReadonlyMap<string, string>
type Stored = Map<Environment, { names: Names; readAt: number }>
const stored = processWide<Stored>('carddeskFundingNames', () => new Map())

/** A name is worth this much waiting: without it an account is called by its id. */
const timeoutMs = secondMs

/** The names of funding accounts by id in lower case, a minute old at most; accounts without a name are missing. */
export async function fundingAccountNames(environment: Environment): Promise<Names> {
  const known = stored().get(environment)
  if (known && Date.now() - known.readAt < minuteMs) return known.names
  const health = await healthOf(environment)
  if (health.connected && health.unreachableSince === null) {
    const work = once(`names of funding accounts ${environment}`, () => readNames(environment))
    await Promise.race([work, delay(timeoutMs, undefined, { ref: false })])
  }
  return stored().get(environment)?.names ?? new Map()
}

async function readNames(environment: Environment): Promise<void> {
  const { response } = await callService(environment, 'listAccounts', {})
  const names = new Map(response.accounts.flatMap(({ id, name }) => (name === null ? [] : [[id.toLowerCase(), name]])))
  stored().set(environment, { names, readAt: Date.now() })
}
