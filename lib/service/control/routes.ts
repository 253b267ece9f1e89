import { clockRoutes } from './clock.ts'
import type { ControlRoute } from './control-route.ts'
import { deliveryRoutes } from './deliveries.ts'
import { disputeRoutes } from './disputes.ts'
import { dueWorkRoutes } from './due-work.ts'
import { eventRoutes } from './events.ts'
import { faultRoutes } from './faults.ts'
import { feeRoutes } from './fees.ts'
import { fundingAccountRoutes } from './funding-accounts.ts'
import { modeRoutes } from './modes.ts'
import { pingRoutes } from './pings.ts'
import { rateRoutes } from './rates.ts'
import { requestRoutes } from './requests.ts'
import { resetRoutes } from './reset.ts'
import { snapshotRoutes } from './snapshots.ts'
import { stateRoutes } from './state.ts'
import { transactionRoutes } from './transactions.ts'
import { webhookKeyRoutes } from './webhook-key.ts'

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
