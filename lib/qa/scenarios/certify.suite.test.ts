import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readPublicKey } from '#lib/signing/keys.ts'
import { verifyWebhook } from '#lib/signing/webhook-signature.ts'
import { certify } from './certify.ts'
import { openTarget, type Target } from './target.ts'
import { projectRoot, serveBuiltInService } from './testing.ts'

let served: Awaited<ReturnType<typeof serveBuiltInService>>
let target: Target
let isSigned: (body: string | Buffer, signature: string | undefined) => boolean
beforeAll(async () => {
  served = await serveBuiltInService()
  target = openTarget(served.connection)
  const key = readPublicKey((await target.webhookKey()) ?? '')
  isSigned = (body, signature) => verifyWebhook(body, signature, key)
})
afterAll(async () => {
  await target.close()
  await served.close()
})

type Received = { id: string; event: string; time: string; data: { id?: string; status?: string } }
type Card = { status: string; time: string; applied: number }

/** The parts of a receiver; a bad one has one of them wrong. */
type Parts = {
  read: (request: IncomingMessage) => Promise<Buffer>
  verify: (body: Buffer, signature: string | undefined) => boolean
  /** The status for a delivery that is right, or null to go on. */
  refuse: (delivery: Received) => number | null
  isKnown: (seen: Set<string>, id: string) => boolean | Promise<boolean>
  remember: (seen: Set<string>, id: string) => void
  isOld: (card: Card, delivery: Received) => boolean
  status: number
  applies: boolean
  /** When it applies what it took: 0 for at once. */
  appliesAfterMs: number
}

const right: Parts = {
  read: async (request) => Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)),
  verify: (body, signature) => isSigned(body, signature),
  refuse: () => null,
  isKnown: (seen, id) => seen.has(id),
  remember: (seen, id) => seen.add(id),
  isOld: (card, { time }) => time < card.time,
  status: 200,
  applies: true,
  appliesAfterMs: 0,
}

async function receiverOf(parts: Partial<Parts> = {}) {
  const { read, verify, refuse, isKnown, remember, isOld, status, applies, appliesAfterMs } = { ...right, ...parts }
  const seen = new Set<string>()
  const cards = new Map<string, Card>()
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await read(request)
    const header = request.headers['x-access-signature']
    if (!verify(body, typeof header === 'string' ? header : undefined)) return void response.writeHead(401).end()
    const delivery = JSON.parse(body.toString()) as Received
    const refusal = refuse(delivery)
    if (refusal !== null) return void response.writeHead(refusal).end()
    const { id, event, data, time } = delivery
    if (!(await isKnown(seen, id))) {
      remember(seen, id)
      const apply = () => {
        const card = cards.get(data.id ?? '') ?? { status: 'none', time: '', applied: 0 }
        if (applies && event === 'card.updated' && data.id && data.status && !isOld(card, delivery)) {
          cards.set(data.id, { status: data.status, time, applied: card.applied + 1 })
        }
      }
      if (appliesAfterMs > 0) setTimeout(apply, appliesAfterMs)
      else apply()
    }
    response.writeHead(status).end()
  }
  const server = createServer((request, response) => {
    take(request, response).catch(() => (response.headersSent ? response.destroy() : response.writeHead(400).end()))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return { url, probe: async (cardId: string) => JSON.stringify(cards.get(cardId) ?? null) }
}

async function defectsOf(parts: Partial<Parts>, timeoutMs = 3000): Promise<(string | null)[]> {
  const reports = await certify({ target, ...(await receiverOf(parts)), timeoutMs, settleMs: 60 })
  return reports.filter(({ outcome }) => outcome === 'failed').map(({ label }) => label)
}

test('a right receiver passes every check', async () => {
  const reports = await certify({ target, ...(await receiverOf()), settleMs: 60 })
  expect(
    reports.map(({ label, outcome }) => `${label} ${outcome}`).filter((line) => !line.endsWith(' passed')),
  ).toEqual([])
  const docs = readFileSync(path.join(projectRoot, 'docs/sandbox.md'), 'utf8')
  expect(reports).toHaveLength(14)
  for (const { label } of reports) expect(docs).toContain(`| \`${label}\` `)
})

test('a right receiver that applies in the background passes every check within its time to settle', async () => {
  const reports = await certify({ target, ...(await receiverOf({ appliesAfterMs: 150 })), settleMs: 1000 })
  expect(reports.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
})

test('without a probe of its state the checks that need it are skipped', async () => {
  const { url } = await receiverOf()
  const outcomes = (await certify({ target, url, probe: null, settleMs: 60 })).map(({ outcome }) => outcome)
  expect(outcomes.filter((outcome) => outcome === 'passed')).toHaveLength(8)
  expect(outcomes.filter((outcome) => outcome === 'skipped')).toHaveLength(6)
})

/** What is found of a receiver that responds with another success to everything. */
const checksThatDeliver = [
  'ping-refused',
  'event-lost',
  'duplicate-applied',
  'race-applied-twice',
  'late-resend-applied',
  'older-overwrites-newer',
  'slow-body-refused',
  'cut-delivery-lost',
  'unknown-field-refused',
  'unknown-event-refused',
]

const firstChunk = async (request: IncomingMessage) => {
  const [chunk] = (await once(request, 'data')) as [Buffer]
  return chunk
}

describe('a bad receiver is named by its defect', () => {
  const planted: [string, Partial<Parts>, number?][] = [
    ['ping-refused', { refuse: ({ event }) => (event === 'ping' ? 404 : null) }],
    ['not-200', { status: 204 }],
    ['event-lost', { applies: false }],
    ['wrong-signature-taken', { verify: (_body, signature) => Boolean(signature) }],
    ['missing-signature-taken', { verify: (body, signature) => !signature || isSigned(body, signature) }],
    [
      'parsed-before-verified',
      { verify: (body, signature) => isSigned(JSON.stringify(JSON.parse(body.toString())), signature) },
    ],
    ['duplicate-applied', { isKnown: () => false }],
    [
      'race-applied-twice',
      {
        isKnown: async (seen, id) => {
          const isKnown = seen.has(id)
          await delay(30)
          return isKnown
        },
      },
    ],
    [
      'late-resend-applied',
      {
        isKnown: (seen, id) => [...seen].at(-1) === id,
        isOld: (card, { time }) => time < card.time && card.applied < 2,
      },
    ],
    ['older-overwrites-newer', { isOld: () => false }],
    ['slow-body-refused', { read: firstChunk }],
    [
      'cut-delivery-lost',
      {
        read: async (request) => {
          const chunks: Buffer[] = []
          for await (const chunk of request as AsyncIterable<Buffer>) {
            chunks.push(chunk)
            const id = /"id":"([^"]+)"/.exec(chunk.toString())?.[1]
            if (id && chunks.length === 1) begun.set(id, (begun.get(id) ?? 0) + 1)
          }
          return Buffer.concat(chunks)
        },
        isKnown: (seen, id) => seen.has(id) || (begun.get(id) ?? 0) > 1,
      },
    ],
    [
      'unknown-field-refused',
      { refuse: ({ data }) => (Object.keys(data).some((name) => /newer/i.test(name)) ? 400 : null) },
    ],
    ['unknown-event-refused', { refuse: ({ event }) => (/^(ping|card\.updated)$/.test(event) ? null : 422) }],
  ]
  const begun = new Map<string, number>()

  test.each(planted)('%s', async (defect, parts, timeoutMs) => {
    const defects = await defectsOf(parts, timeoutMs)
    expect(defects).toContain(defect)
    // Others may follow from it, but none hides it.
    expect(defects.filter((name) => !followsFrom[defect]?.includes(name ?? ''))).toEqual([defect])
  })

  /** What a defect brings with it: a receiver that takes each event again takes the late one, too. */
  const followsFrom: Record<string, string[]> = {
    'not-200': checksThatDeliver,
    'event-lost': ['cut-delivery-lost'],
    'wrong-signature-taken': ['parsed-before-verified'],
    'duplicate-applied': ['race-applied-twice'],
    'slow-body-refused': ['cut-delivery-lost'],
  }
})

test('a receiver whose state can’t be read any more fails the checks that need it, and the others still run', async () => {
  const { url } = await receiverOf()
  const probe = async () => {
    throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') })
  }
  const reports = await certify({ target, url, probe, settleMs: 60 })
  const reasons = reports.flatMap(({ outcome, steps }) => (outcome === 'failed' ? [steps[0]?.reason] : []))
  expect(reasons).toEqual(Array.from({ length: 6 }, () => 'Its state could not be read: connect ECONNREFUSED.'))
  expect(reports.filter(({ outcome }) => outcome === 'passed')).toHaveLength(8)
})

test('a receiver that is not there is an error, not a defect', async () => {
  await expect(certify({ target, url: 'http://127.0.0.1:9/', probe: null })).rejects.toThrow(/does not respond/)
})
