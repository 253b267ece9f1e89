import { randomUUID } from 'node:crypto'
import type { HelpDeskPolicy } from '#lib/api/help-desk-requests.ts'
import { sendAction } from './server-actions.ts'
import { signInCookie } from './sign-in-by-cookie.ts'

/**
 * Puts these rules in force in the sandbox, proposed by one admin and confirmed by another; none: nothing needs an approval. What a
 * test that was cut short has proposed is rejected. `helpDesk` is what help desks can request.
 */
export async function setPolicy(baseURL: string, rules: object[], helpDesk: HelpDeskPolicy = {}): Promise<void> {
  const [admin, second] = [await signInCookie(baseURL, 'admin'), await signInCookie(baseURL, 'second admin')]
  const read = async () => {
    const response = await fetch(`${baseURL}/api/sandbox/policy`, { headers: { cookie: admin } })
    return (await response.json()) as { active: { id: string } | null; proposed: { id: string } | null }
  }
  const decide = (policyId: string, decision: 'confirm' | 'reject') =>
    sendAction(baseURL, second, 'decidePolicy', { environment: 'sandbox', policyId, decision })
  const { active, proposed } = await read()
  if (proposed) await decide(proposed.id, 'reject')
  const policyId = randomUUID()
  const policy = { environment: 'sandbox', policyId, rules, helpDesk, expiryHours: 24, tolerancePercent: '1' }
  const proposal = { ...policy, replaces: active?.id ?? null, comment: 'Browser test' }
  const response = await sendAction(baseURL, admin, 'proposePolicy', proposal)
  await decide(policyId, 'confirm')
  if ((await read()).active?.id !== policyId) throw new Error(`the policy is not in force: ${response.slice(0, 300)}`)
}
