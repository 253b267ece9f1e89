import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import { readOverview } from '#lib/console/overview.ts'
import { setPolicy } from '#lib/console/testing/approvals.ts'
import { cardIn } from '#lib/console/testing/cards.ts'
import { openConsole } from '#lib/console/testing/open-console.ts'
import { approvals } from '#lib/tables/approvals.ts'
import { sendApprovalNotices } from './notices.ts'

test('a request that waits is sent to NOTIFY_URL once, again after a failure, and is on the overview', async () => {
  const received: string[] = []
  let status = 500
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push((JSON.parse(Buffer.concat(chunks).toString()) as { text: string }).text)
      response.writeHead(status).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  vi.stubEnv('NOTIFY_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  onTestFinished(() => void vi.unstubAllEnvs())
  const desk = await openConsole()
  await setPolicy(desk, [{ topic: 'cancellations', when: 'always' }])
  await desk.signIn('operations')
  const { target, last4 } = await cardIn(desk, 'active')
  const operationId = randomUUID()
  await runAction('card.cancel', { ...target, operationId, confirmLast4: last4 ?? '', reason: 'lost-or-stolen' })
  await sendApprovalNotices()
  await sendApprovalNotices()
  expect(received).toHaveLength(1)
  status = 200
  await desk.db.update(approvals).set({ noticeDueAt: new Date(0) })
  await sendApprovalNotices()
  await desk.db.update(approvals).set({ createdAt: new Date(0) })
  await sendApprovalNotices()
  expect(received).toHaveLength(2)
  expect(received[1]).toMatch(
    new RegExp(`^\\[sandbox\\] Card cancellation by Olivia Poon waits .* http\\S+/sandbox/approvals/${operationId}$`),
  )
  const { attention } = await readOverview('sandbox')
  expect(attention[0]).toMatchObject({ id: 'approval-waiting', count: 1, examples: [{ id: operationId }] })
})
