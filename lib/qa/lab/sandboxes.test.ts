import { randomUUID } from 'node:crypto'
import { desc } from 'drizzle-orm'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { LabActionName } from '#lib/api/lab.ts'
import { inputFor } from '#lib/client/prepare.ts'
import { reads } from '#lib/console/reads.ts'
import { shareConsole } from '#lib/console/testing/open-console.ts'
import { plainExamples } from '#lib/contract/test-values.ts'
import { notificationsWritten } from '#lib/live/publish.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { changes } from '#lib/tables/changes.ts'
import { performLabAction } from './actions.ts'
import type { LabSearch } from './control.ts'
import { clientIn } from './sandboxes.ts'
import { startScenarios, stopScenarioRuns } from './scenario-runs.ts'
import { sendExplorerRequest } from './send-explorer-request.ts'

const {
  listSandboxes,
  listSandboxWebhooks,
  listScenarios,
  listServiceRequests,
  readExample,
  readExplorer,
  readLabDetails,
  readLabState,
  readSandboxRecords,
  readScenarioRun,
} = reads

const desk = shareConsole({ seeded: 4 })
const environment = 'sandbox' as const

beforeEach(async () => {
  process.env.BUILT_IN_SERVICE = 'on'
  onTestFinished(() => void delete process.env.BUILT_IN_SERVICE)
  await desk.signIn('qa')
})

async function perform(action: LabActionName, given: Record<string, unknown> = {}, sandbox?: string) {
  const result = await performLabAction({ environment, action, given: given as never, ...(sandbox ? { sandbox } : {}) })
  if (result.kind === 'done') return result.result
  throw new Error(JSON.stringify(result))
}

async function made(given: Record<string, unknown> = { from: 'seed', ttl: 'PT1H' }): Promise<string> {
  const { sandboxId } = await perform('make-sandbox', given)
  onTestFinished(async () => {
    await performLabAction({ environment, action: 'delete-sandbox', given: { id: sandboxId } })
  })
  return sandboxId ?? ''
}

async function lastAudit() {
  const [entry] = await desk.db.select().from(auditEntries).orderBy(desc(auditEntries.number)).limit(1)
  return entry
}

test('a sandbox is made, listed with its address, its key and its end, and deleted', async () => {
  const id = await made()
  const { sandboxes } = await listSandboxes(environment)
  expect(sandboxes).toMatchObject([
    { id, from: 'seed', baseUrl: expect.stringContaining(`/sandboxes/${id}/v1`), accessKey: expect.any(String) },
  ])
  expect(await lastAudit()).toMatchObject({ act: 'lab.make-sandbox', outcome: 'done', comment: 'seed' })
  await perform('delete-sandbox', { id })
  expect((await listSandboxes(environment)).sandboxes).toEqual([])
  await expect(readLabState(environment, { sandbox: id })).rejects.toMatchObject({ code: 'SANDBOX_NOT_FOUND' })
  const late = await performLabAction({ environment, sandbox: id, action: 'reset', given: {} })
  expect(late).toMatchObject({
    outcome: { code: 'SANDBOX_NOT_FOUND', happened: expect.stringContaining('has expired') },
  })
})

test('clock, faults and snapshots are those of the sandbox that is named, and the audit log names it', async () => {
  const sandbox = await made()
  const search = { sandbox }
  await perform('advance', { advance: 'P3D' }, sandbox)
  expect((await lastAudit())?.comment).toBe(`sandbox ${sandbox}: P3D`)
  await perform('arm-fault', { path: '/fees', status: 503, times: 'always' }, sandbox)
  await perform('take-snapshot', { name: 'mine' }, sandbox)
  const [own, shared] = [await readLabState(environment, search), await readLabState(environment)]
  expect(own).toMatchObject({ faults: [{ path: '/fees' }] })
  expect(Math.round(own.aheadMs / 86_400_000)).toBe(3)
  expect(shared).toMatchObject({ faults: [] })
  expect(Math.abs(shared.aheadMs)).toBeLessThan(60_000)
  expect((await readLabDetails(environment, search)).snapshots).toMatchObject([{ name: 'mine' }])
  expect((await readLabDetails(environment)).snapshots).toEqual([])
  await notificationsWritten()
  const [published] = await desk.db.select().from(changes).orderBy(desc(changes.id)).limit(1)
  expect(published?.about).toEqual([{ type: 'lab' }])
})

test('accounts are found by name among hundreds, payouts by their beneficiary', async () => {
  const sandbox = await made()
  const find = async (kind: string, q: string) => readSandboxRecords(environment, { sandbox, kind, q })
  const [oldest] = (await find('card-accounts', '')).cardAccounts.slice(-1)
  const client = clientIn({ environment, sandbox })
  const account = inputFor('createCardAccount', plainExamples.createCardAccount())
  for (let created = 0; created < 100; created += 1) await client.call('createCardAccount', account)
  const found = (await find('card-accounts', oldest?.name?.toUpperCase() ?? '')).cardAccounts
  expect(found.map(({ id }) => id)).toContain(oldest?.id)
  const [payout] = (await find('payouts', '')).payouts
  const beneficiary = payout?.destination?.accountHolderName ?? ''
  expect((await find('payouts', beneficiary.toUpperCase())).payouts).toContainEqual(payout)
  expect((await find('payouts', 'nobody')).payouts).toEqual([])
})

test('simulators, their choices and the explorer act on the sandbox that is named, and its log shows it', async () => {
  const sandbox = await made()
  const search = { sandbox }
  const { cardAccounts } = await readSandboxRecords(environment, { ...search, kind: 'card-accounts' })
  const cardAccountId = cardAccounts[0]?.id ?? ''
  expect(
    (await readSandboxRecords(environment, { ...search, kind: 'card-accounts', q: cardAccountId })).cardAccounts,
  ).toHaveLength(1)
  const { cards } = await readSandboxRecords(environment, { ...search, kind: 'cards', cardAccountId })
  const cardId = cards.find(({ status }) => status === 'active')?.id
  const { transaction } = await perform('charge', { cardAccountId, cardId, amount: 3, currency: 'HKD' }, sandbox)
  const { transactions } = await readSandboxRecords(environment, { ...search, kind: 'transactions', cardAccountId })
  expect(transactions.map(({ id }) => id)).toContain(transaction?.id)
  await perform('fee', { cardAccountId, intent: 'x', amount: 5 }, sandbox)
  const { accounts } = await perform('repay', { cardAccountIds: [cardAccountId] }, sandbox)
  expect(accounts[0]?.amount).toBeGreaterThanOrEqual(5)

  expect((await readExplorer(environment, search)).baseUrl).toContain(sandbox)
  const { body } = await readExample(environment, 'lockCard', search)
  const sent = await sendExplorerRequest({
    environment,
    sandbox,
    endpoint: 'lockCard',
    params: {},
    query: {},
    body: JSON.stringify(body),
    idempotencyKey: '',
    signing: 'valid',
    isUnchecked: false,
  })
  expect(sent).toMatchObject({ kind: 'sent', exchange: { status: 200, url: expect.stringContaining(sandbox) } })
  expect(await lastAudit()).toMatchObject({ act: 'explorer.send', comment: `sandbox ${sandbox}, HTTP 200` })
  const { requests } = await listServiceRequests(environment, { ...search, method: 'POST' })
  expect(requests[0]?.path).toBe('/cards/lock')
  const shared = await listServiceRequests(environment, { method: 'POST' })
  expect(shared.requests.map(({ path }) => path)).not.toContain('/cards/lock')
})

test('webhooks of its own', async () => {
  const sandbox = await made()
  await perform('add-webhook', { url: 'http://127.0.0.1:9/hooks', name: 'lab', events: ['*'] }, sandbox)
  const { webhooks } = await listSandboxWebhooks(environment, { sandbox })
  expect(webhooks).toMatchObject([{ url: 'http://127.0.0.1:9/hooks', queuedMessages: expect.any(Number) }])
  await perform('remove-webhook', { webhookId: webhooks[0]?.id }, sandbox)
  expect((await listSandboxWebhooks(environment, { sandbox })).webhooks).toEqual([])
})

test('a run of scenarios happens in it, beside one in the shared sandbox', async () => {
  const sandbox = await made()
  onTestFinished(() => stopScenarioRuns())
  const text = 'scenario: Look at the clock\nsteps:\n  - control: GET /clock\n'
  const [own, shared] = [randomUUID(), randomUUID()]
  const moving = `${text}  - control: POST /clock\n    body: { advance: PT1M }\n`
  expect(await startScenarios({ environment, sandbox, runId: own, text: moving })).toMatchObject({ kind: 'started' })
  expect(await startScenarios({ environment, runId: shared, text })).toMatchObject({ kind: 'started' })
  await vi.waitFor(async () => expect((await readScenarioRun(environment, own)).state).toBe('passed'), 15_000)
  const runsIn = async (search?: LabSearch) =>
    (await listScenarios(environment, search)).runs.map((run) => [run.id, run.sandbox])
  expect(await runsIn({ sandbox })).toEqual([[own, sandbox]])
  const inShared = await runsIn()
  expect(inShared).toContainEqual([shared, null])
  expect(inShared.every(([, of]) => of === null)).toBe(true)
})

test('an id of another form names no sandbox', async () => {
  await expect(readLabState(environment, { sandbox: '../control' })).rejects.toMatchObject({
    code: 'INVALID_PARAMETERS',
  })
  const refused = await performLabAction({ environment, sandbox: '../../v1', action: 'reset', given: {} })
  expect(refused).toMatchObject({ kind: 'invalid', fields: { sandbox: 'must be the id of a sandbox' } })
})
