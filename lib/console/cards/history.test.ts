import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import { maskForReader } from '#lib/auth/masked-reads.ts'
import { readCards } from '#lib/index/cards-sync.ts'
import { readingsDone } from '#lib/index/single-flight.ts'
import { cards as serviceCards } from '#lib/service/tables/cards.ts'
import { listCardAccounts } from '../card-accounts/list.ts'
import { readOverview } from '../overview.ts'
import { readReference } from '../references/detail.ts'
import { cardIn } from '../testing/cards.ts'
import { openConsole, shareConsole } from '../testing/open-console.ts'
import { readCard } from './detail.ts'

const desk = shareConsole()

test('a lock by staff is in the history with who, when and why, and explains the present status', async () => {
  const staff = await desk.signIn('support')
  const { target } = await cardIn(desk, 'active')
  await runAction('card.lock', {
    ...target,
    operationId: randomUUID(),
    reason: 'lost-or-stolen',
    comment: 'called at nine',
  })
  await runAction('card.unlock', { ...target, operationId: randomUUID(), reason: 'card-found' })
  await runAction('card.unlock', { ...target, operationId: randomUUID() })
  await runAction('card.lock', { ...target, operationId: randomUUID(), reason: 'suspected-fraud' })
  const { history, card, freshness } = await readCard('sandbox', target.cardAccountId, target.cardId)
  expect(freshness.source).toBe('service')
  expect(card.status).toBe('locked')
  expect(history.entries).toMatchObject([
    { kind: 'operation', act: 'card.lock', outcome: { state: 'done' }, to: 'locked', by: { id: staff?.id } },
    { kind: 'operation', act: 'card.unlock', outcome: { code: 'ERROR_UNLOCK_CARD_STATUS_INVALID' }, to: null },
    { kind: 'operation', act: 'card.unlock', outcome: { state: 'done' }, from: 'locked', to: 'active' },
    { kind: 'operation', act: 'card.lock', outcome: { state: 'done' }, comment: 'called at nine' },
  ])
  expect(history.current).toMatchObject({ status: 'locked', by: { name: staff?.name }, reason: 'suspected-fraud' })
  expect(history.rail.find(({ isNow }) => isNow)).toMatchObject({ status: 'locked' })
})

test('a staff change that another sync read first is attributed to them; a similar change by others is not', async () => {
  const staff = await desk.signIn('support')
  const { target } = await cardIn(desk, 'active')
  const { cardAccountId, cardId } = target
  await readCard('sandbox', cardAccountId, cardId)
  desk.intercept.before = async ({ url }) => {
    if (!url?.includes(`cardId=${cardId}`)) return false
    // What the event asks for comes before the operation's own reading.
    delete desk.intercept.before
    await readCards('sandbox', cardAccountId)
    return false
  }
  await runAction('card.lock', { ...target, operationId: randomUUID() })
  const afterLock = (await readCard('sandbox', cardAccountId, cardId)).history
  expect(afterLock.entries).toMatchObject([{ kind: 'operation', act: 'card.lock', from: 'active', to: 'locked' }])
  expect(afterLock.current).toMatchObject({ status: 'locked', by: { name: staff?.name } })

  for (const name of ['unlockCard', 'lockCard'] as const) {
    await desk.service.call(name, { body: { cardAccountId, cardId } })
    await readCards('sandbox', cardAccountId)
  }
  const { entries, current } = (await readCard('sandbox', cardAccountId, cardId)).history
  expect(entries.map(({ kind, to }) => [kind, to])).toEqual([
    ['observed', 'locked'],
    ['observed', 'active'],
    ['operation', 'locked'],
  ])
  expect(current).toMatchObject({ status: 'locked', by: null })
})

test('a status that changed outside the console is shown between two reads, without an actor', async () => {
  await desk.signIn('viewer')
  const { target } = await cardIn(desk, 'active')
  const first = await readCard('sandbox', target.cardAccountId, target.cardId)
  expect(first.history).toMatchObject({ entries: [], current: { since: null, by: null } })
  await desk.service.call('lockCard', { body: { cardAccountId: target.cardAccountId, cardId: target.cardId } })
  const { history } = await readCard('sandbox', target.cardAccountId, target.cardId)
  expect(history.entries).toMatchObject([{ kind: 'observed', from: 'active', to: 'locked' }])
  const [entry] = history.entries
  expect(entry?.kind === 'observed' && entry.notBefore < entry.at).toBe(true)
  expect(history.current).toMatchObject({ status: 'locked', by: null })
})

test('a change of the card’s references is in the history and explains no status', async () => {
  const staff = await desk.signIn('operations')
  const { target } = await cardIn(desk, 'active')
  await readCard('sandbox', target.cardAccountId, target.cardId)
  const { revision } = await readReference('sandbox', 'card', target.cardId)
  await runAction('reference.set', {
    environment: 'sandbox',
    operationId: randomUUID(),
    targetType: 'card',
    targetId: target.cardId,
    xid: { mode: 'replace', text: 'CARD-HISTORY' },
    xmetadata: { mode: 'keep' },
    revision,
  })
  const { history, card } = await readCard('sandbox', target.cardAccountId, target.cardId)
  expect(card.xid).toBe('CARD-HISTORY')
  expect(history.entries).toMatchObject([{ act: 'reference.set', by: { id: staff?.id }, from: null, to: null }])
  expect(history.current).toMatchObject({ status: 'active', since: null, by: null })
})

test('a lock that somebody else undid and did again is not claimed for staff', async () => {
  await desk.signIn('support')
  const { target } = await cardIn(desk, 'active')
  await runAction('card.lock', { ...target, operationId: randomUUID() })
  const body = { cardAccountId: target.cardAccountId, cardId: target.cardId }
  await desk.service.call('unlockCard', { body })
  await readCard('sandbox', target.cardAccountId, target.cardId)
  await desk.service.call('suspendCard', { body })
  const { history } = await readCard('sandbox', target.cardAccountId, target.cardId)
  expect(history.current).toMatchObject({ status: 'suspended', by: null })
  expect(history.entries.map(({ kind, to }) => [kind, to])).toEqual([
    ['observed', 'suspended'],
    ['observed', 'active'],
    ['operation', 'locked'],
  ])
})

test('a suspension covers a lock: its end leaves the lock to the person who locked the card', async () => {
  const support = await desk.signIn('support')
  const { target } = await cardIn(desk, 'active')
  const read = async () => (await readCard('sandbox', target.cardAccountId, target.cardId)).history
  await runAction('card.lock', { ...target, operationId: randomUUID(), reason: 'lost-or-stolen' })
  const locked = (await read()).current
  const operations = await desk.signIn('operations')
  await runAction('card.suspend', { ...target, operationId: randomUUID(), reason: 'suspected-fraud' })
  const suspended = await read()
  expect(suspended.current).toMatchObject({
    status: 'suspended',
    by: { id: operations?.id },
    reason: 'suspected-fraud',
  })
  expect(suspended.underlyingStatus).toEqual(locked)
  expect(suspended.rail.filter(({ reached }) => reached).slice(-2)).toMatchObject([
    { status: 'locked', isNow: false },
    { status: 'suspended', isNow: true },
  ])
  await runAction('card.unsuspend', { ...target, operationId: randomUUID(), reason: 'resolved' })
  const after = await read()
  expect(after.current).toEqual({ ...locked, by: expect.objectContaining({ id: support?.id }) as object })
  expect(after.underlyingStatus).toBeNull()
  expect(after.rail.find(({ isNow }) => isNow)).toMatchObject({ status: 'locked' })
  await runAction('card.unlock', { ...target, operationId: randomUUID(), reason: 'card-found' })
  await runAction('card.suspend', { ...target, operationId: randomUUID(), reason: 'other', comment: 'again' })
  expect((await read()).underlyingStatus).toMatchObject({ status: 'active' })
})

test('a cancelled card keeps on its rail what it was before', async () => {
  await desk.signIn('operations')
  const { target, last4 } = await cardIn(desk, 'active')
  const read = async () => (await readCard('sandbox', target.cardAccountId, target.cardId)).history.rail
  await runAction('card.lock', { ...target, operationId: randomUUID(), reason: 'lost-or-stolen' })
  const cancelled = { operationId: randomUUID(), reason: 'lost-or-stolen', confirmLast4: last4 } as const
  await runAction('card.cancel', { ...target, ...cancelled })
  const rail = await read()
  expect(rail.map(({ status }) => status).slice(-3)).toEqual(['active', 'locked', 'cancelled'])
  expect(rail.every(({ reached }) => reached)).toBe(true)
  expect(rail.at(-2)).toMatchObject({ at: expect.any(String) })
  expect(rail.at(-1)).toMatchObject({ isNow: true })
})

test('a cancelled card whose past is unknown shows that it was created and cancelled, and denies nothing', async () => {
  await desk.signIn('viewer')
  const { target } = await cardIn(desk, 'cancelled')
  const { rail } = (await readCard('sandbox', target.cardAccountId, target.cardId)).history
  expect(rail).toMatchObject([
    { reached: true, at: expect.any(String) },
    { status: 'cancelled', reached: true, isNow: true },
  ])
})

test('a lock under a suspension that started elsewhere has no actor', async () => {
  await desk.signIn('operations')
  const { target } = await cardIn(desk, 'active')
  const { cardAccountId, cardId } = target
  await readCard('sandbox', cardAccountId, cardId)
  for (const name of ['lockCard', 'suspendCard'] as const) {
    await desk.service.call(name, { body: { cardAccountId, cardId } })
  }
  expect((await readCard('sandbox', cardAccountId, cardId)).history.underlyingStatus).toBeNull()
  await runAction('card.unsuspend', { ...target, operationId: randomUUID(), reason: 'resolved' })
  const { current } = (await readCard('sandbox', cardAccountId, cardId)).history
  expect(current).toEqual({ status: 'locked', since: null, by: null, reason: null, operationId: null, act: null })
})

test('a card that is not of the account, and ids that are none, are not found', async () => {
  await desk.signIn('viewer')
  const { target } = await cardIn(desk, 'active')
  const [foreign] = await desk.service.service.db
    .select()
    .from(serviceCards)
    .where(eq(serviceCards.status, 'cancelled'))
    .limit(1)
  for (const [account, card] of [
    [target.cardAccountId, foreign?.id ?? ''],
    [target.cardAccountId, randomUUID()],
    [randomUUID(), target.cardId],
    ['..', target.cardId],
    [target.cardAccountId, "1' or '1'='1"],
  ] as const) {
    await expect(readCard('sandbox', account, card)).rejects.toMatchObject({ code: 'CARD_NOT_FOUND', status: 404 })
  }
})

test('unknown statuses, types and fields are shown as sent, in list, overview, account and card; fields not to a viewer', async () => {
  const desk = await openConsole({ seeded: 2 })
  await desk.signIn('viewer')
  const strange = { status: 'frozen-by-moon', extra: { nested: ['as it came'] }, embossedName: 'NUL \0 AND \ud800' }
  desk.intercept.before = async (request, response) => {
    const path = request.url ?? ''
    const send = (body: unknown) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
      return true
    }
    const id = '22222222-2222-4222-8222-222222222222'
    const cardId = '33333333-3333-4333-8333-333333333333'
    if (path.includes('/cardaccounts?')) {
      return send({
        cardaccounts: [
          {
            id,
            name: 'Strange & <b>Bold</b>',
            accountType: 'barter',
            currency: 'XAU',
            balance: 1.5,
            clientIdentityStatus: 'in-orbit',
            createdAt: '2026-01-31T08:00:00+08:00',
            loyalty: { tier: 9 },
          },
        ],
        nextPageToken: null,
        prevPageToken: null,
      })
    }
    if (path.includes('/cards?')) {
      return send({ cards: [{ id: cardId, cardAccountId: id, last4: '0007', ...strange }], nextPageToken: null })
    }
    return false
  }
  const list = await listCardAccounts('sandbox', {})
  expect(list.rows).toHaveLength(1)
  expect(list.rows[0]?.account).toMatchObject({
    name: 'Strange & <b>Bold</b>',
    accountType: 'barter',
    clientIdentityStatus: 'in-orbit',
    createdAt: '2026-01-31T00:00:00.000Z',
    otherFields: { loyalty: { tier: 9 } },
  })
  await readingsDone()
  const overview = await readOverview('sandbox')
  expect(overview.cardsByStatus).toEqual([{ status: 'frozen-by-moon', cards: 1 }])
  expect((await listCardAccounts('sandbox', { cardStatus: 'frozen-by-moon' })).matching).toBe(1)
  const detail = await readCard(
    'sandbox',
    '22222222-2222-4222-8222-222222222222',
    '33333333-3333-4333-8333-333333333333',
  )
  expect(detail.card.otherFields).toEqual({ extra: strange.extra })
  const forViewer = await maskForReader(detail, 'sandbox')
  expect(forViewer.card.otherFields).toEqual({ extra: { nested: ['•••'] } })
  expect(forViewer.account.otherFields).toEqual({ loyalty: { tier: '•••' } })
  expect(detail.history.rail.find(({ isNow }) => isNow)).toMatchObject({
    status: 'frozen-by-moon',
    reached: true,
    at: null,
    notAfter: expect.any(String),
  })
})
