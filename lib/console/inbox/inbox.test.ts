import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { describe, expect, test, vi } from 'vitest'
import { listPermissions, roles } from '#lib/auth/permissions.ts'
import { deleteExpired } from '#lib/db/retention.ts'
import { retentionRules } from '#lib/jobs/retention.ts'
import { cards as serviceCards } from '#lib/service/tables/cards.ts'
import { indexedAccounts, indexedCards } from '#lib/tables/card-accounts.ts'
import { changes } from '#lib/tables/changes.ts'
import { inboxEvents } from '#lib/tables/inbox.ts'
import { indexedPayouts } from '#lib/tables/payouts.ts'
import { cardIn } from '../testing/cards.ts'
import { deliver, endLeases, makeEvent, readInboxEvents, signingKey } from '../testing/deliveries.ts'
import { openConsole } from '../testing/open-console.ts'
import { applyInbox, applyingDone, stopApplying } from './apply.ts'
import { listInbox, readInboxEvent } from './read.ts'

describe('an event', () => {
  test('is a hint: the index stores what the service returns, whatever the delivery holds', async () => {
    const desk = await openConsole()
    const key = await signingKey()
    const { target, card } = await cardIn(desk, 'active')
    const data = { id: card.id, cardAccountId: target.cardAccountId, status: 'cancelled' }
    await deliver(key, makeEvent('card.updated', data))
    await applyingDone()
    const [indexed] = await desk.db.select().from(indexedCards).where(eq(indexedCards.id, card.id))
    expect(indexed?.status).toBe('active')
    const about = (await desk.db.select().from(changes)).flatMap((row) => row.about)
    expect(about).toContainEqual({ type: 'card', id: card.id, cardAccountId: target.cardAccountId })
  })

  test('uses up no failure that somebody armed for a request of their own', async () => {
    const desk = await openConsole()
    const key = await signingKey()
    const { target, card } = await cardIn(desk, 'active')
    await desk.service.control('POST', '/faults', { path: '*', status: 503, times: 1 })
    await deliver(
      key,
      makeEvent('card.updated', { id: card.id, cardAccountId: target.cardAccountId, status: 'locked' }),
    )
    await applyingDone()
    expect(desk.requests.size).toBeGreaterThan(0)
    expect((await desk.service.control('GET', '/faults')).json.faults).toMatchObject([{ path: '*', times: 1 }])
  })

  test('about a card reads its account’s cards alone, and the account’s row counts them, also where the account is new', async () => {
    const desk = await openConsole()
    const key = await signingKey()
    const { target, card } = await cardIn(desk, 'active')
    const { cardAccountId } = target
    const isOfAccount = eq(serviceCards.cardAccountId, cardAccountId)
    const number = await desk.service.service.db.$count(serviceCards, isOfAccount)
    const updated = () => makeEvent('card.updated', { id: card.id, cardAccountId, status: 'locked' })
    const countOf = async () => {
      await applyingDone()
      const [row] = await desk.db.select().from(indexedAccounts).where(eq(indexedAccounts.id, cardAccountId))
      return row?.cards
    }
    desk.intercept.before = async ({ url }) => {
      if (url?.includes('/cardaccounts')) await new Promise((resolve) => setTimeout(resolve, 200))
      return false
    }
    await deliver(key, updated())
    expect(await countOf()).toBe(number)

    await desk.service.service.db.update(serviceCards).set({ status: 'locked' }).where(eq(serviceCards.id, card.id))
    await desk.db.update(indexedAccounts).set({ cards: number + 7 })
    desk.requests.clear()
    await desk.db.delete(changes)
    await deliver(key, updated())
    expect(await countOf()).toBe(number)
    expect(Object.fromEntries(desk.requests)).toEqual({ '/cards': 1 })
    const [indexed] = await desk.db.select().from(indexedCards).where(eq(indexedCards.id, card.id))
    expect(indexed?.status).toBe('locked')
    const reported = (await desk.db.select().from(changes)).flatMap(({ about }) => about)
    expect(reported.filter(({ type }) => type !== 'inbox')).toEqual([{ type: 'card', id: card.id, cardAccountId }])
    expect(reported).toContainEqual({ type: 'inbox' })
  })

  test('about a card that names no account reads the account that the index has of it', async () => {
    const desk = await openConsole()
    const key = await signingKey()
    const { target, card } = await cardIn(desk, 'active')
    await deliver(key, makeEvent('card.updated', { id: card.id, cardAccountId: target.cardAccountId }))
    await applyingDone()
    await desk.service.service.db.update(serviceCards).set({ status: 'locked' }).where(eq(serviceCards.id, card.id))
    await deliver(key, makeEvent('card.updated', { id: card.id.toUpperCase() }))
    await applyingDone()
    const [indexed] = await desk.db.select().from(indexedCards).where(eq(indexedCards.id, card.id))
    expect(indexed?.status).toBe('locked')
  })

  test('of a rejection stores the reason that the service gives, and has the open pages show it', async () => {
    const desk = await openConsole()
    const key = await signingKey()
    const { cardAccountId } = (await cardIn(desk, 'active')).target
    const rejectedReason = 'Invalid ID (expired doc)'
    const stored = async () => {
      await applyingDone()
      const [row] = await desk.db.select().from(indexedAccounts).where(eq(indexedAccounts.id, cardAccountId))
      return row?.rejectedReason
    }
    const reject = async (reason: string) => {
      await desk.service.call('simulateClientIdentityStatus', {
        body: { cardAccountId, action: 'reject', rejectedReason: reason },
      })
      const data = { cardAccountId, xid: null, rejectedReason: 'not read', rejectionAdditionalInfo: '' }
      await deliver(key, makeEvent('cardaccount.client-identity.rejected', data))
    }
    await reject(rejectedReason)
    expect(await stored()).toBe(rejectedReason)
    await reject('Invalid ID (name check hit)')
    expect(await stored()).toBe('Invalid ID (name check hit)')
    const about = (await desk.db.select().from(changes)).flatMap((row) => row.about)
    expect(about).toContainEqual({ type: 'cardaccount', id: cardAccountId })
  })

  test('of a new account makes the number of its cards known', async () => {
    const desk = await openConsole()
    const key = await signingKey()
    const { target } = await cardIn(desk, 'active')
    await deliver(key, makeEvent('cardaccount.created', { id: target.cardAccountId }))
    await applyingDone()
    const [row] = await desk.db.select().from(indexedAccounts)
    expect(row).toMatchObject({ id: target.cardAccountId, cards: expect.any(Number) })
  })

  test('that takes long to be applied is shown as waiting, and again when it is applied', async () => {
    const desk = await openConsole()
    const key = await signingKey()
    const { target } = await cardIn(desk, 'active')
    const isLetGo = Promise.withResolvers<void>()
    desk.intercept.before = async () => {
      await isLetGo.promise
      return false
    }
    await deliver(key, makeEvent('cardaccount.transaction.created', { ...target }))
    const reported = async () => (await desk.db.select().from(changes)).map(({ about }) => about)
    await vi.waitFor(async () => expect(await reported()).toEqual([[{ type: 'inbox' }]]), { timeout: 5000 })
    expect(await readInboxEvents(desk)).toMatchObject([{ appliedAt: null }])
    isLetGo.resolve()
    await applyingDone()
    expect((await reported()).at(-1)).toContainEqual({ type: 'cardaccount', id: target.cardAccountId })
  })

  test('that cannot be applied waits with the reason, and is applied once the service is back', async () => {
    const desk = await openConsole()
    const key = await signingKey()
    const { target } = await cardIn(desk, 'active')
    await desk.stopService()
    expect((await deliver(key, makeEvent('cardaccount.transaction.created', { ...target }))).status).toBe(200)
    await applyingDone()
    expect(await readInboxEvents(desk)).toMatchObject([
      { appliedAt: null, attempts: 1, problem: expect.stringMatching(/\w/) },
    ])
    await desk.startService()
    await endLeases(desk)
    await applyInbox()
    expect(await readInboxEvents(desk)).toMatchObject([{ appliedAt: expect.any(Date), problem: null }])
  })

  test('that holds a value deeper than a script can walk is applied', async () => {
    const desk = await openConsole()
    const key = await signingKey()
    const { target } = await cardIn(desk, 'active')
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const event = JSON.stringify(makeEvent('cardaccount.transaction.created', { ...target, more: 'deep' }))
    expect((await deliver(key, event.replace('"deep"', deep))).status).toBe(200)
    await applyingDone()
    expect(await readInboxEvents(desk)).toMatchObject([{ appliedAt: expect.any(Date), problem: null }])
  })

  test('is listed with the names that the index has of its card, account and payout, and without where it has none', async () => {
    const desk = await openConsole()
    await desk.signIn('viewer')
    const key = await signingKey()
    const { target, card, last4 } = await cardIn(desk, 'active')
    const { cardAccountId } = target
    await deliver(key, makeEvent('card.updated', { id: card.id, cardAccountId }, 'of a card'))
    await deliver(key, makeEvent('cardaccount.balance', { id: cardAccountId }, 'of an account'))
    await deliver(key, makeEvent('ping', {}, 'of nothing'))
    await applyingDone()
    const [account] = await desk.db.select().from(indexedAccounts).where(eq(indexedAccounts.id, cardAccountId))
    const { events, figures } = await listInbox('sandbox', {})
    expect(events.toSorted((one, other) => one.id.localeCompare(other.id))).toMatchObject([
      { id: 'of a card', cardId: card.id, cardLast4: last4, accountName: account?.name, payoutTo: null },
      { id: 'of an account', cardAccountId, cardLast4: null, accountName: account?.name, payoutTo: null },
      { id: 'of nothing', cardLast4: null, accountName: null, payoutTo: null },
    ])
    expect(account?.name).toMatch(/\w/)
    expect(figures.lagMs?.events).toBe(3)
    const payoutId = randomUUID()
    await desk.db.update(inboxEvents).set({ payoutId, cardId: null }).where(eq(inboxEvents.id, 'of a card'))
    expect(await readInboxEvent('sandbox', 'of a card')).toMatchObject({ payoutId, payoutTo: null })
    await desk.db.insert(indexedPayouts).values({
      environment: 'sandbox',
      id: payoutId,
      accountId: randomUUID(),
      method: 'BANK_TRANSFER',
      status: 'completed',
      sourceCurrency: 'HKD',
      destinationCurrency: 'HKD',
      createdAt: new Date(),
      updatedAt: new Date(),
      searchText: '',
      record: { destination: { accountHolderName: 'Chan Tai Man' } },
      readAt: new Date(),
      reading: 1,
    })
    expect(await readInboxEvent('sandbox', 'of a card')).toMatchObject({ payoutId, payoutTo: 'Chan Tai Man' })
  })

  test('that never came is not found, whatever its id holds', async () => {
    await openConsole()
    for (const id of [randomUUID(), 'a\u0000b', '\ud800', 'a'.repeat(300)]) {
      await expect(readInboxEvent('sandbox', id)).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' })
    }
  })

  test('shows names only to people who may read accounts and payouts', () => {
    for (const role of roles) {
      const held = listPermissions(role, 'sandbox')
      if (held.includes('webhooks.read'))
        expect(held).toEqual(expect.arrayContaining(['accounts.read', 'payouts.read']))
    }
  })

  test('counts as of today from where the reader’s day begins', async () => {
    const desk = await openConsole()
    await desk.signIn('viewer')
    const key = await signingKey()
    for (const id of ['yesterday', 'today']) await deliver(key, makeEvent('ping', {}, id))
    await applyingDone()
    await desk.db
      .update(inboxEvents)
      .set({ receivedAt: new Date('2026-08-01T15:59:59Z') })
      .where(eq(inboxEvents.id, 'yesterday'))
    const countFrom = async (today: string) => (await listInbox('sandbox', { today })).figures.receivedToday
    expect(await countFrom('2026-08-01T16:00:00Z')).toBe(1)
    expect(await countFrom('2026-08-01T15:00:00Z')).toBe(2)
    await expect(listInbox('sandbox', { today: 'noon' })).rejects.toMatchObject({ code: 'INVALID_PARAMETERS' })
  })

  test('is stored for 30 days, and until it is applied', async () => {
    const desk = await openConsole()
    const key = await signingKey()
    for (const id of ['old', 'waiting', 'new']) await deliver(key, makeEvent('ping', {}, id))
    await applyingDone()
    const ago = (days: number) => new Date(Date.now() - days * 86_400_000)
    await desk.db.update(inboxEvents).set({ receivedAt: ago(46) })
    await desk.db
      .update(inboxEvents)
      .set({ receivedAt: ago(29) })
      .where(eq(inboxEvents.id, 'new'))
    await desk.db.update(inboxEvents).set({ appliedAt: null }).where(eq(inboxEvents.id, 'waiting'))
    await deleteExpired(desk.db, retentionRules)
    expect((await readInboxEvents(desk)).map(({ id }) => id)).toEqual(['waiting', 'new'])
  })
})

test('a stop waits only for the batch being applied: later events are left to the next process', async () => {
  const desk = await openConsole()
  const key = await signingKey()
  const { target, card } = await cardIn(desk, 'active')
  const data = { id: card.id, cardAccountId: target.cardAccountId, status: 'locked' }
  const requested = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  desk.intercept.before = async () => {
    requested.resolve()
    await release.promise
    return false
  }
  const applied = async () => (await readInboxEvents(desk)).map(({ appliedAt }) => appliedAt !== null)
  await deliver(key, makeEvent('card.updated', data))
  await requested.promise
  const stopped = stopApplying()
  await deliver(key, makeEvent('card.updated', data))
  release.resolve()
  await stopped
  expect((await applied()).toSorted()).toEqual([false, true])
  await applyInbox()
  expect((await applied()).toSorted()).toEqual([false, true])

  delete (globalThis as { carddeskApplying?: unknown }).carddeskApplying
  await applyInbox()
  expect(await applied()).toEqual([true, true])
})
