import { randomUUID } from 'node:crypto'
import { inspect } from 'node:util'
import { sql } from 'drizzle-orm'
import { redirect } from 'next/navigation'
import { expect, test } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import { actionNames } from '#lib/api/actions.ts'
import { currentStaff } from '#lib/auth/session.ts'
import { signInChoices } from '#lib/auth/sign-in.ts'
import { captureLog } from '#lib/console/testing/capture-log.ts'
import { openConsole } from '#lib/console/testing/open-console.ts'
import { latestSafePosition } from '#lib/live/feed.ts'
import { logFailure as logServiceFailure } from '#lib/service/log.ts'
import { sessions } from '#lib/tables/staff.ts'
import { AppError } from './app-error.ts'
import { logFailure } from './log.ts'
import { withSanitizedErrors } from './sanitized-errors.ts'

const planted = { name: 'Planted Beneficiary', digits: '001230456789', comment: 'planted comment' }
const id = '11111111-1111-4111-8111-111111111111'

/** What every action gets: some field of it reaches the database with each. */
function inputOf(): Record<string, unknown> {
  return {
    environment: 'sandbox',
    operationId: randomUUID(),
    cardAccountId: id,
    cardId: id,
    feeId: id,
    jobId: id,
    webhookId: id,
    resolution: 'made',
    targetType: 'cardaccount',
    targetId: id,
    reason: 'other',
    comment: planted.comment,
    destination: { accountHolderName: planted.name, accountNumber: planted.digits },
    pin: '135790',
    url: 'https://planted.example.com/hook',
  }
}

test('when the database fails under a server action, neither the error nor the log holds a parameter', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('operations')
  const [session] = await desk.db.select().from(sessions)
  expect(actionNames.length).toBeGreaterThan(20)
  const log = captureLog()
  const failed: string[] = []
  for (const table of ['operations', 'audit_entries', 'bulk_jobs', 'sessions']) {
    await desk.db.execute(sql.raw(`alter table console.${table} rename to ${table}_gone`))
    for (const name of actionNames) {
      const error = await runAction(name, inputOf() as never).then(
        () => null,
        (thrown: unknown) => thrown,
      )
      if (error === null) continue
      failed.push(`${table} ${name}`)
      expect(inspect(error, { depth: 9, showHidden: true }), name).toMatch(/^Error: The console failed\. Its log has/)
      expect(error).not.toHaveProperty('cause')
    }
    if (table !== 'sessions') await desk.db.execute(sql.raw(`alter table console.${table}_gone rename to ${table}`))
  }
  expect(failed).toContain('operations card.lock')
  expect(failed.filter((name) => name.startsWith('sessions'))).toHaveLength(actionNames.length)
  expect(log()).toContain('"code":"42P01"')
  for (const value of [...Object.values(planted), '135790', 'planted.example.com', session?.id ?? '', 'params:']) {
    expect(log()).not.toContain(value)
  }
})

test('pages with and without a session fail without a parameter in the log', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('operations')
  const log = captureLog()
  for (const table of ['sessions', 'changes', 'staff']) {
    await desk.db.execute(sql.raw(`alter table console.${table} rename to ${table}_gone`))
  }
  for (const read of [currentStaff, latestSafePosition, signInChoices]) {
    await expect(read()).rejects.toThrow(/^The console failed\. Its log has the cause under [0-9a-f-]{36}\.$/)
  }
  expect(log().match(/"code":"42P01"/g)).toHaveLength(3)
})

test('our own errors and redirects pass unchanged', async () => {
  const refused = new AppError('NOT_PERMITTED', 'no')
  await expect(withSanitizedErrors(() => Promise.reject(refused))).rejects.toBe(refused)
  await expect(withSanitizedErrors(async () => redirect('/sign-in'))).rejects.toMatchObject({
    digest: expect.stringMatching(/^NEXT_REDIRECT/),
  })
})

test.each([
  ['console', logFailure],
  ['built-in service', logServiceFailure],
])(
  'the log of the %s names code, table and constraint of a database failure, and no value of it',
  async (_, report) => {
    const { db } = await openConsole({ seeded: 1 })
    const log = captureLog()
    const failures = [
      sql`select ${planted.name}::uuid`,
      sql`insert into console.staff select * from console.staff where name <> ${planted.name}`,
      sql`select ${'9'.repeat(30)}::bigint, ${planted.comment}`,
    ]
    for (const statement of failures) await db.execute(statement).catch((error: unknown) => report(error, {}))
    expect(log().match(/"code":"(\w+)"/g)).toEqual(['"code":"22P02"', '"code":"23505"', '"code":"22003"'])
    expect(log()).toContain('"constraint":"staff_pkey"')
    for (const value of [planted.name, planted.comment, '9'.repeat(30), 'samuel.ng']) expect(log()).not.toContain(value)
  },
)
