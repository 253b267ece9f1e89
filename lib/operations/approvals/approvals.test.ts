import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import { listApprovals, readApproval } from '#lib/console/approvals/read.ts'
import { listCardAccounts, readCardAccount } from '#lib/console/card-accounts/list.ts'
import { readMyWork } from '#lib/console/my-work.ts'
import { readOperation } from '#lib/console/operations/read.ts'
import { readPayout } from '#lib/console/payouts/read-payout.ts'
import { addStaff, approvalIn, setPolicy } from '#lib/console/testing/approvals.ts'
import { cardIn, readCardStatus } from '#lib/console/testing/cards.ts'
import { individual } from '#lib/console/testing/individual.ts'
import { openConsole, type TestConsole } from '#lib/console/testing/open-console.ts'
import { card, payoutsMade, philippines, quoted, resultState, makeSubmission } from '#lib/console/testing/payouts.ts'
import { cards } from '#lib/service/tables/cards.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { seal } from '#lib/shared/sealing.ts'
import { approvals } from '#lib/tables/approvals.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { operations } from '#lib/tables/operations.ts'
import { staff } from '#lib/tables/staff.ts'
import { settleUnknownOperations } from '../settle-due.ts'
import { decideApproval, sendApproved, withdrawApproval } from './decide.ts'
import { expireApprovals } from './expire.ts'
import { decidePolicy, proposePolicy, readPolicy } from './policy-changes.ts'

const environment = 'sandbox' as const
const allCancellations = [{ topic: 'cancellations', when: 'always' }] as const

/** Operations submits the cancellation of a card, which waits. */
async function cancellation(desk: TestConsole) {
  await setPolicy(desk, [...allCancellations])
  await desk.signIn('operations')
  const { target, last4 } = await cardIn(desk, 'active')
  const operationId = randomUUID()
  const submit = () =>
    runAction('card.cancel', { ...target, operationId, confirmLast4: last4 ?? '', reason: 'lost-or-stolen' })
  return { submit, operationId, cardId: target.cardId }
}

async function waitingForReader(): Promise<number> {
  const { sections } = await readMyWork(environment)
  return sections.find(({ source }) => source === 'approvals')?.count ?? 0
}

/** The opening of an account with a limit; without one, of a prepaid account. */
const opening = (limit: string) => ({
  environment,
  operationId: randomUUID(),
  name: `Mei Chan ${limit}`,
  phoneNumber: '+85291234567',
  accountType: limit === '' ? ('prepaid' as const) : ('credit' as const),
  currency: 'HKD' as const,
  limit,
  xid: '',
  xmetadata: '',
  individual,
})

async function decide(desk: TestConsole, approvalId: string, decision: 'approve' | 'decline' = 'approve') {
  const { topic, fingerprint } = await approvalIn(desk, approvalId)
  return decideApproval({ environment, approvalId, topic, decision, reason: 'Checked', fingerprint })
}

describe('a request that needs an approval', () => {
  test('is not sent where the card was cancelled meanwhile, and says so without calling it locked', async () => {
    const desk = await openConsole()
    const { submit, operationId, cardId } = await cancellation(desk)
    await submit()
    await desk.service.service.db.update(cards).set({ status: 'cancelled' }).where(eq(cards.id, cardId))
    await desk.signIn('approver')
    await decide(desk, operationId)
    await settleUnknownOperations()
    const { code, happened, next } = (await readOperation(environment, operationId)).outcome
    expect(code).toBe('CARD_ALREADY_CANCELLED')
    expect(`${happened} ${next}`).toBe(
      'The card is cancelled already. Nothing can bring it back. Issue a new card where one is needed.',
    )
    expect(desk.requests.get('/cards/cancel')).toBeUndefined()
  })

  test('waits unsent, and is sent once it is approved by another person', async () => {
    const desk = await openConsole()
    const { submit, operationId, cardId } = await cancellation(desk)
    expect(await submit()).toMatchObject({
      kind: 'settled',
      operation: { outcome: { state: 'waiting', changed: 'no' } },
    })
    // A second click finds the same request.
    expect(await submit()).toMatchObject({ operation: { outcome: { state: 'waiting' } } })
    await settleUnknownOperations()
    expect(desk.requests.get('/cards/cancel')).toBeUndefined()
    // Its own requester cannot decide it.
    expect(await waitingForReader()).toBe(0)

    await desk.signIn('approver')
    expect(await waitingForReader()).toBe(1)
    // It fills the index, which has the names.
    await listCardAccounts(environment, {})
    const detail = await readApproval(environment, operationId)
    expect(detail).toMatchObject({
      approval: { state: 'waiting', by: { name: 'Olivia Poon' }, effect: expect.stringContaining('can’t be undone') },
      request: { method: 'POST', path: '/cards/cancel', body: expect.stringContaining(cardId) },
      approvers: { count: 1, roles: ['approver'] },
      isOwn: false,
      cardholder: expect.any(String),
    })
    expect(detail.fingerprint).toBe(detail.request?.sha256)
    expect(await decide(desk, operationId)).toEqual({ kind: 'settled', state: 'approved' })
    expect(await readOperation(environment, operationId)).toMatchObject({ outcome: { state: 'done' } })
    expect(await readCardStatus(desk, cardId)).toBe('cancelled')
    expect(desk.requests.get('/cards/cancel')).toBe(1)
    const trail = await desk.db.select().from(auditEntries).orderBy(auditEntries.number)
    expect(trail.map(({ act, staffName, outcome }) => [act, staffName, outcome])).toEqual([
      ['approval.request', 'Olivia Poon', 'done'],
      ['approval.approve', 'Ada Ng', 'done'],
      ['card.cancel', 'Olivia Poon', 'done'],
    ])
  })

  test('is never sent once it is declined, withdrawn or expired', async () => {
    const desk = await openConsole()
    const ended = async (end: (id: string) => Promise<unknown>) => {
      const { submit, operationId } = await cancellation(desk)
      await submit()
      await end(operationId)
      await settleUnknownOperations()
      await desk.signIn('operations')
      const { outcome } = await readOperation(environment, operationId)
      return [outcome.state, outcome.code, outcome.happened, outcome.next]
    }
    const notSent = '“Cancel card” was not sent.'
    const declined = await ended(async (id) => {
      await desk.signIn('approver')
      expect(await decide(desk, id, 'decline')).toEqual({ kind: 'settled', state: 'declined' })
      // It stays declined.
      expect(await decide(desk, id)).toMatchObject({ kind: 'refused', outcome: { code: 'APPROVAL_DECIDED' } })
    })
    expect(declined).toEqual(['refused', 'APPROVAL_DECLINED', 'Ada Ng declined it: Checked', notSent])
    const withdrawn = await ended(async (id) => {
      await desk.signIn('approver')
      expect(await withdrawApproval({ environment, approvalId: id })).toMatchObject({ kind: 'refused' })
      await desk.signIn('operations')
      expect(await withdrawApproval({ environment, approvalId: id })).toEqual({ kind: 'settled', state: 'withdrawn' })
    })
    expect(withdrawn).toEqual(['refused', 'APPROVAL_WITHDRAWN', 'Olivia Poon withdrew it.', notSent])
    const expired = await ended(async (id) => {
      await desk.db
        .update(approvals)
        .set({ expiresAt: new Date(Date.now() - 1) })
        .where(eq(approvals.id, id))
      await desk.signIn('approver')
      expect(await decide(desk, id)).toMatchObject({ kind: 'refused', outcome: { code: 'APPROVAL_DECIDED' } })
      await expireApprovals()
      expect(await approvalIn(desk, id)).toMatchObject({ state: 'expired' })
    })
    expect(expired).toEqual(['refused', 'APPROVAL_EXPIRED', 'It expired before a decision.', notSent])
    expect(desk.requests.get('/cards/cancel')).toBeUndefined()
    const { approvals: listed } = await listApprovals(environment, { state: 'declined' })
    expect(listed).toHaveLength(1)
  })

  test('approved many times at once, it has one effect', async () => {
    const desk = await openConsole()
    const { submit, operationId } = await cancellation(desk)
    await submit()
    await desk.signIn('approver')
    const results = await Promise.all(Array.from({ length: 8 }, () => decide(desk, operationId)))
    for (const result of results) expect(result).toEqual({ kind: 'settled', state: 'approved' })
    expect(desk.requests.get('/cards/cancel')).toBe(1)
  })

  test('a crash between the approval and the sending: the console sends it once', async () => {
    const desk = await openConsole()
    const { submit, operationId, cardId } = await cancellation(desk)
    await submit()
    await desk.signIn('approver')
    await desk.stopService()
    await decide(desk, operationId)
    // What a process leaves behind that was killed after the commit.
    await desk.db
      .update(operations)
      .set({ state: 'approved', attempts: 0, code: null, nextSettlementAt: new Date(0), leaseUntil: new Date(0) })
    await desk.startService()
    await Promise.all([settleUnknownOperations(), settleUnknownOperations()])
    expect(await readCardStatus(desk, cardId)).toBe('cancelled')
    expect(desk.requests.get('/cards/cancel')).toBe(1)
  })
})

describe('self-approval', () => {
  test('is refused under every account of the maker', async () => {
    const desk = await openConsole()
    const { submit, operationId } = await cancellation(desk)
    await submit()
    const [maker] = await desk.db.select().from(staff).where(eq(staff.role, 'operations'))
    const refused = { kind: 'refused', outcome: { code: 'SELF_APPROVAL' } }
    await desk.db
      .update(staff)
      .set({ role: 'approver' })
      .where(eq(staff.id, maker?.id ?? ''))
    await desk.signInAs(maker?.id ?? '')
    expect(await decide(desk, operationId)).toMatchObject(refused)
    const second = await addStaff(desk, 'approver', ' Olivia.Poon@DEMO.invalid', 'O. Poon')
    await desk.signInAs(second)
    expect(await decide(desk, operationId)).toMatchObject(refused)
    // The maker's address of now counts, and so does that of the submission.
    await desk.db
      .update(staff)
      .set({ email: 'o.chan@demo.invalid' })
      .where(eq(staff.id, maker?.id ?? ''))
    expect(await decide(desk, operationId)).toMatchObject(refused)
    await desk.db.update(staff).set({ email: 'o.chan@demo.invalid' }).where(eq(staff.id, second))
    expect(await decide(desk, operationId)).toMatchObject(refused)
    expect(desk.requests.get('/cards/cancel')).toBeUndefined()
    const trail = await desk.db.select().from(auditEntries).where(eq(auditEntries.code, 'SELF_APPROVAL'))
    expect(trail.length).toBeGreaterThan(0)
  })

  test('names those who can decide on it to an approver who lost the role', async () => {
    const desk = await openConsole()
    const { submit, operationId } = await cancellation(desk)
    await submit()
    const { topic, fingerprint } = await approvalIn(desk, operationId)
    const decision = {
      environment,
      approvalId: operationId,
      topic,
      decision: 'approve',
      reason: '',
      fingerprint,
    } as const
    const happened = 'Only Approver can approve or decline this.'
    await desk.signIn('support')
    expect(await decideApproval(decision)).toMatchObject({ outcome: { code: 'NOT_PERMITTED', happened } })
    // One who may decide on the requests of help desks, whatever their browser calls this one.
    await desk.signIn('qa')
    expect(await decideApproval({ ...decision, topic: 'help-desk' })).toMatchObject({
      outcome: { code: 'NOT_PERMITTED', happened },
    })
  })

  test('a maker without the permission any more is not acted for', async () => {
    const desk = await openConsole()
    const { submit, operationId } = await cancellation(desk)
    await submit()
    await desk.db.update(staff).set({ role: 'viewer' }).where(eq(staff.role, 'operations'))
    await desk.signIn('approver')
    const refused = { code: 'MAKER_NOT_PERMITTED', next: 'Decline it.' }
    expect(await decide(desk, operationId)).toMatchObject({
      outcome: { ...refused, happened: 'Olivia Poon’s role no longer includes this request.' },
    })
    await desk.db.update(staff).set({ disabledAt: new Date() }).where(eq(staff.name, 'Olivia Poon'))
    expect(await decide(desk, operationId)).toMatchObject({
      outcome: { ...refused, happened: 'Olivia Poon has no access to the console any more.' },
    })
    expect(await decide(desk, operationId, 'decline')).toMatchObject({ state: 'declined' })
  })
})

describe('tampering with what waits', () => {
  test('one that was approved and not sent is not sent for a maker without the permission any more', async () => {
    const desk = await openConsole()
    const { submit, operationId, cardId } = await cancellation(desk)
    await submit()
    await desk.stopService()
    await desk.signIn('approver')
    await decide(desk, operationId)
    await desk.startService()
    const maker = await desk.signIn('operations')
    await desk.db
      .update(staff)
      .set({ role: 'admin' })
      .where(eq(staff.id, maker?.id ?? ''))
    expect(await sendApproved({ environment, approvalId: operationId })).toMatchObject({
      kind: 'refused',
      outcome: { code: 'NOT_PERMITTED' },
    })
    expect(await readCardStatus(desk, cardId)).toBe('active')
    await desk.signIn('approver')
    await sendApproved({ environment, approvalId: operationId })
    expect(await readCardStatus(desk, cardId)).toBe('cancelled')
  })

  test('bytes of another request are not approved', async () => {
    const desk = await openConsole()
    const { submit, operationId } = await cancellation(desk)
    await submit()
    const other = Buffer.from(JSON.stringify({ cardAccountId: 'x', cardId: 'y' }))
    const forged = seal(consoleSettings().sealingKey, other, operationId)
    await desk.db.update(operations).set({ sealedBody: forged })
    await desk.signIn('approver')
    expect(await decide(desk, operationId)).toMatchObject({ kind: 'refused', outcome: { code: 'APPROVAL_MISMATCH' } })
  })

  const attacks: Record<string, (desk: TestConsole, id: string) => Promise<unknown>> = {
    'other bytes under the right key': (desk, id) => {
      const other = Buffer.from(JSON.stringify({ cardAccountId: 'x', cardId: 'y' }))
      return desk.db.update(operations).set({ sealedBody: seal(consoleSettings().sealingKey, other, id) })
    },
    'bytes that were altered': (desk) => desk.db.update(operations).set({ sealedBody: Buffer.alloc(64, 7) }),
    'another endpoint': (desk) => desk.db.update(operations).set({ endpoint: 'lockCard' }),
    'no grant': (desk) => desk.db.update(operations).set({ sealedGrant: null }),
    'a grant that was altered': (desk) => desk.db.update(operations).set({ sealedGrant: Buffer.alloc(64, 7) }),
    'bytes that were erased': (desk) => desk.db.update(operations).set({ sealedBody: null }),
  }
  test.each(Object.keys(attacks))('the signer refuses after the approval: %s', async (name) => {
    const desk = await openConsole()
    const { submit, operationId } = await cancellation(desk)
    await submit()
    await desk.signIn('approver')
    await desk.stopService()
    await decide(desk, operationId)
    await desk.startService()
    const again = { state: 'approved', attempts: 0, nextSettlementAt: new Date(0), leaseUntil: new Date(0) } as const
    await desk.db.update(operations).set(again)
    await attacks[name]?.(desk, operationId)
    await settleUnknownOperations()
    expect(await readOperation(environment, operationId)).toMatchObject({
      outcome: { state: 'refused', code: 'APPROVAL_MISMATCH', changed: 'no' },
    })
    expect([...desk.requests.keys()].filter((path) => path.startsWith('/cards/'))).toEqual([])
  })

  test('a state that is set to approved in the database sends nothing', async () => {
    const desk = await openConsole()
    const { submit, operationId } = await cancellation(desk)
    await submit()
    await desk.db.update(approvals).set({ state: 'approved' })
    await desk.db.update(operations).set({ state: 'approved', nextSettlementAt: new Date(0) })
    await settleUnknownOperations()
    expect(await readOperation(environment, operationId)).toMatchObject({ outcome: { code: 'APPROVAL_MISMATCH' } })
    expect(desk.requests.get('/cards/cancel')).toBeUndefined()
  })
})

describe('the policy', () => {
  test('without a rule about the request nothing waits', async () => {
    const desk = await openConsole()
    await setPolicy(desk, [
      { topic: 'cancellations', when: 'always' },
      { topic: 'payouts', when: 'amount', amount: '1000', currency: 'HKD' },
    ])
    await desk.signIn('operations')
    expect(resultState(await runAction('payout.submit', makeSubmission(await quoted(philippines), philippines)))).toBe(
      'done',
    )
    expect(
      resultState(await runAction('payout.submit', makeSubmission(await quoted(philippines, '1000'), philippines))),
    ).toBe('waiting')
  })

  test('amounts are converted; what cannot be converted needs an approval', async () => {
    const desk = await openConsole()
    await setPolicy(desk, [{ topic: 'payouts', when: 'amount', amount: '100', currency: 'USD' }])
    await desk.signIn('operations')
    const [small, large, blind] = [
      await quoted(philippines, '700'),
      await quoted(philippines, '900'),
      await quoted(philippines),
    ]
    expect(resultState(await runAction('payout.submit', makeSubmission(small, philippines)))).toBe('done')
    expect(resultState(await runAction('payout.submit', makeSubmission(large, philippines)))).toBe('waiting')
    const [waiting] = await desk.db.select().from(approvals)
    expect(waiting?.because).toEqual([
      'Payouts of 100.00 USD or more.',
      expect.stringMatching(/^900\.00 HKD came to 11\d\.\d\d USD when it was requested\.$/),
    ])
    desk.intercept.after = (request) =>
      request.url?.includes('/rates') ? Response.json({ base: 'HKD', rates: {} }) : null
    expect(resultState(await runAction('payout.submit', makeSubmission(blind, philippines)))).toBe('waiting')
  })

  test('a person’s requests within a day are counted, also at once', async () => {
    const desk = await openConsole()
    await setPolicy(desk, [{ topic: 'payouts', when: 'count', count: 3 }])
    await desk.signIn('operations')
    const submissions = []
    // The amounts differ: of four alike, a late one would have to name the early ones as similar.
    for (const amount of ['701', '702', '703', '704']) {
      submissions.push(makeSubmission(await quoted(philippines, amount), philippines))
    }
    const states = (await Promise.all(submissions.map((one) => runAction('payout.submit', one)))).map(resultState)
    expect(states.toSorted()).toEqual(['done', 'done', 'waiting', 'waiting'])
  })

  test('requests that could not be sent count as long as they may be sent again', async () => {
    const desk = await openConsole()
    await setPolicy(desk, [{ topic: 'payouts', when: 'count', count: 2 }])
    await desk.signIn('operations')
    const [first, second] = [
      makeSubmission(await quoted(philippines, '701'), philippines),
      makeSubmission(await quoted(philippines, '702'), philippines),
    ]
    desk.intercept.before = ({ method, url }, response) => {
      if (method !== 'POST' || !url?.endsWith('/payouts')) return false
      response.writeHead(429, { 'retry-after': '0' }).end()
      return true
    }
    const send = async (submission: typeof first) => {
      const sent = await runAction('payout.submit', submission)
      const [row] = await desk.db.select().from(operations).where(eq(operations.id, submission.operationId))
      return [resultState(sent), row?.state]
    }
    expect((await send(first))[1]).toBe('not-sent')
    expect((await send(second))[1]).toBe('waiting')
  })

  test('a limit that is raised waits, one that is lowered does not', async () => {
    const desk = await openConsole()
    await setPolicy(desk, [{ topic: 'limit-raises', when: 'always' }])
    await desk.signIn('operations')
    const { rows } = await listCardAccounts(environment, {})
    const account = rows.find((row) => row.account.accountType === 'credit' && (row.account.limit ?? 0) > 10)?.account
    const limitBefore = account?.limit ?? 0
    const to = (limit: number) =>
      runAction('account.set-limit', {
        environment,
        operationId: randomUUID(),
        cardAccountId: account?.id ?? '',
        limit: String(limit),
        limitBefore,
        reason: 'credit-review',
      })
    expect(resultState(await to(limitBefore + 1))).toBe('waiting')
    expect(await to(limitBefore + 1), 'the same again').toMatchObject({ outcome: { code: 'ALREADY_WAITING' } })
    const { waitingLimits } = await readCardAccount(environment, account?.id ?? '')
    expect(waitingLimits).toMatchObject([{ targetId: account?.id, effect: expect.stringContaining('limit') }])
    const list = await listCardAccounts(environment, {})
    const marked = list.rows.flatMap((row) => row.waitingLimits.map(() => row.account.id))
    expect(marked).toEqual([account?.id])
    expect(resultState(await to(limitBefore - 1))).toBe('done')
  })

  test('a raise that is approved after somebody changed the limit is not sent: it may have been cut for a reason', async () => {
    const desk = await openConsole()
    await setPolicy(desk, [{ topic: 'limit-raises', when: 'always' }])
    await desk.signIn('operations')
    const { rows } = await listCardAccounts(environment, {})
    const account = rows.find((row) => row.account.accountType === 'credit' && (row.account.limit ?? 0) > 10)?.account
    const cardAccountId = account?.id ?? ''
    const limitBefore = account?.limit ?? 0
    const operationId = randomUUID()
    const limit = String(limitBefore + 1)
    const input = { environment, operationId, cardAccountId, limit, limitBefore, reason: 'credit-review' } as const
    expect(resultState(await runAction('account.set-limit', input))).toBe('waiting')
    await desk.service.call('setFixedLimit', { body: { cardAccountId, limit: 1 } })
    await desk.signIn('approver')
    expect(await decide(desk, operationId)).toEqual({ kind: 'settled', state: 'approved' })
    const { outcome } = await readOperation(environment, operationId)
    expect(outcome).toMatchObject({ state: 'refused', changed: 'no', code: 'CHANGED_MEANWHILE' })
    expect(outcome.happened).toMatch(/^The limit was changed meanwhile: it is .*1\.00/)
    expect((await readCardAccount(environment, cardAccountId)).account.limit).toBe(1)
  })

  test('an account with a limit above the rule’s waits, without its files on the page, and is opened once approved', async () => {
    const desk = await openConsole()
    await setPolicy(desk, [{ topic: 'limit-raises', when: 'amount', amount: '50000', currency: 'HKD' }])
    await desk.signIn('operations')
    expect(resultState(await runAction('account.open', opening('49,999')))).toBe('done')
    const high = opening('50,000')
    const file = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUg=='
    const supportingDocuments = [{ documentType: 'PASSPORT' as const, file }]
    expect(
      resultState(await runAction('account.open', { ...high, individual: { ...individual, supportingDocuments } })),
    ).toBe('waiting')
    await desk.signIn('approver')
    const { approval, request } = await readApproval(environment, high.operationId)
    expect(approval.effect).toBe('Opens the account Mei Chan 50,000 with a fixed limit of 50,000.00 HKD.')
    expect(request?.body).toContain('"file":"•••"')
    await decide(desk, high.operationId)
    const { outcome, resultId } = await readOperation(environment, high.operationId)
    expect(outcome.state).toBe('done')
    expect((await readCardAccount(environment, resultId ?? '')).account.limit).toBe(50_000)
  })

  test('an account without a limit is no raise of one, and counts for no rule about raises', async () => {
    const desk = await openConsole()
    await setPolicy(desk, [{ topic: 'limit-raises', when: 'count', count: 2 }])
    await desk.signIn('operations')
    const open = async (limit: string) => resultState(await runAction('account.open', opening(limit)))
    expect([await open(''), await open('0'), await open('100')]).toEqual(['done', 'done', 'done'])
    expect([await open('200'), await open('')]).toEqual(['waiting', 'done'])
  })

  test('is proposed by one admin and confirmed by another', async () => {
    const desk = await openConsole()
    const admin = await desk.signIn('admin')
    const second = await addStaff(desk, 'admin', 'second@demo.invalid')
    const sameAddress = await addStaff(desk, 'admin', admin?.email.toUpperCase() ?? '')
    const policyId = randomUUID()
    const proposal = {
      environment,
      policyId,
      replaces: null,
      rules: [{ topic: 'payouts' as const, when: 'amount' as const, amount: '10,000', currency: 'HKD' }],
      expiryHours: 12,
      tolerancePercent: '0.5',
      comment: 'First limits',
    }
    expect(await proposePolicy({ ...proposal, expiryHours: 0 })).toMatchObject({
      fields: { expiryHours: expect.any(String) },
    })
    const [rule] = proposal.rules
    const notPlain = 'must be a plain number, with a point before decimals'
    for (const [text, problem] of [
      ['one', notPlain],
      ['1e2', notPlain],
      ['1,5', notPlain],
      ['\0', notPlain],
      ['', 'must be given'],
    ] as const) {
      expect(await proposePolicy({ ...proposal, tolerancePercent: text })).toMatchObject({
        fields: { tolerancePercent: problem },
      })
      expect(await proposePolicy({ ...proposal, rules: rule ? [{ ...rule, amount: text }] : [] })).toMatchObject({
        fields: { 'rules.0.amount': problem },
      })
    }
    expect(await proposePolicy(proposal)).toEqual({ kind: 'settled', policyId })
    expect(await proposePolicy(proposal)).toEqual({ kind: 'settled', policyId })
    const otherProposal = { ...proposal, policyId: randomUUID() }
    expect(await proposePolicy(otherProposal)).toMatchObject({ kind: 'refused', outcome: { code: 'POLICY_CHANGED' } })
    const confirm = () => decidePolicy({ environment, policyId, decision: 'confirm' })
    expect(await confirm()).toMatchObject({ kind: 'refused', outcome: { code: 'SELF_APPROVAL' } })
    await desk.signInAs(sameAddress)
    expect(await confirm()).toMatchObject({ kind: 'refused', outcome: { code: 'SELF_APPROVAL' } })
    expect(await readPolicy(environment)).toMatchObject({ active: null, proposed: { confirmers: { count: 2 } } })
    await desk.signInAs(second)
    expect(await confirm()).toEqual({ kind: 'settled', policyId })
    expect(await readPolicy(environment)).toMatchObject({
      active: { id: policyId, rules: [{ amount: '10000' }], expiryHours: 12 },
      proposed: null,
    })
    expect(await proposePolicy(otherProposal)).toMatchObject({ outcome: { code: 'POLICY_CHANGED' } })
    const trail = await desk.db.select().from(auditEntries).where(eq(auditEntries.act, 'policy.confirm'))
    const inOrder = trail.toSorted((one, other) => one.number - other.number)
    expect(inOrder.map(({ outcome, staffId }) => [outcome, staffId])).toEqual([
      ['refused', admin?.id],
      ['refused', sameAddress],
      ['done', second],
    ])
  })
})

describe('a payout whose quote expired before the approval', () => {
  async function waitingPayout(desk: TestConsole, tolerancePercent: string) {
    vi.stubEnv('BUILT_IN_SERVICE', 'on')
    onTestFinished(() => void vi.unstubAllEnvs())
    await setPolicy(desk, [{ topic: 'payouts', when: 'always' }], { tolerancePercent })
    await desk.signIn('operations')
    const quote = await quoted(philippines, '1000')
    const submission = makeSubmission(quote, philippines)
    expect(resultState(await runAction('payout.submit', submission))).toBe('waiting')
    return { quote, id: submission.operationId ?? '' }
  }
  const later = (desk: TestConsole) => desk.service.control('POST', '/clock', { advance: 'PT1H' })

  test('is made with its own quote while that is valid', async () => {
    const desk = await openConsole()
    const { quote, id } = await waitingPayout(desk, '1')
    await desk.signIn('approver')
    await decide(desk, id)
    expect(await payoutsMade(desk, quote.id)).toHaveLength(1)
    expect(await readApproval(environment, id)).toMatchObject({
      approval: { executed: null },
      terms: { sentSha256: null },
    })
  })

  test.each(['approve', 'decline'] as const)(
    'to a card leaves no number behind once it ended: %s',
    async (decision) => {
      const desk = await openConsole()
      await setPolicy(desk, [{ topic: 'payouts', when: 'always' }])
      await desk.signIn('operations')
      const input = makeSubmission(await quoted(card), card)
      expect(resultState(await runAction('payout.submit', input))).toBe('waiting')
      const stored = async () => {
        await settleUnknownOperations()
        const [approval] = await desk.db.select().from(approvals)
        const [operation] = await desk.db.select().from(operations)
        return [approval?.sealedTerms, operation?.sealedBody]
      }
      expect(await stored()).toEqual([expect.any(Buffer), expect.any(Buffer)])
      await desk.signIn('approver')
      await decide(desk, input.operationId, decision)
      expect(await stored()).toEqual([null, null])
      expect(await readApproval(environment, input.operationId)).toMatchObject({ terms: null, request: null })
    },
  )

  test('to a card is approved also after the sealing key was replaced', async () => {
    const desk = await openConsole()
    await setPolicy(desk, [{ topic: 'payouts', when: 'always' }])
    await desk.signIn('operations')
    const input = makeSubmission(await quoted(card), card)
    expect(resultState(await runAction('payout.submit', input))).toBe('waiting')
    const { sealingKey, previousSealingKey } = consoleSettings()
    onTestFinished(() => void Object.assign(consoleSettings(), { sealingKey, previousSealingKey }))
    Object.assign(consoleSettings(), { sealingKey: Buffer.alloc(32, 9), previousSealingKey: sealingKey })
    await desk.signIn('approver')
    expect(await decide(desk, input.operationId)).toMatchObject({ state: 'approved' })
    expect((await readOperation(environment, input.operationId)).outcome).toMatchObject({ state: 'done' })
  })

  test('says that it has expired while it waits', async () => {
    const desk = await openConsole()
    const { id } = await waitingPayout(desk, '1')
    const read = async () => (await readApproval(environment, id)).terms?.hasExpired
    expect(await read()).toBe(false)
    await later(desk)
    expect(await read()).toBe(true)
    await desk.stopService()
    expect(await read(), 'the request is readable without a service').toBeTypeOf('boolean')
  })

  test('is made with a newer quote within the tolerance, from the approved terms', async () => {
    const desk = await openConsole()
    const { quote, id } = await waitingPayout(desk, '5')
    await later(desk)
    await desk.signIn('approver')
    await decide(desk, id)
    const { operation, terms, request, fingerprint } = await readApproval(environment, id)
    expect(operation).toMatchObject({ outcome: { state: 'done' } })
    expect(await payoutsMade(desk, quote.id)).toHaveLength(0)
    expect(terms).toMatchObject({ sha256: fingerprint, maximumSourceAmount: '1050', sentSha256: request?.sha256 })
    const sent = JSON.parse(request?.body ?? '{}') as { quoteId: string }
    const [made] = await payoutsMade(desk, sent.quoteId)
    const { timeline } = await readPayout(environment, made?.id ?? '')
    expect(timeline.entries.slice(0, 2)).toMatchObject([
      { kind: 'operation', by: { name: 'Olivia Poon' } },
      { kind: 'approved', by: 'Ada Ng', operationId: id },
    ])
    expect(Number(made?.destinationAmount)).toBe(Number(quote.destinationAmount))
    expect(Number(made?.sourceAmount)).toBeLessThanOrEqual(1050)
    const [decision] = await desk.db.select().from(auditEntries).where(eq(auditEntries.act, 'approval.approve'))
    expect(decision?.comment).toMatch(/^Debits .* 1,000\.00 HKD .* At most 1,050\.00 HKD with a newer quote\.$/)
    // Whoever enters the same instruction again types the amount that was submitted, not the one that was debited.
    await desk.signIn('operations')
    expect((await quoted(philippines, '1000')).similar).toMatchObject([{ operationId: id, state: 'made' }])
  })

  test('shows what was debited beside what was approved, on its page and in the list', async () => {
    const desk = await openConsole()
    const { id } = await waitingPayout(desk, '5')
    await later(desk)
    await desk.signIn('approver')
    await decide(desk, id)
    const { approval, payout, request } = await readApproval(environment, id)
    const [made] = await payoutsMade(desk, (JSON.parse(request?.body ?? '{}') as { quoteId: string }).quoteId)
    // An hour later the rate is another one.
    const debited = String(Number(made?.sourceAmount))
    expect(Number(debited)).not.toBe(1000)
    const shown = { amount: '1000', currency: 'HKD', executed: { amount: debited, currency: 'HKD' } }
    expect(approval).toMatchObject(shown)
    expect(payout).toMatchObject({ sourceAmount: debited })
    const { approvals: listed } = await listApprovals(environment, {})
    expect(listed).toMatchObject([{ id, ...shown }])
  })

  test.each([
    [{ sourceAmount: -1000 }, 'The card service quoted −1,000.00 HKD, which is not above zero.'],
    [{ destinationAmount: 1 }, 'The card service quoted 1.00 PHP, and {paid} PHP was approved.'],
    [{ destinationCurrency: 'HKD' }, 'The card service quoted a payout in HKD, and PHP was approved.'],
    [
      { rate: 1 },
      'The card service’s quote contradicts itself: 1,000.00 HKD at its rate of 1 is 1,000.00 PHP, and it quoted {paid} PHP.',
    ],
  ])('is stopped where the newer quote has %o', async (change, problem) => {
    const desk = await openConsole()
    const { id, quote } = await waitingPayout(desk, '1')
    await later(desk)
    const wrong = {
      id: randomUUID(),
      sourceAmount: 1000,
      destinationAmount: Number(quote.destinationAmount),
      rate: null,
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
      ...change,
    }
    desk.intercept.after = (request) => (request.url?.endsWith('/payouts/quote') ? Response.json(wrong) : null)
    await desk.signIn('approver')
    await decide(desk, id)
    const { outcome } = await readOperation(environment, id)
    const said = problem.replace(
      '{paid}',
      Number(quote.destinationAmount).toLocaleString('en-HK', { minimumFractionDigits: 2 }),
    )
    expect(outcome).toMatchObject({ code: 'OUTSIDE_TOLERANCE', happened: `${said} Nothing was sent.` })
    expect(await payoutsMade(desk, wrong.id)).toEqual([])
  })

  test('is stopped outside of the tolerance, with the difference', async () => {
    const desk = await openConsole()
    const { id, quote } = await waitingPayout(desk, '1')
    await later(desk)
    const dearer = {
      id: randomUUID(),
      sourceAmount: 1011.5,
      sourceCurrency: 'HKD',
      destinationAmount: Number(quote.destinationAmount),
      destinationCurrency: 'PHP',
      rate: Number(quote.destinationAmount) / 1011.5,
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
    }
    desk.intercept.after = (request) => (request.url?.endsWith('/payouts/quote') ? Response.json(dearer) : null)
    await desk.signIn('approver')
    desk.requests.clear()
    await decide(desk, id)
    const { outcome } = await readOperation(environment, id)
    expect(outcome).toMatchObject({ state: 'refused', code: 'OUTSIDE_TOLERANCE', changed: 'no' })
    expect(outcome.happened).toBe(
      'The quote expired. A new one costs 1,011.50 HKD; at most 1,010.00 HKD was approved, so it is 1.50 HKD too much. Nothing was sent.',
    )
    expect(desk.requests.get('/payouts')).toBeUndefined()
    expect(await payoutsMade(desk, dearer.id)).toEqual([])

    const { approvals: listed } = await listApprovals(environment, {})
    expect(listed, 'an approval alone does not say that it was paid').toMatchObject([
      { id, state: 'approved', outcome: 'refused' },
    ])
    await desk.signIn('operations')
    const { sections } = await readMyWork(environment)
    const decisions = sections.find(({ source }) => source === 'decisions')
    expect(decisions?.items).toMatchObject([{ id, text: 'approved', outcome: 'refused', by: 'Ada Ng' }])
  })
})
