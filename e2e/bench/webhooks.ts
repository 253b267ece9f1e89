import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { connect } from '#lib/db/connection.ts'
import { startEmbeddedPostgres } from '#lib/db/embedded-postgres.ts'
import { migrateDatabase } from '#lib/db/migrate.ts'
import { liveThrough } from '#lib/service/webhooks/testing-month.ts'
import { createServiceCaller, findCard, type ServiceCaller } from '../service-caller.ts'
import type { Desk } from './desk.ts'
import { time, type Figure } from './figure.ts'

const receiverCount = 16
const extents = {
  whole: { changes: 200, single: 100, month: { days: 30, count: 100 } },
  short: { changes: 2, single: 2, month: { days: 1, count: 20 } },
}

/** Deliveries of the built-in service to a loopback receiver, and a month of them in simulated time. */
export async function measureWebhooks(desk: Desk): Promise<Figure[]> {
  return [...(await measureDeliveries(desk)), await measureMonth(desk)]
}

async function measureMonth({ extent }: Desk): Promise<Figure> {
  const { month } = extents[extent]
  const folder = mkdtempSync(path.join(tmpdir(), 'carddesk-bench-'))
  const postgres = await startEmbeddedPostgres(folder)
  try {
    await migrateDatabase(postgres.databaseUrl)
    const db = connect(postgres.databaseUrl)
    const began = performance.now()
    const { attempts, removed } = await liveThrough(db, month)
    const ms = performance.now() - began
    await db.$client.end()
    return time(
      `${month.days} days of ${month.count} webhooks: ${attempts.toLocaleString('en')} signed attempts, ${removed} removed`,
      ms,
      60_000,
    )
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** First the time from the response of a change to its delivery, one by one; then queues that were held back, let go at once. */
async function measureDeliveries({ extent, server }: Desk): Promise<Figure[]> {
  const { changes, single } = extents[extent]
  const { access } = await server()
  const receiver = await openReceiver()
  try {
    const service = createServiceCaller(access)
    await leaveNoWebhook(service)
    const turn = cardTurns(service, await findCard(service, 'active'))
    await register(service, `${receiver.url}/single`)
    await receiver.received(1)
    const latencies: number[] = []
    for (let change = 0; change < single; change += 1) {
      const arrival = receiver.next()
      await turn()
      const received = performance.now()
      latencies.push(Math.max(0, (await arrival) - received))
    }
    latencies.sort((a, b) => a - b)

    await leaveNoWebhook(service)
    const letGo = receiver.hold()
    for (let place = 0; place < receiverCount; place += 1) await register(service, `${receiver.url}/${place}`)
    for (let change = 0; change < changes; change += 1) await turn()
    const before = receiver.count()
    const began = performance.now()
    letGo()
    await receiver.received(before + receiverCount * changes)
    const perSecond = (receiverCount * changes) / ((performance.now() - began) / 1000)
    return [
      time('answer of a change → its delivery begun, median', latencies[single / 2] ?? 0, 100),
      time('answer of a change → its delivery begun, p99', latencies[single - 1] ?? 0, 100),
      {
        figure: `deliveries to a loopback receiver, ${receiverCount} queues, in order`,
        measured: `${Math.round(perSecond).toLocaleString('en')}/s`,
        reference: '–',
        ratio: '–',
        bar: '–',
        isReached: true,
      },
    ]
  } finally {
    await receiver.close()
  }
}

async function leaveNoWebhook(service: ServiceCaller): Promise<void> {
  const { body } = await service.get('/webhooks')
  for (const { id } of (body as { webhooks: { id: string }[] }).webhooks)
    await service.post('/webhooks/remove', { webhookId: id })
}

async function register(service: ServiceCaller, url: string): Promise<void> {
  const { status } = await service.post('/webhooks', { url, events: ['*'] })
  if (status !== 200) throw new Error(`creating the webhook returned ${status}`)
}

/** Locks and unlocks a card by turns: one event each. */
function cardTurns(service: ServiceCaller, card: { cardAccountId: string; cardId: string }): () => Promise<void> {
  let isLocked = false
  return async () => {
    const { status } = await service.post(isLocked ? '/cards/unlock' : '/cards/lock', card)
    if (status !== 200) throw new Error(`the change returned ${status}`)
    isLocked = !isLocked
  }
}

async function openReceiver() {
  let received = 0
  let held: Promise<void> | null = null
  let arrived: (() => void)[] = []
  const server: Server = createServer(async (request, response) => {
    request.resume()
    received += 1
    for (const notify of arrived.splice(0)) notify()
    if (held) await held
    response.writeHead(200).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const next = () => new Promise<number>((resolve) => arrived.push(() => resolve(performance.now())))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: () => received,
    next,
    received: async (count: number) => {
      for (let missing = count - received; missing > 0; missing = count - received) await next()
    },
    /** Sends no response until the returned function is called. */
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return () => {
        held = null
        resolve()
      }
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
