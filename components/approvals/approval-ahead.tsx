import { useQuery } from '@tanstack/react-query'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { Callout } from '#components/ui/callout.tsx'
import { formatCount } from '#components/ui/count.ts'
import { compareAmounts } from '#lib/contract/exact-sum.ts'
import type { PolicyRule, PolicyTopic } from '#lib/operations/approvals/policy-rules.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { withCapital } from '#lib/shared/texts.ts'
import { whoDecides } from './approval-labels.ts'

/** Known facts of a request before it is sent. `amount` is decimal text; null where the request has none. */
export type RequestAhead = { topic: PolicyTopic; amount?: string | null; currency?: string | null; rows?: number }

/**
 * Whether rules hold back what is one request under several topics, as a bulk job and its rows are. `maybe`: only the server knows, as
 * with the number of a person's requests, or an amount in another currency.
 */
export function approvalNeeded(rules: readonly PolicyRule[], ...requests: RequestAhead[]): 'yes' | 'maybe' | 'no' {
  const verdicts = requests.flatMap((request) =>
    rules.filter(({ topic }) => topic === request.topic).map((rule) => decideRule(rule, request)),
  )
  return verdicts.includes('yes') ? 'yes' : verdicts.includes('maybe') ? 'maybe' : 'no'
}

function decideRule(rule: PolicyRule, { amount, currency, rows }: RequestAhead): 'yes' | 'maybe' | 'no' {
  if (rule.when === 'always') return 'yes'
  if (rule.when === 'count') return rows === undefined ? 'maybe' : rows >= rule.count ? 'yes' : 'no'
  if (amount === null) return 'no'
  if (amount === undefined || rule.currency !== currency) return 'maybe'
  return compareAmounts(amount, rule.amount) >= 0 ? 'yes' : 'no'
}

/** `isCertain`: the policy holds the request back; otherwise it may. */
export type Ahead = { isCertain: boolean; sentence: string }

/** The approval that a request leads to, as a sentence that names who gives it; null where it leads to none. */
export function useApprovalAhead(...requests: (RequestAhead | null)[]): Ahead | null {
  const environment = useEnvironment()
  const { may } = usePermissions()
  const given = requests.filter((request) => request !== null)
  const { data } = useQuery({
    ...readQuery('readPolicy', environment),
    enabled: given.length > 0 && may.has('policy.read'),
  })
  if (!data?.active) return null
  const needed = approvalNeeded(data.active.rules, ...given)
  if (needed === 'no') return null
  const isCertain = needed === 'yes'
  const who = data.approvers.count === 0 ? 'another person' : whoDecides(data.approvers)
  const sentence = isCertain
    ? `${withCapital(who)} must approve it within ${formatCount(data.active.expiryHours, 'hour')}.`
    : `The policy may ask ${who} to approve it first.`
  const nobody = data.approvers.count === 0 ? ' Nobody can now: ask an administrator.' : ''
  return { isCertain, sentence: sentence + nobody }
}

/** In a dialog: names the approval that the request leads to. */
export function ApprovalAhead({ ahead }: { ahead: Ahead | null }) {
  return ahead && <Callout title="Needs an approval.">{ahead.sentence}</Callout>
}

/** The name of the button that confirms: what it does is to ask, where somebody else decides. */
export function confirmLabelAhead(ahead: Ahead | null, label: string): string {
  return ahead?.isCertain ? 'Ask for approval' : label
}
