import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { encode } from 'next-auth/jwt'
import { expect, test } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import type { Role } from '#lib/auth/permissions.ts'
import { openSession } from '#lib/auth/session.ts'
import { sessionCookieName } from '#lib/auth/token.ts'
import { addStaff, setPolicy } from '#lib/console/testing/approvals.ts'
import { setCookie } from '#lib/console/testing/next-headers.ts'
import { shareConsole } from '#lib/console/testing/open-console.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { cases } from '#lib/shared/testing/cases.ts'
import { approvals } from '#lib/tables/approvals.ts'
import { indexedCards } from '#lib/tables/card-accounts.ts'
import { operations } from '#lib/tables/operations.ts'
import { staff } from '#lib/tables/staff.ts'
import { decideApproval } from './decide.ts'

const desk = shareConsole({ seeded: 1 })
const environment = 'sandbox' as const

/** The same numbers on each run. */
function randomFrom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

type Person = { id: string; cookie: string; email: string; role: Role; isDisabled: boolean }
const rolesTaken: readonly Role[] = ['operations', 'approver', 'viewer']
const addresses = ['one@x.invalid', 'two@x.invalid', ' Two@X.invalid', 'three@x.invalid']
const key = (email: string) => email.trim().toLowerCase()

/** `npm run suites:full` tries 20,000 orders: each one is five actions at a database. */
test('in every order of submit, role change, disable, another address and approve: no self-approval, nothing sent unapproved', async () => {
  const random = randomFrom(20_261_122)
  const pick = <Value>(values: readonly Value[]): Value => values[random(values.length)] as Value
  await setPolicy(desk, [{ topic: 'cancellations', when: 'always' }])
  const card = { cardAccountId: randomUUID(), cardId: randomUUID() }
  const now = new Date()
  const indexed = {
    environment,
    status: 'active',
    last4: '4242',
    record: {},
    position: 0,
    firstReadAt: now,
    readAt: now,
  }
  await desk.db.insert(indexedCards).values({ ...indexed, id: card.cardId, cardAccountId: card.cardAccountId })
  const sent: string[] = []
  desk.intercept.before = (request, response) => {
    if (!request.url?.endsWith('/cards/cancel')) return false
    sent.push(String(request.headers['idempotency-key']))
    response.writeHead(409, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ code: 'CARD_STATUS_CONFLICT', message: 'as it is' }))
    return true
  }
  const people: Person[] = []
  for (const email of addresses.slice(0, 3)) {
    const id = await addStaff(desk, 'operations', email)
    const sessionId = await openSession(desk.db, id)
    const cookie = await encode({ token: { sessionId }, secret: consoleSettings().sessionSecret })
    people.push({ id, cookie, email, role: 'operations', isDisabled: false })
  }
  const actAs = (person: Person) => setCookie(sessionCookieName(consoleSettings()), person.cookie)
  const write = ({ id, role, email, isDisabled }: Person) =>
    desk.db
      .update(staff)
      .set({ role, email, disabledAt: isDisabled ? now : null })
      .where(eq(staff.id, id))

  type Waiting = { id: string; fingerprint: string; maker: Person; makerEmail: string }
  let waiting: Waiting | null = null
  const approvedIds = new Set<string>()
  const outcomes = { waited: 0, approved: 0, refused: 0 }

  const steps: Record<string, () => Promise<void>> = {
    async submit() {
      const maker = pick(people)
      const makerEmail = maker.email
      actAs(maker)
      const operationId = randomUUID()
      const input = { environment, operationId, ...card, confirmLast4: '4242', reason: 'lost-or-stolen' as const }
      const result = await runAction('card.cancel', input)
      if (result.kind !== 'settled') return
      expect(result.operation.outcome.state).toBe('waiting')
      const [row] = await desk.db.select().from(approvals).where(eq(approvals.id, operationId))
      waiting = { id: operationId, fingerprint: row?.fingerprint ?? '', maker, makerEmail }
      outcomes.waited += 1
    },
    async changeRole() {
      const person = pick(people)
      person.role = pick(rolesTaken)
      await write(person)
    },
    async changeAccess() {
      const person = pick(people)
      person.isDisabled = random(3) === 0
      await write(person)
    },
    async changeAddress() {
      const person = pick(people)
      person.email = pick(addresses)
      await write(person)
    },
    async approve() {
      const found = waiting as Waiting | null
      if (!found) return
      const checker = pick(people)
      actAs(checker)
      const { id, fingerprint, maker, makerEmail } = found
      const request = { environment, approvalId: id, topic: 'cancellations', fingerprint } as const
      const decision = { ...request, decision: 'approve', reason: 'ok' } as const
      const result = await decideApproval(decision)
      const isSamePerson =
        checker === maker || [makerEmail, maker.email].some((email) => key(email) === key(checker.email))
      const isAllowed = checker.role === 'approver' && !checker.isDisabled && !isSamePerson
      const isMakerAllowed = maker.role === 'operations' && !maker.isDisabled
      expect(result.kind === 'settled').toBe(isAllowed && isMakerAllowed)
      outcomes[result.kind === 'settled' ? 'approved' : 'refused'] += 1
      if (result.kind !== 'settled') return
      approvedIds.add(id)
      waiting = null
    },
  }

  for (let order = 0; order < cases(2_000); order += 1) {
    waiting = null
    // An identical request would be refused while the last order's waits.
    await desk.db.update(approvals).set({ state: 'withdrawn' }).where(eq(approvals.state, 'waiting'))
    const names = ['submit', 'approve', 'changeRole', 'changeRole', pick(['approve', 'changeAccess', 'changeAddress'])]
    const shuffled = names.map((name) => ({ name, by: random(1_000_000) })).toSorted((one, other) => one.by - other.by)
    for (const { name } of shuffled) await steps[name]?.()
  }
  expect(sent.toSorted()).toEqual([...approvedIds].toSorted())
  const left = await desk.db.select().from(operations).where(eq(operations.state, 'waiting'))
  expect(left.every(({ sealedGrant, attempts }) => sealedGrant === null && attempts === 0)).toBe(true)
  // Every kind of order has come up.
  for (const count of Object.values(outcomes)) expect(count).toBeGreaterThan(cases(2_000) / 200)
}, 1_800_000)
