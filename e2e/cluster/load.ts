import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { sendAction } from '../server-actions.ts'
import { signInCookie } from '../sign-in-by-cookie.ts'

const writers = 8
const readers = 4

const Charge = z.object({ cardTransactionId: z.string() })
const Accounts = z.object({
  cardaccounts: z.array(z.object({ id: z.string(), available: z.number().nullable() })),
})
const Cards = z.object({ cards: z.array(z.object({ id: z.string(), status: z.string() })) })

type ActiveCard = { cardAccountId: string; cardId: string }

/** Sends signed-in reads to the console and authenticated requests to its built-in service. */
export type Caller = {
  activeCards: (most: number) => Promise<ActiveCard[]>
  /** Charges 1 HKD under a key of its own, repeated until it is acknowledged. Returns the transaction's id. */
  charge: (card: ActiveCard) => Promise<string>
  /** The status of a console page or read; 0 where no response comes. */
  visit: (target: string) => Promise<number>
  /** Whether the console reported that the action is done. */
  act: (card: ActiveCard, action: 'lock' | 'unlock') => Promise<boolean>
  /** Attempts without a success, and the slowest one in milliseconds. */
  figures: { failures: number; slowestMs: number }
}

export async function makeCaller(url: string, accessKey: string): Promise<Caller> {
  const authorization = `Basic ${Buffer.from(`${accessKey}:`).toString('base64')}`
  const cookie = await signInCookie(url, 'operations')
  const figures = { failures: 0, slowestMs: 0 }
  const send = async (target: string, init: RequestInit): Promise<{ status: number; text: string }> => {
    const began = performance.now()
    try {
      const response = await fetch(`${url}${target}`, init)
      return { status: response.status, text: await response.text() }
    } catch {
      return { status: 0, text: '' }
    } finally {
      figures.slowestMs = Math.max(figures.slowestMs, performance.now() - began)
    }
  }
  const get = async (target: string): Promise<unknown> =>
    JSON.parse((await send(`/service/v1${target}`, { headers: { authorization } })).text)
  return {
    figures,
    activeCards: async (most) => {
      const { cardaccounts } = Accounts.parse(await get('/cardaccounts?pageSize=60'))
      const cards: ActiveCard[] = []
      for (const { id, available } of cardaccounts) {
        if ((available ?? 0) < 500 || cards.length === most) continue
        const found = Cards.parse(await get(`/cards?cardAccountId=${id}`)).cards
        const active = found.find(({ status }) => status === 'active')
        if (active) cards.push({ cardAccountId: id, cardId: active.id })
      }
      return cards
    },
    charge: async (card) => {
      const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': randomUUID() }
      const body = JSON.stringify({ ...card, amount: 1, currency: 'HKD' })
      for (;;) {
        const { status, text } = await send('/service/v1/cards/simulate-authorization', {
          method: 'POST',
          headers,
          body,
        })
        if (status === 200) return Charge.parse(JSON.parse(text)).cardTransactionId
        figures.failures += 1
        await delay(100)
      }
    },
    visit: async (target) => (await send(target, { headers: { cookie }, redirect: 'manual' })).status,
    act: async (card, action) => {
      const input = { environment: 'sandbox', operationId: randomUUID(), ...card, reason: 'mistake' }
      const text = await sendAction(url, cookie, `card.${action}`, input).catch(() => '')
      return text.includes('"state":"done"')
    },
  }
}

export type Load = {
  /** The transaction of each acknowledged charge. */
  acknowledged: string[]
  /** When each success came, by `performance.now()`. */
  written: number[]
  read: number[]
  /** Locks and unlocks that the console reported as done. */
  actions: number
  /** Reads that found the session ended. */
  signedOut: number
  stop: () => Promise<void>
}

/** Charges cards, reads lists, and locks and unlocks a card as staff do, until it is stopped. */
export async function startLoad(caller: Caller): Promise<Load> {
  const [ofStaff, ...cards] = await caller.activeCards(24)
  if (!ofStaff || cards.length === 0) throw new Error('The sandbox has too few active cards.')
  const stopping = new AbortController()
  const load: Load = { acknowledged: [], written: [], read: [], actions: 0, signedOut: 0, stop: async () => undefined }
  const write = async (index: number) => {
    for (let round = 0; !stopping.signal.aborted; round += 1) {
      const card = cards[(index + round * writers) % cards.length] ?? ofStaff
      load.acknowledged.push(await caller.charge(card))
      load.written.push(performance.now())
      await delay(20)
    }
  }
  const read = async () => {
    while (!stopping.signal.aborted) {
      const status = await caller.visit('/api/sandbox/card-accounts')
      if (status === 200) load.read.push(performance.now())
      else if ([302, 307, 401].includes(status)) load.signedOut += 1
      else caller.figures.failures += 1
      await delay(50)
    }
  }
  const act = async () => {
    while (!stopping.signal.aborted) {
      for (const action of ['lock', 'unlock'] as const) if (await caller.act(ofStaff, action)) load.actions += 1
      await delay(1000)
    }
  }
  const work = [
    ...Array.from({ length: writers }, (_, index) => write(index)),
    ...Array.from({ length: readers }, read),
    act(),
  ]
  load.stop = async () => {
    stopping.abort()
    await Promise.all(work)
  }
  return load
}
