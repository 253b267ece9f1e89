import type { EndpointName } from '#lib/contract/endpoints.ts'
import type { Handlers } from './handler.ts'
import { accountHandlers } from './handlers/accounts.ts'
import { bankHandlers } from './handlers/banks.ts'
import { cardAccountOpeningHandlers } from './handlers/card-account-opening.ts'
import { cardAccountHandlers } from './handlers/card-accounts.ts'
import { cardHandlers } from './handlers/cards.ts'
import { clientIdentityHandlers } from './handlers/client-identity.ts'
import { feeHandlers } from './handlers/fees.ts'
import { fixedLimitHandlers } from './handlers/fixed-limits.ts'
import { issueCardHandlers } from './handlers/issue-card.ts'
import { payoutHandlers } from './handlers/payouts.ts'
import { pingHandlers } from './handlers/ping.ts'
import { rateHandlers } from './handlers/rates.ts'
import { sensitiveInfoHandlers } from './handlers/sensitive-info.ts'
import { simulatorHandlers } from './handlers/simulators.ts'
import { transactionHandlers } from './handlers/transactions.ts'
import { webhookHandlers } from './handlers/webhooks.ts'
import { xmetadataHandlers } from './handlers/xmetadata.ts'

/** Every endpoint's handler: a row of the contract without one does not compile. */
export const handlers = {
  ...pingHandlers,
  ...cardAccountHandlers,
  ...transactionHandlers,
  ...cardHandlers,
  ...issueCardHandlers,
  ...payoutHandlers,
  ...bankHandlers,
  ...rateHandlers,
  ...accountHandlers,
  ...xmetadataHandlers,
  ...webhookHandlers,
  ...cardAccountOpeningHandlers,
  ...clientIdentityHandlers,
  ...feeHandlers,
  ...fixedLimitHandlers,
  ...sensitiveInfoHandlers,
  ...simulatorHandlers,
} satisfies Handlers<EndpointName>
