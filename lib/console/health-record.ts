import 'server-only'
import { eq, sql } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { secondMs } from '#lib/shared/time.ts'
import type { ServiceHealth, ServiceProblem } from './service-health.ts'
import { connectionSettings, consoleSettings } from './settings.ts'
import { serviceHealth } from './tables/directory.ts'

export async function healthOf(environment: Environment): Promise<ServiceHealth> {
  if (!consoleSettings().services[environment]) return { connected: false, missing: connectionSettings[environment] }
  const own = noted().get(environment)
  if (own && !own.isFailing && Date.now() - own.answeredAt < trustOwnMs) {
    return {
      connected: true,
      lastAnswerAt: new Date(own.answeredAt).toISOString(),
      unreachableSince: null,
      lastProblem: null,
    }
  }
  const [row] = await database().select().from(serviceHealth).where(eq(serviceHealth.environment, environment))
  return {
    connected: true,
    lastAnswerAt: row?.lastAnswerAt?.toISOString() ?? null,
    unreachableSince: row?.unreachableSince?.toISOString() ?? null,
    lastProblem: row?.lastProblem ?? null,
  }
}

/** An answer is written down at once after a failure, otherwise every few seconds at most. */
const writeEveryMs = 5 * secondMs
/** An answer that this process got just now is news enough; otherwise the row says what all processes found. */
const trustOwnMs = secondMs

type Noted = { answeredAt: number; writtenAt: number; isFailing: boolean }
const store = globalThis as typeof globalThis & { carddeskServiceHealth?: Map<Environment, Noted> }
const noted = () => (store.carddeskServiceHealth ??= new Map())

/** The service answered. A refusal is an answer too; `problem` says so where it is one that staff should know of (401). */
export async function noteAnswer(environment: Environment, problem: ServiceProblem | null = null): Promise<void> {
  const now = Date.now()
  const before = noted().get(environment)
  const isNews = !before || before.isFailing || problem !== null || now - before.writtenAt >= writeEveryMs
  const writtenAt = isNews ? now : before.writtenAt
  noted().set(environment, { answeredAt: now, writtenAt, isFailing: problem !== null })
  if (!isNews) return
  const values = { lastAnswerAt: new Date(now), unreachableSince: null, lastProblem: problem }
  await database()
    .insert(serviceHealth)
    .values({ environment, ...values })
    .onConflictDoUpdate({ target: serviceHealth.environment, set: values })
}

/** The service did not answer, or with a failure of its own. The time of the first such failure stays. */
export async function noteFailure(environment: Environment, problem: ServiceProblem): Promise<void> {
  noted().set(environment, { answeredAt: 0, writtenAt: 0, isFailing: true })
  await database()
    .insert(serviceHealth)
    .values({ environment, unreachableSince: new Date(), lastProblem: problem })
    .onConflictDoUpdate({
      target: serviceHealth.environment,
      set: {
        unreachableSince: sql`coalesce(${serviceHealth.unreachableSince}, excluded.unreachable_since)`,
        lastProblem: problem,
      },
    })
}
