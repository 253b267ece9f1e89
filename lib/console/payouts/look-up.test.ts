import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { operations } from '#lib/tables/operations.ts'
import type { ActionInput } from '../actions.ts'
import { readOperation } from '../operations/read.ts'
import { shareConsole } from '../testing/open-console.ts'
import { makeSubmission, payoutsMade, philippines, quoted } from '../testing/payouts.ts'
import { keepStates } from './index-payouts.ts'
import { parsePayout, parseStoredPayout, payoutAsStored } from './payout-record.ts'

const desk = shareConsole()

type Submission = ActionInput<'payout.submit'>

/** A payout of what was submitted as a service lists it that reports no quotes, made so many seconds after the request. */
function listedPayout(submission: Submission, seconds: number, changes: object = {}) {
  const { accountId, sourceCurrency, destinationCurrency, destination, method } = submission
  const created = new Date(Date.now() + seconds * 1000).toISOString()
  const amounts = {
    sourceAmount: Number(submission.sourceAmount),
    destinationAmount: Number(submission.destinationAmount),
  }
  const parties = { accountId, method, sourceCurrency, destinationCurrency, destination, ...amounts }
  return { id: randomUUID(), xid: null, created, updated: created, status: 'requested', ...parties, ...changes }
}

type Listed = ReturnType<typeof listedPayout>

function withoutZone(payout: Listed): Listed {
  return { ...payout, created: payout.created.replace('Z', ''), updated: payout.updated.replace('Z', '') }
}

/** Sends a payout to a service that does nothing, and lists others: the response is lost, or it is the given one. */
async function send(
  toListed: (submission: Submission) => Listed[],
  { xid = '', response = Response.json({}, { status: 502 }), list = {} } = {},
) {
  await desk.signIn('operations')
  const submission = makeSubmission(await quoted(philippines), philippines, { xid })
  const listed = toListed(submission)
  desk.intercept.before = async ({ method, url }, over) => {
    if (!/\/payouts(?:\?|$)/.test(url ?? '')) return false
    const payoutId = new URL(url ?? '', 'http://service').searchParams.get('payoutId')
    const payouts = listed.filter(({ id }) => payoutId === null || id === payoutId)
    const given =
      method === 'POST' ? response : Response.json({ payouts, nextPageToken: null, ...(payoutId ? {} : list) })
    over.writeHead(given.status, { 'content-type': 'application/json' }).end(await given.text())
    return true
  }
  const result = await runAction('payout.submit', submission)
  if (result.kind !== 'settled') throw new Error(`not sent: ${result.kind}`)
  const { state, finding } = result.operation.outcome
  const { id: operationId, resultId } = result.operation
  return { state, finding: finding?.text, resultId, listed, operationId }
}

const undecided = 'The list of payouts does not show whether this one was made.'
const none = 'The card service lists no such payout.'

describe('a payout whose response was lost, at a service that reports no quotes', () => {
  test.each<[string, Parameters<typeof send>[0], string]>([
    ['of the moment of the request', (sent) => [listedPayout(sent, 1)], ''],
    ['of the same external ID', (sent) => [listedPayout(sent, -60, { xid: 'pay-1' })], 'pay-1'],
    [
      'of the same external ID at any time without a zone',
      (sent) => [withoutZone(listedPayout(sent, -18_000, { xid: 'pay-5' }))],
      'pay-5',
    ],
    [
      'with currencies in lower case',
      (sent) => [listedPayout(sent, 1, { sourceCurrency: sent.sourceCurrency.toLowerCase() })],
      '',
    ],
  ])('is the one %s', async (_, toListed, xid) => {
    const { state, resultId, listed } = await send(toListed, { xid })
    expect({ state, resultId }).toEqual({ state: 'done', resultId: listed[0]?.id })
  })

  test.each<[string, Parameters<typeof send>[0], string, string]>([
    ['an identical one of a minute before', (sent) => [listedPayout(sent, -60)], '', undecided],
    ['an identical one of an hour later', (sent) => [listedPayout(sent, 3600)], '', undecided],
    [
      'two identical ones',
      (sent) => [0, 1].map((at) => listedPayout(sent, at)),
      '',
      'More than one payout may be this one.',
    ],
    ['one without the external ID that was sent', (sent) => [listedPayout(sent, 1)], 'pay-2', undecided],
    [
      'one of the external ID for other amounts',
      (sent) => [listedPayout(sent, 1, { xid: 'pay-3', sourceAmount: 7, destinationAmount: 7 })],
      'pay-3',
      undecided,
    ],
    [
      'one of the external ID in another currency',
      (sent) => [listedPayout(sent, 1, { xid: 'pay-6', destinationCurrency: 'CNY' })],
      'pay-6',
      undecided,
    ],
    ['one in another currency', (sent) => [listedPayout(sent, 1, { destinationCurrency: 'CNY' })], '', undecided],
    ['one of other amounts', (sent) => [listedPayout(sent, 1, { sourceAmount: 7, destinationAmount: 7 })], '', none],
    ['one whose amount may include a fee', (sent) => [listedPayout(sent, 1, { sourceAmount: 7 })], '', undecided],
    ['one at a time without a zone', (sent) => [withoutZone(listedPayout(sent, 1))], '', undecided],
    [
      'one at a time without a zone of a place to the west',
      (sent) => [withoutZone(listedPayout(sent, -5 * 3600))],
      '',
      undecided,
    ],
    ['one of the external ID of long ago', (sent) => [listedPayout(sent, -3600, { xid: 'pay-4' })], 'pay-4', undecided],
  ])('is not taken to be %s', async (_, toListed, xid, finding) => {
    expect(await send(toListed, { xid })).toMatchObject({ state: 'unknown', finding })
  })
})

test.each([
  ['one of the external ID, minutes after it', 'pay-8', { seconds: 180, xid: 'pay-8' }, 'done', undefined],
  ['not one of another external ID', 'pay-9', { seconds: 1, xid: 'other' }, 'unknown', none],
  ['not an identical one, whose beneficiary may be another', '', { seconds: 1, xid: null }, 'unknown', undecided],
])('once its bytes are erased, a lost payout is %s', async (_, xid, { seconds, ...changes }, state, finding) => {
  const later: Listed[] = []
  const { listed, operationId } = await send((sent) => (later.push(listedPayout(sent, seconds, changes)), []), { xid })
  listed.push(...later)
  await desk.db.update(operations).set({ sealedBody: null }).where(eq(operations.id, operationId))
  const { outcome, resultId } = await readOperation('sandbox', operationId)
  const expected = { state, finding, resultId: state === 'done' ? later[0]?.id : null }
  expect({ state: outcome.state, finding: outcome.finding?.text, resultId }).toEqual(expected)
})

test('an identical one of hours ago is another one where the console saw it before the request', async () => {
  const seen: Listed[] = []
  const { state, finding } = await send((sent) => {
    const earlier = listedPayout(sent, -3 * 3600)
    seen.push(earlier)
    return [earlier]
  })
  expect({ state, finding }).toEqual({ state: 'unknown', finding: undecided })
  await inTransaction(desk.db, (tx) =>
    keepStates(
      tx,
      'sandbox',
      seen.flatMap((one) => parsePayout(one) ?? []).map((one) => parseStoredPayout(payoutAsStored(one))),
      new Date(Date.now() - 60_000),
    ),
  )
  expect((await send(() => seen)).finding).toBe(none)
})

test.each<[string, Parameters<typeof send>[0], string]>([
  [
    'lists two that may be it',
    (sent) => [0, 1].map((at) => listedPayout(sent, at)),
    'More than one payout may be this one.',
  ],
  ['lists an identical one of a minute before', (sent) => [listedPayout(sent, -60)], undecided],
])('a payout whose response has a wrong ID is not known where the service %s', async (_, toListed, finding) => {
  const response = Response.json({ id: randomUUID(), status: 'requested' })
  const wrong = 'The card service lists no payout with the ID that it gave.'
  expect(await send(toListed, { response })).toMatchObject({ state: 'unknown', finding: `${wrong} ${finding}` })
})

describe('a payout whose only response is a refusal that its own second delivery explains', () => {
  const refusals: [number, string | undefined][] = [
    [409, undefined],
    [409, 'IDEMPOTENCY_CONFLICT'],
    [409, 'XID_ALREADY_EXISTS'],
    [400, 'QUOTE_ALREADY_USED'],
  ]

  test.each(refusals)('%d %s: is done where the service lists it', async (status, code) => {
    await desk.signIn('operations')
    const quote = await quoted(philippines)
    desk.intercept.after = ({ method, url }) =>
      method === 'POST' && url?.endsWith('/payouts') ? Response.json({ code, message: 'no' }, { status }) : null
    const result = await runAction('payout.submit', makeSubmission(quote, philippines, { xid: randomUUID() }))
    const [made] = await payoutsMade(desk, quote.id)
    expect(made).toBeDefined()
    expect(result).toMatchObject({ operation: { outcome: { state: 'done' }, resultId: made?.id } })
  })

  test.each(refusals)('%d %s: is refused where a code explains it and no list has it', async (status, code) => {
    const response = Response.json({ code, message: 'no' }, { status })
    const isExplained = code?.includes('ALREADY')
    expect((await send(() => [], { response })).state).toBe(isExplained ? 'refused' : 'unknown')
  })
})
