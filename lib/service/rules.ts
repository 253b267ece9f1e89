import type { EndpointName, ParsedRequest } from '#lib/contract/endpoints.ts'
import { productRule } from './handlers/issue-card.ts'
import { rateRule } from './handlers/rates.ts'
import { addressRule } from './handlers/webhooks.ts'
import { pageTokenIssues } from './pages.ts'
import { executionRule, quoteRule, validationRule } from './payouts/payout-rules.ts'
import type { Rule } from './rule.ts'

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
  createWebhook: addressRule,
  issueCard: productRule,
  getRates: rateRule,
  listCardAccounts: pageTokenRule('cardaccounts'),
  listCardAccountTransactions: pageTokenRule('cardaccounts/transactions'),
  listCards: pageTokenRule('cards'),
  listFees: pageTokenRule('fees'),
  listAccountTransactions: pageTokenRule('accounts/transactions'),
  listPayouts: pageTokenRule('payouts'),
}
