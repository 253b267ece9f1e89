import { randomUUID } from 'node:crypto'
import { actionIds, responseOf } from './server-actions.ts'
import { cookieOf } from './sign-in-by-cookie.ts'

const viewerId = '5d1c7a52-0000-4000-8000-000000000001'

/** In the demo one person is an admin: the viewer becomes the second one for the confirmation. */
export async function asSecondAdmin(baseURL: string, work: (cookie: string) => Promise<unknown>): Promise<void> {
  const admin = await cookieOf(baseURL, 'admin')
  const change = actionIds().changeStaffAccess ?? ''
  const setRole = (role: string) =>
    responseOf(baseURL, admin, change, { act: 'staff.set-role', staffId: viewerId, role })
  await setRole('admin')
  try {
    await work(await cookieOf(baseURL, 'viewer'))
  } finally {
    await setRole('viewer')
  }
}

/** Puts these rules in force in the sandbox, proposed by one admin and confirmed by another; none: nothing needs an approval. */
export async function setPolicy(baseURL: string, rules: object[]): Promise<void> {
  const ids = actionIds()
  const admin = await cookieOf(baseURL, 'admin')
  const activeId = async () => {
    const response = await fetch(`${baseURL}/api/sandbox/policy`, { headers: { cookie: admin } })
    return ((await response.json()) as { active: { id: string } | null }).active?.id ?? null
  }
  const policyId = randomUUID()
  const policy = { environment: 'sandbox', policyId, rules, expiryHours: 24, tolerancePercent: '1' }
  const proposal = { ...policy, replaces: await activeId(), comment: 'Browser test' }
  const proposed = await responseOf(baseURL, admin, ids.proposePolicy ?? '', proposal)
  await asSecondAdmin(baseURL, (cookie) =>
    responseOf(baseURL, cookie, ids.decidePolicy ?? '', { environment: 'sandbox', policyId, decision: 'confirm' }),
  )
  if ((await activeId()) !== policyId) throw new Error(`the policy is not in force: ${proposed.slice(0, 300)}`)
}
