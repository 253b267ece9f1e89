import 'server-only'
import { and, desc, eq } from 'drizzle-orm'
import { z } from 'zod'
import { helpDeskText, requestKinds, requestRow, requestWays } from '#lib/api/help-desk-requests.ts'
import { appendAudit } from '#lib/audit/chain.ts'
import { auditRefusedAttempts } from '#lib/audit/refused-attempts.ts'
import { onlyRoles } from '#lib/auth/permissions.ts'
import { requireCurrentStaff } from '#lib/auth/session.ts'
import { requireStepUp } from '#lib/auth/step-up.ts'
import type { Staff } from '#lib/auth/types.ts'
import { withoutThousands } from '#lib/contract/amount-entry.ts'
import { Currency } from '#lib/contract/fields.ts'
import { database, type Transaction } from '#lib/db/connection.ts'
import { lockByName } from '#lib/db/locks.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { action } from '#lib/gate/action.ts'
import { publish } from '#lib/live/publish.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { amount } from '#lib/shared/money.ts'
import { EnvironmentName, wholeNumber } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { isoTime } from '#lib/shared/time.ts'
import { policies } from '#lib/tables/approvals.ts'
import { Id } from '../spec.ts'
import type { NotStarted } from '../types.ts'
import { RequiredComment } from './comment.ts'
import { readApprovers, isMaker, lockMember, mayDo } from './people.ts'
import { policyTopicNames, ruleText } from './policy-rules.ts'
import { findActivePolicy, noPolicy, type PolicyRow } from './policy.ts'
import { emailKey } from './request.ts'
import type { Policy, PolicyState, PolicyTerms } from './types.ts'

const topic = z.enum(policyTopicNames, 'must be a topic of the list')
const decimal = z
  .string('must be decimal text')
  .max(20, 'is too long')
  .transform((text) => withoutThousands(text.trim()))
  .refine((text) => text !== '', { error: 'must be given', abort: true })
  .refine((text) => /^\d{1,13}(?:\.\d{1,4})?$/.test(text), {
    error: 'must be a plain number, with a point before decimals',
    abort: true,
  })

const PolicyRuleInput = z.discriminatedUnion('when', [
  z.object({ topic, when: z.literal('always') }),
  z.object({
    topic: topic.exclude(['cancellations'], 'has no amount'),
    when: z.literal('amount'),
    amount: decimal.refine((text) => amount(text).gt(0), 'must be above 0'),
    currency: Currency,
  }),
  z.object({ topic, when: z.literal('count'), count: wholeNumber(5000) }),
])

const Proposal = z.object({
  environment: EnvironmentName,
  /** Made by the screen: one proposal under double click and retry. */
  policyId: Id,
  /** The policy that the person saw; null for none. */
  replaces: Id.nullable(),
  rules: z.array(PolicyRuleInput).max(30, 'must be at most 30'),
  /** A kind that is left out can't be requested. */
  helpDesk: z
    .partialRecord(z.enum(requestKinds), z.enum(requestWays))
    .refine((ways) => requestKinds.every((kind) => !ways[kind] || requestRow(kind).ways.includes(ways[kind])), {
      message: 'must name a way that each request has',
    })
    .default({}),
  expiryHours: wholeNumber(168),
  tolerancePercent: decimal.refine((text) => amount(text).lte(10), 'must be at most 10'),
  comment: RequiredComment,
})

const Decision = z.object({
  environment: Proposal.shape.environment,
  policyId: Id,
  decision: z.enum(['confirm', 'reject', 'withdraw'], 'must be confirm, reject or withdraw'),
})
type PolicyResult = { kind: 'settled'; policyId: string } | NotStarted

/** The environment's policy, the pending proposal, and the last twenty versions. */
export async function readPolicy(environment: Environment): Promise<PolicyState> {
  const { staff: reader } = await requireCurrentStaff()
  const db = database()
  const rows = await db
    .select()
    .from(policies)
    .where(eq(policies.environment, environment))
    .orderBy(desc(policies.proposedAt))
    .limit(22)
  const proposed = rows.find(({ state }) => state === 'proposed')
  const active = rows.find(({ state }) => state === 'active') ?? (await findActivePolicy(db, environment))
  const maker = proposed && { id: proposed.proposedById, email: proposed.proposedByEmail }
  return {
    active: active ? toPolicy(active) : null,
    approvers: await readApprovers(db, environment, 'approvals.decide', {
      id: reader.id,
      email: emailKey(reader.email),
    }),
    proposed:
      proposed && maker
        ? {
            ...toPolicy(proposed),
            isOwn: proposed.proposedById === reader.id,
            confirmers: await readApprovers(db, environment, 'policy.manage', maker),
          }
        : null,
    history: rows.filter(({ state }) => state !== 'active' && state !== 'proposed').map(toPolicy),
    defaults: noPolicy,
  }
}

function toPolicy(row: PolicyRow): Policy {
  const { id, state, rules, helpDesk, expiryHours, tolerancePercent, comment, proposedById, proposedByName } = row
  return {
    id,
    state,
    rules,
    helpDesk,
    expiryHours,
    tolerancePercent,
    comment,
    proposedBy: { id: proposedById, name: proposedByName },
    proposedAt: row.proposedAt.toISOString(),
    decidedBy: row.decidedById && row.decidedByName ? { id: row.decidedById, name: row.decidedByName } : null,
    decidedAt: isoTime(row.decidedAt),
  }
}

/** Proposes a policy. It applies once another admin has confirmed it. Only one proposal can be pending. */
export const proposePolicy = action('proposePolicy', {
  input: Proposal,
  run: async (given, { staff }): Promise<PolicyResult> => {
    const { environment, policyId: id, replaces, rules, helpDesk, expiryHours, tolerancePercent, comment } = given
    if (!(await isKnown(id))) {
      const target = policyTarget(id)
      await requireStepUp({ kind: 'policy.propose', environment, operationId: null, input: given, target })
    }
    await auditAttempt('policy.propose', environment, id, staff, comment, async (tx) => {
      const before = await lockPolicies(tx, environment)
      if (before.some((row) => row.id === id)) return
      if (before.some(({ state }) => state === 'proposed')) {
        throw new AppError('POLICY_CHANGED', 'Another proposal waits already. Decide on it first.')
      }
      if ((before.find(({ state }) => state === 'active')?.id ?? null) !== replaces) {
        throw new AppError('POLICY_CHANGED', 'The policy was changed meanwhile. Check it, then begin a new proposal.')
      }
      await tx.insert(policies).values({
        id,
        environment,
        state: 'proposed',
        rules,
        helpDesk,
        expiryHours,
        tolerancePercent,
        comment,
        proposedById: staff.id,
        proposedByName: staff.name,
        proposedByEmail: emailKey(staff.email),
        proposedAt: new Date(),
      })
      await auditPolicy(tx, 'policy.propose', environment, id, staff, formatTerms(given), comment)
    })
    return { kind: 'settled', policyId: id }
  },
})

async function isKnown(id: string): Promise<boolean> {
  const rows = await database().select({ id: policies.id }).from(policies).where(eq(policies.id, id))
  return rows.length > 0
}

/** Confirms or rejects a proposal, never by the admin who made it; that admin can withdraw it. */
export const decidePolicy = action('decidePolicy', {
  input: Decision,
  run: async (given, { staff }): Promise<PolicyResult> => {
    const { environment, policyId, decision } = given
    const act = `policy.${decision}`
    const state = ({ confirm: 'active', reject: 'rejected', withdraw: 'withdrawn' } as const)[decision]
    if (decision === 'confirm') {
      const target = policyTarget(policyId)
      await requireStepUp({ kind: act, environment, operationId: null, input: given, target })
    }
    await auditAttempt(act, environment, policyId, staff, null, async (tx) => {
      const rows = await lockPolicies(tx, environment)
      const row = rows.find(({ id }) => id === policyId)
      if (row?.state === state && row.decidedById === staff.id) return
      if (row?.state !== 'proposed') throw new AppError('POLICY_CHANGED', 'This proposal doesn’t wait any more.')
      const member = await lockMember(tx, staff.id)
      if (!mayDo(member, 'policy.manage', environment)) {
        throw new AppError('NOT_PERMITTED', onlyRoles('policy.manage', environment))
      }
      const isOwn = await isMaker(tx, [{ id: row.proposedById, email: row.proposedByEmail }], member)
      if (decision === 'withdraw' && row.proposedById !== member.id) {
        throw new AppError('NOT_PERMITTED', `Only ${row.proposedByName} can withdraw this proposal.`)
      }
      if (decision !== 'withdraw' && isOwn) {
        throw new AppError('SELF_APPROVAL', 'Another admin has to decide on your proposal.')
      }
      if (decision === 'confirm') {
        const isActive = and(eq(policies.environment, environment), eq(policies.state, 'active'))
        await tx.update(policies).set({ state: 'replaced' }).where(isActive)
      }
      const decided = { state, decidedById: member.id, decidedByName: member.name, decidedAt: new Date() }
      await tx.update(policies).set(decided).where(eq(policies.id, policyId))
      await auditPolicy(tx, act, environment, policyId, staff, formatTerms(row), null)
    })
    return { kind: 'settled', policyId }
  },
})

/** Changes of an environment's policy are made one after the other. */
async function lockPolicies(tx: Transaction, environment: Environment): Promise<PolicyRow[]> {
  await lockByName(tx, 'policies', environment)
  return tx.select().from(policies).where(eq(policies.environment, environment))
}

async function auditAttempt(
  act: string,
  environment: Environment,
  id: string,
  by: Staff,
  reason: string | null,
  work: (tx: Transaction) => Promise<void>,
): Promise<void> {
  const attempt = { environment, kind: act, by, target: policyTarget(id), reason }
  await auditRefusedAttempts(attempt, () => inTransaction(database(), work))
  publish(environment, [{ type: 'policy' }])
}

async function auditPolicy(
  tx: Transaction,
  act: string,
  environment: Environment,
  id: string,
  by: Staff,
  text: string,
  reason: string | null,
): Promise<void> {
  await appendAudit(tx, { by, environment, act, target: policyTarget(id), outcome: 'done', reason, comment: text })
}

function policyTarget(id: string) {
  return { type: 'policy', id, parentId: null, label: null }
}

/** The policy's rules, for the audit log. */
function formatTerms({ rules, helpDesk, expiryHours, tolerancePercent }: PolicyTerms) {
  const sentences = rules.length === 0 ? ['Nothing needs an approval.'] : rules.map(ruleText)
  const others = [helpDeskText(helpDesk), `Expires after ${expiryHours} h.`, `Tolerance ${tolerancePercent} %.`]
  return [...sentences, ...others].join(' ')
}
