import { eq } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from '#lib/db/connection.ts'
import { openCardNumber } from './card-number.ts'
import { resealStored } from './reseal.ts'
import { securityCodeKey } from './secure-content.ts'
import { sealServiceKeys } from './service-keys.ts'
import { restoreSnapshot, takeSnapshot } from './snapshots.ts'
import { cards } from './tables/cards.ts'
import { serviceKeys } from './tables/runtime.ts'
import { openTestService, testCardNumberKey as oldKey } from './testing.ts'
import { readWebhookPublicKeyPem } from './webhooks/signer.ts'

const newKey = Buffer.alloc(32, 9)

async function openedService() {
  const { service, databaseUrl, close } = await openTestService({ seeded: 3 })
  onTestFinished(close)
  /** The store of a process that is started with other keys: its connections, its memory. */
  const startedWith = async (cardNumberKey: Buffer, previousCardNumberKey: Buffer | null) => {
    const db = connect(databaseUrl, { max: 3, name: 'carddesk test' })
    onTestFinished(() => db.$client.end())
    const store = { db, settings: { cardNumberKey, previousCardNumberKey } }
    await sealServiceKeys(store)
    const rows = await db.select().from(cards).orderBy(cards.id)
    const numbers = rows.map((card) => openCardNumber(card.sealedNumber, card.id, cardNumberKey, previousCardNumberKey))
    return { store, numbers, codes: await securityCodeKey(store), pem: await readWebhookPublicKeyPem(store) }
  }
  return { db: service.db, startedWith }
}

test('while the key is replaced either opens; afterwards the new one alone, in snapshots too, and nothing else changes', async () => {
  const { db, startedWith } = await openedService()
  const before = await startedWith(oldKey, null)
  const snapshot = await takeSnapshot(db, 'before the new key')
  // The first step: processes with the old key that would open the new one.
  const first = await startedWith(oldKey, newKey)
  expect(await resealStored(first.store)).toBe(0)

  const second = await startedWith(newKey, oldKey)
  expect(second).toMatchObject({ numbers: before.numbers, codes: before.codes, pem: before.pem })
  expect((await startedWith(oldKey, newKey)).numbers).toEqual(before.numbers)
  // Cards and two keys, twice.
  expect(await resealStored(second.store)).toBe(2 * (before.numbers.length + 2))
  expect(await resealStored(second.store)).toBe(0)

  for (const restore of [false, true]) {
    if (restore) await restoreSnapshot(db, snapshot.id)
    const third = await startedWith(newKey, null)
    expect(third).toMatchObject({ numbers: before.numbers, codes: before.codes, pem: before.pem })
    await expect(startedWith(oldKey, null)).rejects.toThrow('CARD_NUMBER_KEY is not the key')
  }
})

test('what neither key opens stays as it is, and the rest is resealed', async () => {
  const { db, startedWith } = await openedService()
  await startedWith(oldKey, null)
  const [lost, other] = await db.select().from(cards).orderBy(cards.id)
  if (!lost || !other) throw new Error('the seed has cards')
  await db
    .update(cards)
    .set({ sealedNumber: Buffer.alloc(60) })
    .where(eq(cards.id, lost.id))
  const settings = { cardNumberKey: newKey, previousCardNumberKey: oldKey }
  const count = await db.$count(cards)
  expect(await resealStored({ db, settings })).toBe(count - 1 + (await db.$count(serviceKeys)))
  const [stored] = await db.select().from(cards).where(eq(cards.id, lost.id))
  expect(stored?.sealedNumber).toEqual(Buffer.alloc(60))
  const [again] = await db.select().from(cards).where(eq(cards.id, other.id))
  expect(openCardNumber(again?.sealedNumber ?? Buffer.alloc(0), other.id, newKey)).toMatch(/^9999/)
})
