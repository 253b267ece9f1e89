import 'server-only'
import type { Environment } from '#lib/shared/routes.ts'
import { minuteMs, secondMs } from '#lib/shared/time.ts'
import { isAppError } from '../desk/app-error.ts'
import { inBackground } from '../desk/background.ts'
import { findBases } from './bases.ts'
import { sampleRates } from './sample.ts'

/** A little less than a minute: rounds are a few seconds apart. */
const sampleEveryMs = minuteMs - 3 * secondMs

/** One round in the background: samples each base that matters, once a minute among all processes. */
export async function watchRates(environment: Environment): Promise<void> {
  for (const base of await findBases(environment)) {
    await inBackground(() => sampleRates(environment, base, sampleEveryMs)).catch((error: unknown) => {
      // The service does not respond, or has no rates of it: the health of the service, or its page, says so.
      if (!isAppError(error)) throw error
    })
  }
}
