import 'server-only'
import { builtInControl, callControlPlane } from '#lib/environments/control-plane.ts'
import { callService } from '#lib/environments/environments.ts'
import { readHealth } from '#lib/environments/health.ts'
import { ownHealth } from '#lib/environments/process-health.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { asFields } from '#lib/shared/json.ts'
import { outsideRequestContext } from '#lib/shared/request-context.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { secondMs } from '#lib/shared/time.ts'

/** While views are open, the service is asked this often whether it responds, by each process of the console. */
const everyMs = 2 * secondMs

type Pulse = { at: number; contentsId: string; asking: Promise<void> | null }
const pulses = globalSingleton<Map<Environment, Pulse>>('carddeskEmbedPulses', () => new Map())

/**
 * State that no change announces, as text: whether the service responds (`up` or `down`), and which contents a sandbox has, since a reset replaces
 * all of them. A view with another pulse than now is out of date. Asks the service in the background.
 */
export async function readPulse(environment: Environment, now = Date.now()): Promise<string> {
  const pulse = pulses().get(environment) ?? { at: 0, contentsId: '', asking: null }
  pulses().set(environment, pulse)
  if (pulse.asking === null && now - pulse.at >= everyMs) {
    pulse.at = now
    // A request that ends must not end this.
    pulse.asking = outsideRequestContext(() => ask(environment, pulse)).finally(() => {
      pulse.asking = null
    })
  }
  const health = await readHealth(environment)
  const isUp = health.connected && health.state !== 'unreachable'
  return `${isUp ? 'up' : 'down'}-${pulse.contentsId}`
}

/** Never rejects: a failure is in the health of the service. */
async function ask(environment: Environment, pulse: Pulse): Promise<void> {
  const control = builtInControl(environment)
  if (control) {
    const state = await callControlPlane(control, { path: '/state' }).catch(() => null)
    const { contentsId } = asFields(state)
    if (typeof contentsId === 'string' && /^\w{1,40}$/.test(contentsId)) pulse.contentsId = contentsId
  }
  if (Date.now() - ownHealth(environment).respondedAt < everyMs) return
  await callService(environment, 'ping', {}).catch(() => undefined)
}
