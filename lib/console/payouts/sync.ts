import 'server-only'
import { processWide } from '#lib/shared/process-wide.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { secondMs } from '#lib/shared/time.ts'
import { publish } from '../desk/live/publish.ts'
import { isPaused, once } from '../desk/mirror/freshness.ts'
import { isDue, isSmall, mirrorList, type MirrorState } from '../desk/mirror/mirrored-list.ts'
import { directoryPayouts, payoutReadings } from '../desk/tables/payouts.ts'
import { mirrorPayouts } from './mirror.ts'

export const payoutsMirror = mirrorList({
  endpoint: 'listPayouts',
  title: 'payouts',
  state: payoutReadings,
  table: directoryPayouts,
  async store(environment, { response, fetchedAt }, reading) {
    const { hasNewState, excluded } = await mirrorPayouts(environment, response.payouts, fetchedAt, reading)
    if (hasNewState) publish(environment, [{ type: 'payouts' }])
    return excluded
  },
})

/**
 * Called before a list responds: syncs an old mirror, all payouts where they are few, the newest page of many. Never
 * fails, never waits long.
 */
export async function freshenPayoutsForReader(environment: Environment): Promise<void> {
  await payoutsMirror.freshenForReader(environment, (state) =>
    isDue(state, 'opened') && !isPaused(nameOf(environment)) ? readAll(environment) : freshenNewest(environment, state),
  )
}

/** One round in the background. */
export async function freshenPayoutsInBackground(environment: Environment): Promise<void> {
  if (isDue(await payoutsMirror.readState(environment), 'idle')) await readAll(environment)
}

const nameOf = (environment: Environment) => `payouts ${environment}`
const readAll = (environment: Environment) => once(nameOf(environment), () => payoutsMirror.readAll(environment))

/** When the newest page was last read: one a process, also where a bundler loads this module twice. */
const newestReadAt = processWide<Map<Environment, number>>('carddeskNewestPayouts', () => new Map())
const newestAgeMs = 5 * secondMs

/** Of many payouts the newest page is read again, where that was not done just now. */
function freshenNewest(environment: Environment, state: MirrorState): Promise<void> | null {
  const age = Date.now() - (newestReadAt().get(environment) ?? 0)
  if (isSmall(state) || age <= newestAgeMs) return null
  newestReadAt().set(environment, Date.now())
  return once(`newest payouts ${environment}`, () => payoutsMirror.readNewest(environment))
}
