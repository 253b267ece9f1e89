import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { EnvironmentProvider } from '#components/environment/use-environment.ts'
import { type Role, rolePermissions } from '#lib/auth/permissions.ts'
import { currentStaffQuery } from '#lib/queries/session.ts'
import { WaitingChanges } from './waiting-changes.tsx'
import { WaitingRequest } from './waiting-request.tsx'

const approvalId = '3f2a0000-0000-4000-8000-000000000001'
const at = '2026-11-21T16:00:00Z'
const waiting = [{ approvalId, targetId: 'c', effect: '', by: 'Olivia Poon', since: at, expiresAt: at }]

function textFor(role: Role): string {
  const client = new QueryClient()
  const permissions = { sandbox: rolePermissions[role], production: rolePermissions[role] }
  client.setQueryData(currentStaffQuery().queryKey, { staff: { role }, permissions } as never)
  return renderToString(
    <QueryClientProvider client={client}>
      <EnvironmentProvider value="sandbox">
        <WaitingChanges title="Cancellation waiting." waiting={waiting} />
        <WaitingRequest approvalId={approvalId} />
      </EnvironmentProvider>
    </QueryClientProvider>,
  ).replaceAll('<!-- -->', '')
}

test('a request that waits is said to everybody, and leads only those to it who may read it', () => {
  for (const role of ['support', 'viewer'] as const) {
    expect(textFor(role)).toContain('Olivia Poon asked for it')
    expect(textFor(role)).toContain('Another person must approve it.')
    expect(textFor(role)).not.toContain('View request')
  }
  expect(textFor('operations').match(/View request/g)).toHaveLength(2)
})
