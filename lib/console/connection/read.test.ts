import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { contractProfile } from '#lib/client/service-profile.ts'
import { database } from '#lib/db/connection.ts'
import { deviationsWritten, noteDeviation } from '#lib/environments/deviations.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { isAppError } from '#lib/shared/app-error.ts'
import { connectionChecks } from '#lib/tables/connection.ts'
import { deliver, makeEvent, signingKey } from '../testing/deliveries.ts'
import { shareConsole } from '../testing/open-console.ts'
import { listDeviations, readConnection, runConnectionCheck } from './read.ts'

const desk = shareConsole({ seeded: 3 })

test('shows the service, the webhook inbox and the last check with who ran it', async () => {
  const admin = await desk.signIn('admin')
  const { sandbox } = consoleSettings().services
  expect(await readConnection('sandbox')).toMatchObject({
    baseUrl: sandbox?.baseUrl,
    accessKey: sandbox?.accessKey,
    signingKey: { bits: 2048, advice: expect.stringContaining('Create one of 3072 bits') },
    isBuiltIn: false,
    hasOwnNames: false,
    health: { connected: true },
    webhooks: {
      key: 'missing',
      keySetting: 'SERVICE_SANDBOX_WEBHOOK_PUBLIC_KEY',
      inboxUrl: 'http://127.0.0.1:3000/api/webhooks/inbox/sandbox',
      lastDelivery: null,
    },
    check: null,
  })
  await deliver(await signingKey(), makeEvent('ping'))
  const checked = await runConnectionCheck({ environment: 'sandbox' })
  if (checked.kind !== 'checked') throw new Error('the check ran')
  const { webhooks, check } = await readConnection('sandbox')
  expect(webhooks).toMatchObject({ key: 'set', lastDelivery: { event: 'ping', receivedAt: expect.any(String) } })
  expect(check).toEqual({ report: checked.report, by: admin?.name })
  expect(JSON.stringify(checked)).not.toContain('PRIVATE KEY')
})

test('the newest client identity event shows a release as responses do; a stored report without one is checked again', async () => {
  await desk.signIn('admin')
  await deliver(await signingKey(), makeEvent('cardaccount.client-identity.approved', { cardAccountId: randomUUID() }))
  const lacking = await runConnectionCheck({ environment: 'sandbox' })
  expect(lacking).toMatchObject({ report: { release: { title: '1.4.7 or later, before 1.4.8' } } })
  await deliver(await signingKey(), makeEvent('cardaccount.client-identity.rejected', { xid: null }))
  const newest = await runConnectionCheck({ environment: 'sandbox' })
  expect(newest).toMatchObject({ report: { release: { title: '1.4.8, the newest', notes: [] } } })
  await database()
    .update(connectionChecks)
    .set({ report: sql`${connectionChecks.report} - 'release'` })
  expect((await readConnection('sandbox')).check).toBeNull()
})

test('two who check at the same time share one check', async () => {
  await desk.signIn('operations')
  const [one, other] = await Promise.all([
    runConnectionCheck({ environment: 'sandbox' }),
    runConnectionCheck({ environment: 'sandbox' }),
  ])
  expect(one).toEqual(other)
  expect(desk.requests.get('/ping')).toBe(1)
})

test('says when the names file changes names, and refuses an environment that is not connected', async () => {
  await desk.signIn('admin')
  const { sandbox } = consoleSettings().services
  onTestFinished(() => void delete sandbox?.profile)
  if (sandbox) sandbox.profile = structuredClone(contractProfile)
  expect(await readConnection('sandbox')).toMatchObject({ hasOwnNames: false })
  if (sandbox) sandbox.profile = { ...contractProfile, amounts: 'text' }
  expect(await readConnection('sandbox')).toMatchObject({ hasOwnNames: true })
  await expect(readConnection('production')).rejects.toSatisfy(
    (error) => isAppError(error) && error.code === 'NOT_CONNECTED',
  )
  expect(await runConnectionCheck({ environment: 'production' })).toMatchObject({
    kind: 'refused',
    outcome: { code: 'NOT_CONNECTED' },
  })
})

test('deviations are listed by environment, filtered by endpoint and kind', async () => {
  await desk.signIn('admin')
  const difference = { path: 'fees[*].amount', expected: 'a number', found: 'text' }
  noteDeviation('sandbox', {
    name: 'listFees',
    requestId: 'r1',
    differences: [difference],
    unknownFields: ['fees[*].x'],
  })
  noteDeviation('sandbox', { name: 'listCards', requestId: null, differences: [], unknownFields: ['cards[*].x'] })
  noteDeviation('production', { name: 'ping', requestId: null, differences: [], unknownFields: ['y'] })
  await deviationsWritten()
  const all = await listDeviations('sandbox', {})
  expect(all).toMatchObject({
    total: 3,
    endpoints: [
      { name: 'listCards', endpoint: 'GET /cards' },
      { name: 'listFees', endpoint: 'GET /fees' },
    ],
  })
  const { deviations, total } = await listDeviations('sandbox', { endpoint: 'listFees', kind: 'difference' })
  expect(total).toBe(1)
  expect(deviations).toMatchObject([{ ...difference, endpoint: 'GET /fees', count: 1, lastRequestId: 'r1' }])
  await expect(listDeviations('sandbox', { kind: 'colour' as never })).rejects.toSatisfy(isAppError)
})
