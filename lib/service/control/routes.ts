import { clockRoutes } from './clock.ts'
import type { ControlRoute } from './control-route.ts'
import { disputeRoutes } from './disputes.ts'
import { faultRoutes } from './faults.ts'
import { feeRoutes } from './fees.ts'
import { modeRoutes } from './modes.ts'
import { pingRoutes } from './pings.ts'
import { resetRoutes } from './reset.ts'
import { webhookKeyRoutes } from './webhook-key.ts'

/** Everything that the control plane can do. */
export const controlRoutes: readonly ControlRoute[] = [
  ...clockRoutes,
  ...faultRoutes,
  ...modeRoutes,
  ...disputeRoutes,
  ...feeRoutes,
  ...pingRoutes,
  ...resetRoutes,
  ...webhookKeyRoutes,
]
