import { randomUUID } from 'node:crypto'
import { asc, gt, sql } from 'drizzle-orm'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import { roles, type Role } from '#lib/auth/permissions.ts'
import { openSession } from '#lib/auth/session.ts'
import { signInOptions } from '#lib/auth/sign-in.ts'
import { signOut } from '#lib/auth/sign-out.ts'
import { revealCard } from '#lib/console/cards/reveal.ts'
import { exportList } from '#lib/console/export/export.ts'
import { endOwnSession, readOwnAccount } from '#lib/console/own-account/own-sessions.ts'
import { reads } from '#lib/console/reads.ts'
import { changeStaffAccess } from '#lib/console/staff/staff-admin.ts'
import { addStaff, approvalIn, setPolicy } from '#lib/console/testing/approvals.ts'
import { cardIn } from '#lib/console/testing/cards.ts'
import { setRequestHeaders } from '#lib/console/testing/next-headers.ts'
import { shareConsole } from '#lib/console/testing/open-console.ts'
import { philippines, quoted, makeSubmission } from '#lib/console/testing/payouts.ts'
import { decideApproval } from '#lib/operations/approvals/decide.ts'
import { decidePolicy, proposePolicy } from '#lib/operations/approvals/policy-changes.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { connectionHeader, connections } from '#lib/shared/connections.ts'
import { minuteMs } from '#lib/shared/time.ts'
import { policies } from '#lib/tables/approvals.ts'
import { auditEntries } from '#lib/tables/audit.ts'

/** The service's public address, with which its links to card details begin. */
const baseUrl = 'https://service.test/service/v1'
const desk = shareConsole({ seeded: 12, serviceSettings: { baseUrl } })
const environment = 'sandbox' as const
const ipAddress = '192.0.2.44'
let requestId = ''
let before = 0

/** The next request comes from the address; returns its id. */
function comeFrom(remoteAddress = ipAddress): string {
  const id = randomUUID()
  connections().set(id, { remoteAddress, target: '/', socket: {} as never })
  setRequestHeaders({ [connectionHeader]: id })
  return id
}

async function entriesSince(): Promise<(typeof auditEntries.$inferSelect)[]> {
  return desk.db.select().from(auditEntries).where(gt(auditEntries.number, before)).orderBy(asc(auditEntries.number))
}

beforeEach(async () => {
  requestId = comeFrom()
  onTestFinished(() => setRequestHeaders({}))
  Reflect.deleteProperty(globalThis, 'carddeskSensitiveReads')
  before = (await desk.db.select().from(auditEntries)).length
})

const staffOf = (role: Role) => `5d1c7a52-0000-4000-8000-00000000000${roles.indexOf(role) + 1}`

async function lock(operationId: string = randomUUID()) {
  const { target } = await cardIn(desk, 'active')
  return runAction('card.lock', { ...target, operationId, reason: 'lost-or-stolen' })
}

async function firstPayout(): Promise<string> {
  const { payouts } = await reads.listPayouts(environment, {})
  return payouts.find(({ destination }) => destination.accountNumber !== null)?.id ?? ''
}

async function firstAccount(): Promise<string> {
  return (await reads.listCardAccounts(environment, {})).rows[0]?.account.id ?? ''
}

/** A card's cancellation that waits for an approval, submitted by Operations. */
async function waitingCancellation() {
  await setPolicy(desk, [{ topic: 'cancellations', when: 'always' }])
  onTestFinished(async () => void (await desk.db.delete(policies)))
  await desk.signIn('operations')
  const { target, last4 } = await cardIn(desk, 'active')
  const approvalId = randomUUID()
  const input = { ...target, operationId: approvalId, confirmLast4: last4 ?? '', reason: 'lost-or-stolen' as const }
  await runAction('card.cancel', input)
  const { topic, fingerprint } = await approvalIn(desk, approvalId)
  return { approvalId, topic, fingerprint }
}

const proposal = {
  environment,
  replaces: null,
  rules: [{ topic: 'cancellations' as const, when: 'always' as const }],
  expiryHours: 12,
  tolerancePercent: '0.5',
  comment: 'First limits',
}

type Authorize = (credentials: unknown, request: { headers: Record<string, string> }) => Promise<unknown>

type Row = {
  what: string
  act: string
  outcome: 'done' | 'refused'
  code?: string
  /** Null: the person is not known. */
  by: Role | null
  target: string | null
  /** The service was called, so the entry has the id of its response. */
  callsService?: true
  run: () => Promise<unknown>
}

const rows: Row[] = [
  {
    what: 'an operation',
    act: 'card.lock',
    outcome: 'done',
    by: 'support',
    target: 'card',
    callsService: true,
    run: () => lock(),
  },
  {
    what: 'a refused operation',
    act: 'card.lock',
    outcome: 'refused',
    code: 'NOT_PERMITTED',
    by: 'viewer',
    target: 'card',
    run: () => lock(),
  },
  {
    what: 'an operation that the service refuses',
    act: 'card.lock',
    outcome: 'refused',
    code: 'INVALID_PARAMETERS',
    by: 'support',
    target: 'card',
    callsService: true,
    run: () => {
      desk.intercept.before = ({ url = '' }, response) => {
        if (!url.endsWith('/cards/lock')) return false
        response.writeHead(400, { 'content-type': 'application/json', 'x-request-id': randomUUID() })
        response.end(JSON.stringify({ code: 'INVALID_PARAMETERS', message: 'no' }))
        return true
      }
      return lock()
    },
  },
  {
    what: 'a revealed card',
    act: 'card.reveal',
    outcome: 'done',
    by: 'support',
    target: 'card',
    callsService: true,
    run: async () => {
      const settings = consoleSettings()
      const { sandbox } = settings.services
      settings.services = { ...settings.services, sandbox: sandbox && { ...sandbox, baseUrl } }
      return revealCard({ ...(await cardIn(desk, 'active')).target, reason: 'cardholder-request' })
    },
  },
  {
    what: 'an identity in full',
    act: 'data.read',
    outcome: 'done',
    by: 'support',
    target: 'cardaccount',
    run: async () => reads.readIdentityCase(environment, await firstAccount()),
  },
  {
    what: 'a beneficiary’s bank account in full',
    act: 'data.read',
    outcome: 'done',
    by: 'operations',
    target: 'list',
    run: () => reads.listPayouts(environment, {}),
  },
  {
    what: 'a refused page',
    act: 'page.open',
    outcome: 'refused',
    code: 'NOT_PERMITTED',
    by: 'viewer',
    target: 'page',
    run: () => reads.listAudit(environment, {}).catch(() => null),
  },
  {
    what: 'an export',
    act: 'export.read',
    outcome: 'done',
    by: 'viewer',
    target: 'list',
    run: () => exportList(environment, 'listCardAccounts', [], {}),
  },
  {
    what: 'a refused export',
    act: 'export.read',
    outcome: 'refused',
    code: 'NOT_PERMITTED',
    by: 'viewer',
    target: 'list',
    run: () => exportList(environment, 'listAudit', [], {}).catch(() => null),
  },
  {
    what: 'a sign-in',
    act: 'sign-in',
    outcome: 'done',
    by: 'support',
    target: null,
    run: async () => signInOptions().callbacks?.jwt?.({ token: {}, user: { id: staffOf('support') } } as never),
  },
  {
    what: 'a failed sign-in',
    act: 'sign-in',
    outcome: 'refused',
    by: null,
    target: null,
    run: () => {
      const [provider] = signInOptions().providers as unknown as [{ options: { authorize: Authorize } }]
      return provider.options.authorize({ staffId: randomUUID() }, { headers: { [connectionHeader]: requestId } })
    },
  },
  {
    what: 'a sign-out',
    act: 'sign-out',
    outcome: 'done',
    by: 'viewer',
    target: null,
    run: () =>
      signOut(new Request('http://console/sign-out', { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } })),
  },
  {
    what: 'a session that its person ends',
    act: 'session.end',
    outcome: 'done',
    by: 'viewer',
    target: 'staff',
    run: async () => {
      const other = await openSession(desk.db, staffOf('viewer'))
      const { sessions } = await readOwnAccount(environment)
      expect(sessions.map(({ id }) => id)).toContain(other)
      return endOwnSession({ sessionId: other })
    },
  },
  {
    what: 'a proposed policy',
    act: 'policy.propose',
    outcome: 'done',
    by: 'admin',
    target: 'policy',
    run: () => {
      onTestFinished(async () => void (await desk.db.delete(policies)))
      return proposePolicy({ ...proposal, policyId: randomUUID() })
    },
  },
  {
    what: 'a policy confirmed by its proposer',
    act: 'policy.confirm',
    outcome: 'refused',
    code: 'SELF_APPROVAL',
    by: 'admin',
    target: 'policy',
    run: async () => {
      onTestFinished(async () => void (await desk.db.delete(policies)))
      const policyId = randomUUID()
      await proposePolicy({ ...proposal, policyId })
      return decidePolicy({ environment, policyId, decision: 'confirm' })
    },
  },
  {
    what: 'a role change',
    act: 'staff.set-role',
    outcome: 'done',
    by: 'admin',
    target: 'staff',
    run: async () => {
      const staffId = await addStaff(desk, 'viewer', `${randomUUID()}@demo.invalid`)
      return changeStaffAccess({ act: 'staff.set-role', staffId, role: 'support' })
    },
  },
  {
    what: 'a refused role change',
    act: 'staff.set-role',
    outcome: 'refused',
    code: 'NOT_PERMITTED',
    by: 'operations',
    target: 'staff',
    run: () => changeStaffAccess({ act: 'staff.set-role', staffId: staffOf('viewer'), role: 'admin' }),
  },
  ...(['approve', 'decline'] as const).map((decision): Row => ({
    what: `the decision to ${decision}`,
    act: `approval.${decision}`,
    outcome: 'done',
    by: 'approver',
    target: 'card',
    run: async () => {
      const waiting = await waitingCancellation()
      await desk.signIn('approver')
      return decideApproval({ environment, ...waiting, decision, reason: 'Checked' })
    },
  })),
  {
    what: 'a payout',
    act: 'payout.submit',
    outcome: 'done',
    by: 'operations',
    target: 'payout',
    callsService: true,
    run: async () => {
      vi.stubEnv('BUILT_IN_SERVICE', 'on')
      onTestFinished(() => void vi.unstubAllEnvs())
      return runAction('payout.submit', makeSubmission(await quoted(philippines), philippines))
    },
  },
]

test.each(rows)('who, what, when, from where, outcome and request ids of $what', async ({ run, ...row }) => {
  const startedAt = Date.now()
  await desk.signIn(row.by)
  await run()
  const found = (await entriesSince()).find(({ act, outcome }) => act === row.act && outcome === row.outcome)
  expect(found).toMatchObject({
    staffId: row.by && staffOf(row.by),
    staffName: row.by ? expect.stringMatching(/\w+ \w+/) : null,
    staffRole: row.by,
    code: row.code ?? null,
    targetType: row.target,
    targetId: row.target && expect.stringMatching(/./),
    requestId: row.callsService ? expect.stringMatching(/.{8}/) : null,
  })
  expect(JSON.parse(found?.details ?? '{}')).toMatchObject({ ipAddress, consoleRequestId: requestId })
  expect(found?.at.getTime()).toBeGreaterThanOrEqual(startedAt)
  expect(found?.at.getTime()).toBeLessThanOrEqual(Date.now())
})

test('a person who may not read in full leaves no entry, and one who reads again leaves none for 15 minutes', async () => {
  const sensitive = async () => (await entriesSince()).filter(({ act }) => act === 'data.read')
  await desk.signIn('viewer')
  const payoutId = await firstPayout()
  await reads.readPayout(environment, payoutId)
  expect(await sensitive()).toEqual([])
  await desk.signIn('operations')
  const clock = vi.spyOn(performance, 'now')
  const start = clock.getMockImplementation() ? 0 : performance.now()
  onTestFinished(() => clock.mockRestore())
  const readAt = async (minutes: number) => {
    clock.mockReturnValue(start + minutes * minuteMs)
    await reads.readPayout(environment, payoutId)
  }
  await readAt(0)
  await readAt(14.9)
  expect(await sensitive()).toMatchObject([{ targetType: 'payout', targetId: payoutId, outcome: 'done' }])
  await readAt(15.1)
  comeFrom('192.0.2.45')
  await readAt(15.2)
  expect(await sensitive()).toHaveLength(3)
})

test('a page that shows a phone number, an e-mail address or a bank account in full is audited; a masked view is not', async () => {
  await desk.signIn('support')
  const sensitive = async () =>
    (await reads.listAudit(environment, { act: 'data.read' })).entries.map(({ target }) => target)
  const { target, last4 } = await cardIn(desk, 'active')
  const { cardAccountId, cardId } = target
  const { account } = await reads.readCardAccount(environment, cardAccountId)
  expect(account.phoneNumber).toMatch(/\d{8}/)
  await reads.readCard(environment, cardAccountId, cardId)
  await reads.readIdentityCase(environment, cardAccountId)
  await desk.signIn('viewer')
  await reads.readCardAccount(environment, await firstAccount())
  await reads.readCard(environment, cardAccountId, cardId)
  await desk.signIn('admin')
  const named = [
    { type: 'card', id: cardId, parentId: cardAccountId, label: `Card ending ${last4}` },
    { type: 'cardaccount', id: cardAccountId, parentId: null, label: account.name },
  ]
  expect((await sensitive()).slice(0, 2)).toEqual(named)
  for (const object of [last4 ?? '', cardId.toUpperCase(), account.name?.slice(0, 6) ?? '']) {
    const { entries } = await reads.listAudit(environment, { act: 'data.read', object })
    expect(entries.map((entry) => entry.target?.id)).toContain(cardId)
  }
  expect((await reads.listAudit(environment, { act: 'data.read', object: 'nobody' })).entries).toEqual([])
})

test('a sensitive read that cannot be audited shows nothing', async () => {
  await desk.signIn('operations')
  const payoutId = await firstPayout()
  const table = 'alter table console.audit_entries'
  Reflect.deleteProperty(globalThis, 'carddeskSensitiveReads')
  await desk.db.execute(sql.raw(`${table} add constraint full_disk check (act <> 'data.read') not valid`))
  onTestFinished(async () => void (await desk.db.execute(sql.raw(`${table} drop constraint full_disk`))))
  await expect(reads.readPayout(environment, payoutId)).rejects.toThrow()
})

test('one person who opens every page without the permission leaves one entry for each area', async () => {
  await desk.signIn('viewer')
  const refused = Object.entries(reads) as [string, (...all: unknown[]) => Promise<unknown>][]
  for (let round = 0; round < 3; round += 1) {
    for (const [, read] of refused) await read(environment, randomUUID(), randomUUID(), {}).catch(() => null)
  }
  const areas = (await entriesSince()).filter(({ act }) => act === 'page.open').map(({ targetId }) => targetId)
  expect(areas.length).toBeGreaterThan(5)
  expect(new Set(areas).size).toBe(areas.length)
})

test('a payout’s entries are those on it and that of its submission, whose target is its quote', async () => {
  vi.stubEnv('BUILT_IN_SERVICE', 'on')
  onTestFinished(() => void vi.unstubAllEnvs())
  await desk.signIn('operations')
  const result = await runAction('payout.submit', makeSubmission(await quoted(philippines), philippines))
  const payoutId = result.kind === 'settled' ? (result.operation.resultId ?? '') : ''
  await reads.readPayout(environment, payoutId)
  const { entries } = await reads.listAudit(environment, { targetId: payoutId })
  expect(entries.map(({ act, facts }) => [act, facts.resultId])).toEqual([
    ['data.read', null],
    ['payout.submit', payoutId],
  ])
})
