import type { EndpointName } from '#lib/contract/endpoints.ts'
import type { Handlers, Rule } from '../handler.ts'
import { executionRule, quoteRule, validationRule } from '../payouts/payout-rules.ts'
import { cardAccountHandlers, cardAccountList } from './card-accounts.ts'
import { cardHandlers, cardList, productRule } from './cards.ts'
import { clientIdentityHandlers } from './client-identity.ts'
import { feeHandlers, feeList } from './fees.ts'
import { accountHandlers, accountTransactionList, bankHandlers, payoutHandlers, payoutList } from './payouts.ts'
import { rateHandlers, rateRule } from './rates.ts'
import { cardAccountTransactionList, simulatorHandlers, transactionHandlers } from './transactions.ts'
import { webhookHandlers, webhookRule } from './webhooks.ts'
import { xmetadataHandlers } from './xmetadata.ts'

/** Every endpoint's handler: a row of the contract without one does not compile. */
export const handlers = {
  ping: async () => ({ message: 'pong' }),
  ...cardAccountHandlers,
  ...transactionHandlers,
  ...cardHandlers,
  ...payoutHandlers,
  ...bankHandlers,
  ...rateHandlers,
  ...accountHandlers,
  ...xmetadataHandlers,
  ...webhookHandlers,
  ...clientIdentityHandlers,
  ...feeHandlers,
  ...simulatorHandlers,
} satisfies Handlers

/** Every endpoint's rule beyond its row; an endpoint without an entry has none. */
export const rules: { readonly [Name in EndpointName]?: Rule<Name> } = {
  validatePayout: validationRule,
  quotePayout: quoteRule,
  executePayout: executionRule,
  createWebhook: webhookRule,
  issueCard: productRule,
  getRates: rateRule,
  listCardAccounts: cardAccountList.tokenRule,
  listCardAccountTransactions: cardAccountTransactionList.tokenRule,
  listCards: cardList.tokenRule,
  listFees: feeList.tokenRule,
  listAccountTransactions: accountTransactionList.tokenRule,
  listPayouts: payoutList.tokenRule,
}
