import { allowedRequests } from '#lib/api/help-desk-requests.ts'
import { ruleText } from '#lib/operations/approvals/policy-rules.ts'
import type { PolicyTerms } from '#lib/operations/approvals/types.ts'

/** What a policy changes about the one in force, a row a change; empty where it changes nothing. */
export function policyChanges(from: PolicyTerms, to: PolicyTerms): { label: string; value: string }[] {
  const [before, after] = [from.rules.map(ruleText), to.rules.map(ruleText)]
  const rows = [
    ...after.filter((rule) => !before.includes(rule)).map((value) => ({ label: 'New rule', value })),
    ...before.filter((rule) => !after.includes(rule)).map((value) => ({ label: 'No longer', value })),
  ]
  const [factsBefore, factsAfter] = [policyFacts(from), policyFacts(to)]
  const changed = factsAfter.filter(({ value }, index) => value !== factsBefore[index]?.value)
  return [
    ...rows,
    ...changed.map(({ label, value }) => {
      const old = factsBefore.find((fact) => fact.label === label)?.value
      return { label, value: `${value}. Now: ${old}.` }
    }),
  ]
}

/** The terms of a policy besides its rules. */
export function policyFacts({ helpDesk, expiryHours, tolerancePercent }: PolicyTerms) {
  return [
    { label: 'Help desks can request', value: allowedRequests(helpDesk).join(', ') || 'Nothing' },
    { label: 'A request expires after', value: `${expiryHours} h` },
    { label: 'An expired quote may cost more by', value: `${tolerancePercent} %` },
  ]
}
