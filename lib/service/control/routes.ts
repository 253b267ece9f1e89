import type { ControlRoute } from './control-route.ts'
import { deliveryRoutes, pingRoutes, webhookKeyRoutes } from './deliveries.ts'
import { dueWorkRoutes } from './due-work.ts'
import { eventRoutes } from './events.ts'
import { faultRoutes } from './faults.ts'
import { fundingAccountRoutes } from './funding-accounts.ts'
import { modeRoutes } from './modes.ts'
import { rateRoutes } from './rates.ts'
import { requestRoutes } from './requests.ts'
import { clockRoutes, resetRoutes, stateRoutes, snapshotRoutes } from './sandbox.ts'
import { disputeRoutes, transactionRoutes, feeRoutes } from './transactions.ts'

/** Everything that the control plane can do. */
export const controlRoutes: readonly ControlRoute[] = [
  ...stateRoutes,
  ...clockRoutes,
  ...faultRoutes,
  ...modeRoutes,
  ...disputeRoutes,
  ...feeRoutes,
  ...transactionRoutes,
  ...fundingAccountRoutes,
  ...eventRoutes,
  ...dueWorkRoutes,
  ...pingRoutes,
  ...deliveryRoutes,
  ...rateRoutes,
  ...requestRoutes,
  ...resetRoutes,
  ...snapshotRoutes,
  ...webhookKeyRoutes,
]
