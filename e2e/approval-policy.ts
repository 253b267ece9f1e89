import { randomUUID } from 'node:crypto'
import type { HelpDeskPolicy } from '#lib/api/help-desk-requests.ts'
import { sendAction } from './server-actions.ts'
import { signInCookie } from './sign-in-by-cookie.ts'

/**
 * Puts these rules in force in the sandbox, proposed by one admin and confirmed by another; none: nothing needs an approval.
 * `helpDesk` is what help desks can request.
 */
export async function setPolicy(baseURL: string, rules: object[], helpDesk: HelpDeskPolicy = {}): Promise<void> {
  const admin = await signInCookie(baseURL, 'admin')
  const activeId = async () => {
    const response = await fetch(`${baseURL}/api/sandbox/policy`, { headers: { cookie: admin } })
    return ((await response.json()) as { active: { id: string } | null }).active?.id ?? null
  }
  const policyId = randomUUID()
  const policy = { environment: 'sandbox', policyId, rules, helpDesk, expiryHours: 24, tolerancePercent: '1' }
  const proposal = { ...policy, replaces: await activeId(), comment: 'Browser test' }
  const proposed = await sendAction(baseURL, admin, 'proposePolicy', proposal)
  const confirmation = { environment: 'sandbox', policyId, decision: 'confirm' }
  await sendAction(baseURL, await signInCookie(baseURL, 'second admin'), 'decidePolicy', confirmation)
  if ((await activeId()) !== policyId) throw new Error(`the policy is not in force: ${proposed.slice(0, 300)}`)
}
