import { sandboxNow } from '../clock.ts'
import { controlRoute } from './control-route.ts'
import { armedFaults } from './faults.ts'
import { currentModes } from './modes.ts'

export const stateRoutes = [
  controlRoute({
    method: 'GET',
    path: '/state',
    response: async ({ db }) => {
      const [now, faults, modes] = await Promise.all([sandboxNow(db), armedFaults(db), currentModes(db)])
      return { now: now.toISOString(), ...faults, modes }
    },
  }),
]
