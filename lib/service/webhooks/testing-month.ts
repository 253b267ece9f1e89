import type { Database } from '#lib/db/connection.ts'
import { hourMs } from '#lib/shared/time.ts'
import { seededRandom } from '../seed/random.ts'
import { webhooks } from '../tables/webhooks.ts'
import { readWebhookPrivateKey, createSigner } from './signer.ts'
import { attempted } from './testing-attempts.ts'
import { addWebhook, advance, recordNumbered } from './testing.ts'
import type { Transport } from './transport.ts'

type Receiver = { taken: number[]; failing: number }

/**
 * Days of sandbox time with an event an hour: of twenty webhooks, fourteen are well, three have outages, of which some
 * last until they are suspended, and three die on the second day. Every delivery is signed, none leaves the process.
 * Throws where a webhook got an event twice, out of order, or not at all.
 */
export async function liveThrough(
  db: Database,
  { days, count }: { days: number; count: number },
): Promise<{ attempts: number; removed: number }> {
  const random = seededRandom('month of webhooks')
  const sign = createSigner(() => readWebhookPrivateKey({ db, settings: { cardNumberKey: Buffer.alloc(32, 7) } }))
  const receivers = new Map<string, Receiver>()
  const hours = days * 24
  let attempts = 0
  const transport: Transport = async ({ url, body }) => {
    await sign(body)
    attempts += 1
    const receiver = receivers.get(url)
    if (!receiver) return attempted(false)
    if (receiver.failing > 0) {
      receiver.failing -= 1
      return attempted(false)
    }
    const { number } = JSON.parse(body).data
    if (number !== undefined) receiver.taken.push(number)
    return attempted(true)
  }
  const service = { db, settings: {} as never, transport }
  for (let place = 0; place < count; place += 1) {
    const url = `https://receiver.example/${place}`
    await addWebhook(db, url)
    receivers.set(url, { taken: [], failing: 0 })
  }
  for (let hour = 0; hour < hours; hour += 1) {
    for (const [place, receiver] of [...receivers.values()].entries()) {
      if (place % 20 >= 17 && hour === 24) receiver.failing = Infinity
      if (isShaky(place) && random.chance(1)) receiver.failing = random.between(1, 250)
    }
    await recordNumbered(db, [hour])
    await advance(service, hourMs)
  }
  // What is still being retried has time to end.
  for (const receiver of receivers.values()) if (receiver.failing < Infinity) receiver.failing = 0
  await advance(service, 12 * hourMs)
  check(receivers, hours)
  const removed = (await db.select().from(webhooks)).filter(({ status }) => status === 'removed').length
  return { attempts, removed }
}

function isShaky(place: number): boolean {
  return place % 20 >= 14 && place % 20 < 17
}

function check(receivers: ReadonlyMap<string, Receiver>, hours: number): void {
  for (const [url, { taken, failing }] of receivers) {
    const expected = failing === Infinity ? taken.length : hours
    const isInOrder = taken.every((number, place) => number === place)
    if (!isInOrder || taken.length !== expected) throw new Error(`${url} did not get every event once, in order`)
  }
}
