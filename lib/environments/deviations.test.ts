import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Deviation } from '#lib/client/client-options.ts'
import { shareConsole } from '#lib/console/testing/open-console.ts'
import { deviations } from '#lib/tables/connection.ts'
import { deviationsWritten, maximumDeviations, noteDeviation } from './deviations.ts'
import { callService } from './environments.ts'

const desk = shareConsole({ seeded: 2 })

const rowsOf = (endpoint: Deviation['name']) =>
  desk.db
    .select()
    .from(deviations)
    .then((rows) => rows.filter((row) => row.endpoint === endpoint))

test('a response that differs from the contract is recorded once, with its count and the last request id', async () => {
  desk.intercept.before = (_request, response) => {
    response.setHeader('x-request-id', `request-${desk.requests.get('/accounts')}`)
    response.end(
      JSON.stringify({ accounts: [{ id: 'acc', name: 'Secret name', currency: 'HKD', balance: '5', extra: 1 }] }),
    )
    return true
  }
  await callService('sandbox', 'listAccounts', {})
  await callService('sandbox', 'listAccounts', {})
  await deviationsWritten()
  const first = await rowsOf('listAccounts')
  await callService('sandbox', 'listAccounts', {})
  await deviationsWritten()
  const rows = await rowsOf('listAccounts')
  expect(rows.find(({ path }) => path === 'accounts[*].balance')).toMatchObject({
    environment: 'sandbox',
    kind: 'difference',
    expected: 'a number',
    found: 'text',
    count: 3,
    lastRequestId: 'request-3',
    firstAt: first.find(({ path }) => path === 'accounts[*].balance')?.firstAt,
  })
  expect(rows.find(({ kind }) => kind === 'unknown-field')).toMatchObject({ path: 'accounts[*].extra', count: 3 })
  expect(JSON.stringify(rows)).not.toMatch(/Secret name|"acc"/)
})

test('keys that may be personal data, and long numbers, are not stored', async () => {
  noteDeviation('sandbox', {
    name: 'getRates',
    requestId: null,
    differences: [{ path: 'owners.85291234567.name', expected: 'text', found: 'an object with "4111111111111111"' }],
    unknownFields: ['8b9f9a5e-5a0e-4a39-9c1e-2d1f7a0c1111.phone'],
  })
  await deviationsWritten()
  const rows = await rowsOf('getRates')
  expect(rows.map(({ path, found }) => `${path}: ${found}`).toSorted()).toEqual([
    '*.phone: a field',
    'owners.*.name: an object with "…"',
  ])
})

test('an environment has a bounded number of rows: the ones found longest ago are deleted', async () => {
  const differences = Array.from({ length: maximumDeviations }, (_, number) => ({
    path: `field${number}`,
    expected: 'text',
    found: 'nothing',
  }))
  noteDeviation('sandbox', { name: 'listFees', requestId: null, differences, unknownFields: [] })
  await deviationsWritten()
  await new Promise((resolve) => setTimeout(resolve, 5))
  noteDeviation('sandbox', { name: 'ping', requestId: null, differences: [], unknownFields: ['newest'] })
  await deviationsWritten()
  expect(await desk.db.select().from(deviations)).toHaveLength(maximumDeviations)
  expect(await rowsOf('ping')).toMatchObject([{ path: 'newest' }])
})

test('a database that fails neither slows nor fails a request', async () => {
  await desk.db.execute(sql`alter table console.deviations rename to deviations_away`)
  noteDeviation('sandbox', { name: 'listCards', requestId: null, differences: [], unknownFields: ['a'] })
  try {
    await deviationsWritten()
  } finally {
    await desk.db.execute(sql`alter table console.deviations_away rename to deviations`)
  }
  noteDeviation('sandbox', { name: 'listCards', requestId: null, differences: [], unknownFields: ['b'] })
  await deviationsWritten()
  expect((await rowsOf('listCards')).map(({ path }) => path)).toEqual(['b'])
})
