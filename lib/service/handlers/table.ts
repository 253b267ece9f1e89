import type { EndpointName, ParsedRequest } from '#lib/contract/endpoints.ts'
import type { Handlers, Rule } from '../handler.ts'
import { pageTokenIssues } from '../lists.ts'
import { executionRule, quoteRule, validationRule } from '../payouts/payout-rules.ts'
import { cardAccountHandlers } from './card-accounts.ts'
import { cardHandlers, productRule } from './cards.ts'
import { clientIdentityHandlers } from './client-identity.ts'
import { feeHandlers } from './fees.ts'
import { accountHandlers, bankHandlers, payoutHandlers } from './payouts.ts'
import { rateHandlers, rateRule } from './rates.ts'
import { simulatorHandlers, transactionHandlers } from './transactions.ts'
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

type ListName = {
  [Name in EndpointName]: ParsedRequest<Name>['query'] extends { pageToken?: string | undefined } ? Name : never
}[EndpointName]

/** Reports a bad page token together with other issues; alone, the list handler reports it. With an invalid filter only its form is checked. */
function pageTokenRule(list: string): Rule<ListName> {
  return ({ query, wrong }, { pageTokenKey }) => {
    if (wrong.size === 0) return []
    const isFilterRight = [...wrong].every((path) => path === 'pageSize')
    return pageTokenIssues(pageTokenKey, list, query, isFilterRight)
  }
}

/** Every endpoint's rule beyond its row; an endpoint without an entry has none. */
export const rules: { readonly [Name in EndpointName]?: Rule<Name> } = {
  validatePayout: validationRule,
  quotePayout: quoteRule,
  executePayout: executionRule,
  createWebhook: webhookRule,
  issueCard: productRule,
  getRates: rateRule,
  listCardAccounts: pageTokenRule('cardaccounts'),
  listCardAccountTransactions: pageTokenRule('cardaccounts/transactions'),
  listCards: pageTokenRule('cards'),
  listFees: pageTokenRule('fees'),
  listAccountTransactions: pageTokenRule('accounts/transactions'),
  listPayouts: pageTokenRule('payouts'),
}
