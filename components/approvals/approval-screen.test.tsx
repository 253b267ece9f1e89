import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { EnvironmentProvider } from '#components/environment/use-environment.ts'
import { type Role, rolePermissions } from '#lib/auth/permissions.ts'
import type { ApprovalDetail } from '#lib/operations/approvals/types.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { currentStaffQuery } from '#lib/queries/session.ts'
import { ApprovalScreen } from './approval-screen.tsx'

const id = '3f2a0000-0000-4000-8000-000000000001'
const at = '2026-11-21T16:00:00Z'
const person = { id: 'm', name: 'Olivia Poon', role: 'operations' } as const
const target = { type: 'card', id: 'c', parentId: 'a', label: 'Card ending 0708' }
const outcome = {
  state: 'refused',
  happened: 'The card service did not respond.',
  changed: 'no',
  isSafeToRetry: true,
  needsReview: false,
  next: 'Send it again.',
  code: null,
  status: null,
  requestId: null,
  finding: null,
  retryAt: null,
} as const

function detail(isOwn: boolean): ApprovalDetail {
  return {
    approval: {
      id,
      subject: 'operation',
      kind: 'card.cancel',
      topic: 'cancellations',
      state: 'approved',
      by: person,
      ticket: null,
      target,
      reason: null,
      comment: null,
      effect: 'Cancels the card.',
      amount: null,
      currency: null,
      refunds: [],
      executed: null,
      outcome: 'refused',
      because: [],
      createdAt: at,
      expiresAt: at,
      decidedAt: at,
      decidedBy: { id: 'd', name: 'Ada Ng', role: 'approver' },
      decisionReason: null,
    },
    fingerprint: '',
    holdsSecret: false,
    request: null,
    terms: null,
    limits: [],
    payout: null,
    similar: [],
    operation: {
      id,
      environment: 'sandbox',
      kind: 'card.cancel',
      target,
      by: person,
      reason: null,
      comment: null,
      outcome,
      steps: [],
      resultId: null,
      attempts: 1,
      createdAt: at,
      settledAt: at,
    },
    obstacle: null,
    approvers: { count: 1, names: ['Ada Ng'], roles: ['Approver'], name: null },
    isOwn,
    isMaker: isOwn,
    cardholder: null,
    history: [],
  }
}

function textFor(role: Role, shown: ApprovalDetail): string {
  const client = new QueryClient()
  const permissions = { sandbox: rolePermissions[role], production: rolePermissions[role] }
  client.setQueryData(currentStaffQuery().queryKey, { staff: { role }, permissions } as never)
  client.setQueryData(readQuery('readApproval', 'sandbox', id).queryKey, shown)
  return renderToString(
    <QueryClientProvider client={client}>
      <EnvironmentProvider value="sandbox">
        <ApprovalScreen approvalId={id} />
      </EnvironmentProvider>
    </QueryClientProvider>,
  )
}

test('an approved request that was not sent is sent again by its maker or by who may decide, and by nobody else', () => {
  const denied = 'Only its maker or an approver can send it again.'
  expect(textFor('admin', detail(false))).toContain('Send again')
  expect(textFor('admin', detail(false))).toContain(denied)
  expect(textFor('operations', detail(false))).toContain(denied)
  expect(textFor('approver', detail(false))).not.toContain(denied)
  expect(textFor('operations', detail(true))).not.toContain(denied)
})

test('nobody is offered to decide on what they requested as an agent of a help desk, nor to withdraw it', () => {
  const waiting = { ...detail(false), isMaker: true, operation: null }
  const text = textFor('approver', { ...waiting, approval: { ...waiting.approval, state: 'waiting' } })
  expect(text).toContain('You can’t decide on your own request.')
  expect(text).toContain('Another person has to decide.')
  expect(text).not.toContain('You can decide.')
  expect(text).not.toContain('Withdraw')
})
