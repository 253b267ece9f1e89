import 'server-only'
import { processWide } from '#lib/shared/process-wide.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { minuteMs, secondMs } from '#lib/shared/time.ts'
import { isAppError } from '../desk/app-error.ts'
import { inBackground } from '../desk/background.ts'
import { logFailure } from '../desk/log.ts'
import { findBases } from './bases.ts'
import { storePastRates } from './past.ts'
import { sampleRates } from './sample.ts'

/** A little less than a minute: rounds are a few seconds apart. */
const sampleEveryMs = minuteMs - 3 * secondMs

const filled = processWide<Set<string>>('carddeskPastRates', () => new Set())

/** Once for each base in the life of a process; the history is an extra that nothing waits for. */
async function fillPast(environment: Environment, base: string): Promise<void> {
  const name = `${environment} ${base}`
  if (filled().has(name)) return
  filled().add(name)
  await storePastRates(environment, base).catch((error: unknown) => logFailure(error, { while: 'reading past rates' }))
}

/** One round in the background: samples each base that matters, once a minute among all processes. */
export async function watchRates(environment: Environment): Promise<void> {
  for (const base of await findBases(environment)) {
    await fillPast(environment, base)
    await inBackground(() => sampleRates(environment, base, sampleEveryMs)).catch((error: unknown) => {
      // The service does not respond, or has no such rates: its health or the page reports it.
      if (!isAppError(error)) throw error
    })
  }
}
