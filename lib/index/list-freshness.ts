import 'server-only'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { secondMs } from '#lib/shared/time.ts'
import { isDue, isSmall, type defineIndex, type IndexState } from './define-index.ts'
import { isPaused, singleFlight } from './single-flight.ts'

/** When the newest page was last read, by list and environment: one a process, also where a bundler loads this module twice. */
const newestReadAt = globalSingleton<Map<string, number>>('carddeskNewestPages', () => new Map())
const newestAgeMs = 5 * secondMs

/**
 * When an indexed list is read again: all of it where it is small, and at most every `largeMs` where it is large. `readDue` reads what is
 * known to be missing; null where nothing is.
 */
export function listFreshness(
  title: string,
  index: Pick<ReturnType<typeof defineIndex>, 'readState' | 'readAll' | 'readNewest' | 'freshenForReader'>,
  { largeMs, readDue }: { largeMs?: number; readDue?: (environment: Environment) => Promise<unknown> } = {},
) {
  const flightName = (environment: Environment) => `${title} ${environment}`
  const readAll = (environment: Environment) => singleFlight(flightName(environment), () => index.readAll(environment))
  const readMissing = (environment: Environment) =>
    readDue ? singleFlight(`due ${flightName(environment)}`, () => readDue(environment)) : Promise.resolve()

  /** Reads the newest page of a large list again, at most every `newestAgeMs`. */
  function readNewest(environment: Environment, state: IndexState): Promise<void> {
    const name = `newest ${flightName(environment)}`
    if (isSmall(state) || Date.now() - (newestReadAt().get(name) ?? 0) <= newestAgeMs) return Promise.resolve()
    newestReadAt().set(name, Date.now())
    return singleFlight(name, () => index.readNewest(environment))
  }

  return {
    /** Called before a list responds. Never fails, never waits long. */
    forReader: (environment: Environment): Promise<void> =>
      index.freshenForReader(environment, (state) =>
        isDue(state, 'opened', largeMs) && !isPaused(flightName(environment))
          ? readAll(environment)
          : Promise.all([readNewest(environment, state), readMissing(environment)]).then(() => undefined),
      ),
    /** One round in the background. */
    async inBackground(environment: Environment): Promise<void> {
      if (isDue(await index.readState(environment), 'idle', largeMs)) await readAll(environment)
      else await readMissing(environment)
    },
  }
}
