import { randomUUID } from 'node:crypto'
import { desc } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import { cardIn } from '#lib/console/testing/cards.ts'
import { setRequestHeaders } from '#lib/console/testing/next-headers.ts'
import { shareConsole } from '#lib/console/testing/open-console.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { connectionHeader, connections } from '#lib/shared/connections.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { recordAudit } from './chain.ts'
import { recordRefusedAttempt, writeRepeatedAttempts } from './refused-attempts.ts'
import { readRequestOrigin } from './request-origin.ts'

const desk = shareConsole({ seeded: 3 })

/** A request from an address, as the HTTP server knows it. Returns its id. */
function comeFrom(remoteAddress: string, headers: Record<string, string> = {}): string {
  const id = randomUUID()
  connections().set(id, { remoteAddress, target: '/', socket: undefined as never })
  setRequestHeaders({ ...headers, [connectionHeader]: id })
  onTestFinished(() => setRequestHeaders({}))
  return id
}

async function newestDetails(): Promise<unknown> {
  const [row] = await desk.db.select().from(auditEntries).orderBy(desc(auditEntries.number)).limit(1)
  return JSON.parse(row?.details ?? 'null')
}

test('an entry has the IP address and request id; one of the console itself has neither', async () => {
  const requestId = comeFrom('::ffff:192.0.2.8')
  await recordAudit(desk.db, { by: null, environment: null, act: 'sign-in', target: null, outcome: 'done' })
  expect(await newestDetails()).toEqual({ ipAddress: '192.0.2.8', consoleRequestId: requestId })
  setRequestHeaders({})
  await recordAudit(desk.db, { by: null, environment: null, act: 'sign-in', target: null, outcome: 'done' })
  expect(await newestDetails()).toBeNull()
})

test('behind a trusted proxy the IP address is the one it recorded, if that is valid', async () => {
  const settings = consoleSettings()
  comeFrom('10.0.0.1')
  const known = [...connections().keys()].at(-1) ?? ''
  const ipOf = (forwarded: string) =>
    readRequestOrigin(new Headers({ [connectionHeader]: known, 'x-forwarded-for': forwarded })).ipAddress
  expect(ipOf('203.0.113.9')).toBe('10.0.0.1')
  settings.trustedProxyHops = 1
  onTestFinished(() => void (settings.trustedProxyHops = 0))
  expect(ipOf('198.51.100.1, 203.0.113.9')).toBe('203.0.113.9')
  expect(ipOf('2001:db8::7')).toBe('2001:db8::7')
  expect(ipOf('<script>')).toBeNull()
})

test('an operation is audited with the address that started it, whichever process finds its outcome', async () => {
  await desk.signIn('operations')
  const requestId = comeFrom('192.0.2.9')
  const { target } = await cardIn(desk, 'active')
  desk.intercept.before = ({ url = '' }) => {
    // The person's connection is lost while the service works.
    if (url.endsWith('/cards/lock')) connections().delete(requestId)
    return false
  }
  await runAction('card.lock', { ...target, operationId: randomUUID(), reason: 'lost-or-stolen' })
  expect(await newestDetails()).toEqual({ ipAddress: '192.0.2.9', consoleRequestId: requestId })
})

test('the same refused attempt from two addresses is two entries, and its repeats name the address', async () => {
  const refused = { by: null, environment: null, act: 'sign-in', target: null, code: 'TOO_MANY_ATTEMPTS' } as const
  const now = new Date('2026-03-01T10:00:00Z')
  for (const address of ['192.0.2.10', '192.0.2.11', '192.0.2.10']) {
    comeFrom(address)
    await recordRefusedAttempt(desk.db, refused, now)
  }
  setRequestHeaders({})
  await writeRepeatedAttempts(desk.db, new Date('2026-03-01T10:02:00Z'))
  expect(await newestDetails()).toEqual({ ipAddress: '192.0.2.10' })
})
