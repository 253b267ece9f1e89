import type { EndpointName } from '#lib/contract/endpoints.ts'
import type { Handlers } from '../handler.ts'
import { accountHandlers } from './accounts.ts'
import { bankHandlers } from './banks.ts'
import { cardAccountOpeningHandlers } from './card-account-opening.ts'
import { cardAccountHandlers } from './card-accounts.ts'
import { cardHandlers } from './cards.ts'
import { clientIdentityHandlers } from './client-identity.ts'
import { feeHandlers } from './fees.ts'
import { fixedLimitHandlers } from './fixed-limits.ts'
import { issueCardHandlers } from './issue-card.ts'
import { payoutHandlers } from './payouts.ts'
import { pingHandlers } from './ping.ts'
import { rateHandlers } from './rates.ts'
import { sensitiveInfoHandlers } from './sensitive-info.ts'
import { simulatorHandlers } from './simulators.ts'
import { transactionHandlers } from './transactions.ts'
import { webhookHandlers } from './webhooks.ts'
import { xmetadataHandlers } from './xmetadata.ts'

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
