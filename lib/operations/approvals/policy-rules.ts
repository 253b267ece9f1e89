import type { Permission } from '#lib/auth/permissions.ts'
import { formatAmount } from '#lib/shared/currency.ts'

/** The kinds of requests that a policy can require an approval for. */
export const policyTopics = {
  payouts: { label: 'Payouts', one: 'Payout', hasAmount: true, amountLabel: 'Amount from the funding account' },
  cancellations: { label: 'Card cancellations', one: 'Card cancellation', hasAmount: false, amountLabel: '' },
  'limit-raises': { label: 'Limit raises', one: 'Limit raise', hasAmount: true, amountLabel: 'New limit' },
  'bulk-jobs': { label: 'Bulk jobs', one: 'Bulk job', hasAmount: true, amountLabel: 'Total of the rows' },
} as const
export type PolicyTopic = keyof typeof policyTopics
export const policyTopicNames = Object.keys(policyTopics) as PolicyTopic[]

/** The topics of a rule. A help desk's request waits by the policy's way for its kind, not by a rule. */
export const approvalTopics = {
  ...policyTopics,
  'help-desk': { label: 'Help desk requests', one: 'Help desk request' },
}
export type ApprovalTopic = keyof typeof approvalTopics
export const approvalTopicNames = Object.keys(approvalTopics) as ApprovalTopic[]

/** The permission to decide on a request. Operations may do itself what a help desk can request, so it decides on that. */
export const decidingPermissions: Readonly<Record<ApprovalTopic, Permission>> = {
  payouts: 'approvals.decide',
  cancellations: 'approvals.decide',
  'limit-raises': 'approvals.decide',
  'bulk-jobs': 'approvals.decide',
  'help-desk': 'requests.decide',
}

/**
 * When a request needs an approval. `count` is that of one person's requests within 24 hours, this one included; for a
 * bulk job it is the number of its rows. `amount` is decimal text.
 */
export type PolicyRule =
  | { topic: PolicyTopic; when: 'always' }
  | { topic: PolicyTopic; when: 'amount'; amount: string; currency: string }
  | { topic: PolicyTopic; when: 'count'; count: number }

/**
 * The facts of a request that a policy checks. An amount without a currency, or in a currency without a rate, counts as
 * above every threshold.
 */
export type PolicyFacts = {
  topic: ApprovalTopic
  /** The effect of the request as a sentence. */
  effect: string
  /** Every amount of it, as decimal text; null where one is not known. A payout has one, a cancellation none. */
  amounts: readonly { amount: string | null; currency: string | null }[]
  /** The number of rows of a bulk job. */
  rows?: number
}

/** A rule as a sentence. */
export function ruleText(rule: PolicyRule): string {
  const { label } = policyTopics[rule.topic]
  if (rule.when === 'always') return `All ${label.toLowerCase()}.`
  if (rule.when === 'amount') {
    const measure = rule.topic === 'limit-raises' ? 'to' : 'of'
    return `${label} ${measure} ${formatAmount(rule.amount, rule.currency)} ${rule.currency} or more.`
  }
  if (rule.topic === 'bulk-jobs') return `${label} with ${rule.count} rows or more.`
  return `${label}: from a person’s ${ordinal(rule.count)} within 24 hours.`
}

function ordinal(count: number): string {
  const endings: Record<string, string> = { one: 'st', two: 'nd', few: 'rd', other: 'th' }
  return `${count}${endings[new Intl.PluralRules('en', { type: 'ordinal' }).select(count)] ?? 'th'}`
}
