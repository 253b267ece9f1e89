import { type ChildProcess } from 'node:child_process'
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { and, eq, sql } from 'drizzle-orm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { verifyAuditChain } from '#lib/audit/chain.ts'
import { startProcess } from '#lib/console/testing/console-process.ts'
import type { KillTask } from '#lib/console/testing/kill-child.ts'
import { connect } from '#lib/db/connection.ts'
import { freePort } from '#lib/db/free-port.ts'
import { newFolder } from '#lib/db/testing-folders.ts'
import { killPostmaster } from '#lib/db/testing-postmaster.ts'
import { cards } from '#lib/service/tables/cards.ts'
import { events, webhookMessages, webhooks } from '#lib/service/tables/webhooks.ts'
import { cases } from '#lib/shared/testing/cases.ts'
import { testKeyPair } from '#lib/signing/testing.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { inboxEvents } from '#lib/tables/inbox.ts'
import { operations } from '#lib/tables/operations.ts'

/** 50 in `npm run suites:full`. */
const kills = cases(5)
const tasksPerKill = 8

/** What is killed: the process with all that it started, the process alone, or PostgreSQL under it. */
const victims = ['tree', 'process', 'database'] as const

type Life = { child: ChildProcess; lines: () => string[]; databaseUrl: string; cardId: string }

async function settingsOf(folder: string): Promise<Record<string, string>> {
  const { privateKey, publicKey } = testKeyPair
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  return {
    FOLDER: folder,
    PORT: String(port),
    PUBLIC_KEY: publicKey,
    BUILT_IN_SERVICE: 'on',
    BUILT_IN_SERVICE_ORIGIN: origin,
    DEMO_CARD_ACCOUNTS: '3',
    CARD_NUMBER_KEY: randomBytes(32).toString('base64'),
    CONSOLE_SEALING_KEY: randomBytes(32).toString('base64'),
    NEXTAUTH_URL: origin,
    NEXTAUTH_SECRET: randomBytes(48).toString('base64url'),
    SERVICE_SANDBOX_URL: `${origin}/service/v1`,
    SERVICE_SANDBOX_ACCESS_KEY: randomUUID(),
    SERVICE_SANDBOX_PRIVATE_KEY: privateKey,
    SANDBOX_BASIC_AUTH: 'off',
    SANDBOX_WEBHOOK_HOSTS: 'hooks.invalid',
    SANDBOX_RATE_LIMIT_PER_MINUTE: '0',
  }
}

async function begin(settings: Record<string, string>, tasks: KillTask[], cardId: string | null): Promise<Life> {
  const { child, output } = startProcess(new URL('../console/testing/kill-child.ts', import.meta.url), {
    ...settings,
    TASKS: JSON.stringify(tasks),
    ...(cardId === null ? {} : { CARD_ID: cardId }),
  })
  const lines = () => output().split('\n').slice(0, -1)
  const ready = await vi.waitFor(
    () => {
      const line = lines().find((each) => each.startsWith('ready '))
      if (!line) throw new Error('The process has not started yet.')
      return line.split(' ')
    },
    { timeout: 120_000, interval: 5 },
  )
  return { child, lines, databaseUrl: ready[1] ?? '', cardId: ready[2] ?? '' }
}

/** The settled operations that a process has acknowledged, each with its state; the other lines are its log. */
function acknowledgedIn({ lines }: Life): [id: string, state: string][] {
  return lines().flatMap((line) => {
    const [, state, id] = /^(done|refused|unknown|not-sent) ([0-9a-f-]{36})$/.exec(line) ?? []
    return state && id ? [[id, state]] : []
  })
}

test('killed (-9) at random points while staff act and events arrive: nothing acknowledged is lost, nothing happens twice', async () => {
  const folder = newFolder()
  const settings = await settingsOf(folder)
  const tasks = Array.from({ length: kills * tasksPerKill }, (_, place): KillTask => {
    return { id: randomUUID(), kind: place % 2 === 0 ? 'card.lock' : 'card.unlock' }
  })
  const acknowledged = new Map<string, string>()
  const rest = () => tasks.filter(({ id }) => !acknowledged.has(id))
  const note = (life: Life) => {
    for (const [id, state] of acknowledgedIn(life)) acknowledged.set(id, state)
  }
  let life = await begin(settings, tasks, null)
  const { cardId } = life
  // Whatever goes wrong, no PostgreSQL outlives the test.
  onTestFinished(() => void killPostmaster(folder))
  for (let kill = 0; kill < kills; kill += 1) {
    const victim = victims[kill % victims.length]
    await delay(randomInt(1, 400))
    expect(life.child.exitCode, 'the process outlives its database').toBeNull()
    if (victim !== 'process') killPostmaster(folder)
    if (victim === 'database') {
      // From the middle of its recovery to well after it.
      await delay(randomInt(1, 3000))
      continue
    }
    life.child.kill('SIGKILL')
    await once(life.child, 'exit')
    note(life)
    life = await begin(settings, rest(), cardId)
  }
  await vi.waitFor(() => expect(life.lines()).toContain('finished'), { timeout: 180_000, interval: 50 })
  note(life)

  const db = connect(life.databaseUrl, { max: 2, name: 'carddesk test' })
  try {
    await vi.waitFor(
      async () => {
        // Instead of waiting for the next attempt of the schedule.
        await db.update(webhooks).set({ dueAt: null }).where(eq(webhooks.status, 'unhealthy'))
        expect(await db.$count(webhookMessages)).toBe(0)
        expect(await db.$count(inboxEvents, sql`applied_at is null`)).toBe(0)
      },
      { timeout: 60_000, interval: 200 },
    )
    expect([...new Set(acknowledged.values())]).toEqual(['done'])
    expect(acknowledged.size).toBe(tasks.length)
    const rows = await db.select().from(operations)
    expect(rows.map(({ state }) => state)).toEqual(tasks.map(() => 'done'))
    const done = await db.select().from(auditEntries).where(eq(auditEntries.outcome, 'done'))
    expect(done.map(({ operationId }) => operationId).sort()).toEqual(tasks.map(({ id }) => id).sort())
    expect(await verifyAuditChain(db)).toMatchObject({ holds: true })

    const effects = await db
      .select()
      .from(events)
      .where(and(eq(events.event, 'card.updated'), sql`${events.data} ->> 'id' = ${cardId}`))
    expect(effects).toHaveLength(tasks.length)
    const [card] = await db.select().from(cards).where(eq(cards.id, cardId))
    expect(card?.status).toBe('active')
    const arrived = await db.select().from(inboxEvents).where(eq(inboxEvents.cardId, cardId))
    expect(arrived.map(({ id }) => id).sort()).toEqual(effects.map(({ id }) => id).sort())
  } finally {
    await db.$client.end()
    life.child.kill('SIGKILL')
    await once(life.child, 'exit')
  }
})
