import 'server-only'
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { findOperationDefinition } from '#lib/api/actions.ts'
import { appendAudit } from '#lib/audit/chain.ts'
import { auditRefusedAttempts } from '#lib/audit/refused-attempts.ts'
import type { Actor } from '#lib/audit/types.ts'
import { onlyRoles, type Permission, listPermissions } from '#lib/auth/permissions.ts'
import { oneOf } from '#lib/contract/fields.ts'
import { database, type Transaction } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { action } from '#lib/gate/action.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { moneyText } from '#lib/shared/currency.ts'
import { asFields, parseJson } from '#lib/shared/json.ts'
import { EnvironmentName } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { approvals } from '#lib/tables/approvals.ts'
import { toTarget } from '#lib/tables/schema.ts'
import { Id } from '../spec.ts'
import type { NotStarted } from '../types.ts'
import type { ApprovalState } from '../types.ts'
import { OptionalComment } from './comment.ts'
import { openTerms } from './grant.ts'
import { mayStillRequest } from './help-desk.ts'
import { isMaker, lockMember, mayDo } from './people.ts'
import { approvalTopicNames, decidingPermissions } from './policy-rules.ts'
import { type ApprovalRow, publishApproval } from './request.ts'
import { noteContentsBefore } from './sandbox-contents.ts'
import { subjects } from './subjects.ts'

const Where = { environment: EnvironmentName, approvalId: Id }

const Decision = z.object({
  ...Where,
  topic: oneOf(approvalTopicNames),
  decision: z.enum(['approve', 'decline'], 'must be approve or decline'),
  /** Required to decline. */
  reason: OptionalComment,
  /** The digest that the checker confirmed: another request under this id is not approved. */
  fingerprint: z.string('must be the digest of the request').max(128),
})

const Withdrawal = z.object(Where)

/** `settled`: the request as it is now, decided by this call or an earlier one of the same person. */
type ApprovalResult = { kind: 'settled'; state: ApprovalState } | NotStarted

/**
 * Approves or declines a request. Its maker can't: that is checked in the transaction of the decision, with the rows of
 * both people locked. An approved request is sent before this returns; the outcome is that of its operation.
 */
export const decideApproval = action('decideApproval', {
  input: Decision,
  run: async (given, { staff: by }): Promise<ApprovalResult> => {
    const { environment, approvalId, decision, fingerprint } = given
    const act = `approval.${decision}`
    const reason = given.reason || null
    if (decision === 'decline' && reason === null) return { kind: 'invalid', fields: { reason: 'must be given' } }
    await noteContentsBefore(environment)
    return settleRequest(environment, approvalId, act, by, reason, async (tx, row) => {
      if (row.state !== 'waiting') {
        // A second click of the same decision.
        const same = row.decidedById === by.id && row.state === (decision === 'approve' ? 'approved' : 'declined')
        if (same) return null
        throw new AppError('APPROVAL_DECIDED', `This request is ${row.state} already.`)
      }
      const checker = await lockMember(tx, by.id)
      const permission = decidingPermissions[row.topic]
      if (!mayDo(checker, permission, environment))
        throw new AppError('NOT_PERMITTED', onlyRoles(permission, environment))
      if (await isMaker(tx, [{ id: row.makerId, email: row.makerEmail }], checker)) {
        throw new AppError('SELF_APPROVAL', 'You can’t decide on your own request.')
      }
      if (row.expiresAt.getTime() <= Date.now()) {
        throw new AppError('APPROVAL_DECIDED', 'This request has expired.')
      }
      const decidedBy = { id: checker.id, name: checker.name, role: checker.role }
      if (decision === 'decline') {
        const message = `${checker.name} declined it: ${reason}`
        await subjects[row.subject].close(tx, row, 'declined', message)
        return { state: 'declined', by: decidedBy }
      }
      await requireMaker(tx, row)
      await subjects[row.subject].release(tx, row, fingerprint, decidedBy)
      return { state: 'approved', by: decidedBy }
    })
  },
})

/** Throws `MAKER_NOT_PERMITTED` where the maker of a request may not make it any more. */
async function requireMaker(tx: Transaction, row: ApprovalRow): Promise<void> {
  const { makerId, makerName, makerRole, environment } = row
  if (makerRole === null) {
    if (await mayStillRequest(tx, row)) return
    throw new AppError('MAKER_NOT_PERMITTED', 'Its help desk’s key or the policy no longer allows this request.')
  }
  const maker = await lockMember(tx, makerId)
  if (mayDo(maker, neededPermission(row), environment)) return
  throw new AppError(
    'MAKER_NOT_PERMITTED',
    maker
      ? `${makerName}’s role no longer includes this request.`
      : `${makerName} has no access to the console any more.`,
  )
}

/** Withdraws a request. Only its maker can. */
export const withdrawApproval = action('withdrawApproval', {
  input: Withdrawal,
  run: ({ environment, approvalId }, { staff: by }) =>
    settleRequest(environment, approvalId, 'approval.withdraw', by, null, async (tx, row) => {
      if (row.makerId !== by.id) throw new AppError('NOT_PERMITTED', `Only ${row.makerName} can withdraw this request.`)
      if (row.state === 'withdrawn') return null
      if (row.state !== 'waiting') throw new AppError('APPROVAL_DECIDED', `This request is ${row.state} already.`)
      await subjects[row.subject].close(tx, row, 'withdrawn', `${by.name} withdrew it.`)
      return { state: 'withdrawn', by }
    }),
})

/** Sends an approved request that was not sent, for its maker or an approver. In any other state nothing happens. */
export const sendApproved = action('sendApproved', {
  input: Withdrawal,
  run: async ({ environment, approvalId }, { staff: { id, role } }): Promise<ApprovalResult> => {
    const [row] = await database().select().from(approvals).where(eq(approvals.id, approvalId))
    if (row?.environment !== environment) {
      throw new AppError('APPROVAL_NOT_FOUND', 'There is no such request in this environment.')
    }
    const held = listPermissions(role, environment)
    const isOwn = row.makerId === id && held.includes(neededPermission(row))
    if (!isOwn && !held.includes(decidingPermissions[row.topic])) {
      throw new AppError('NOT_PERMITTED', 'Only its maker or an approver can send this request again.')
    }
    if (row.state === 'approved') await subjects[row.subject].resume(row)
    return { kind: 'settled', state: row.state }
  },
})

type Decided = { state: Exclude<ApprovalState, 'waiting'>; by: Actor }

/**
 * Decides with the request's row locked; a refused attempt is audited. An approved request continues after the commit.
 */
async function settleRequest(
  environment: Environment,
  id: string,
  act: string,
  by: Actor,
  reason: string | null,
  decide: (tx: Transaction, row: ApprovalRow) => Promise<Decided | null>,
): Promise<ApprovalResult> {
  const [known] = await database().select().from(approvals).where(eq(approvals.id, id))
  const target = known?.environment === environment ? toTarget(known) : null
  const attempt = { environment, by, kind: act, id, target, reason }
  const row = await auditRefusedAttempts(attempt, () =>
    inTransaction(database(), async (tx) => {
      const [locked] = await tx.select().from(approvals).where(eq(approvals.id, id)).for('update')
      if (locked?.environment !== environment) {
        throw new AppError('APPROVAL_NOT_FOUND', 'There is no such request in this environment.')
      }
      const decided = await decide(tx, locked)
      return decided ? write(tx, locked, decided, act, reason) : locked
    }),
  )
  publishApproval(row)
  if (row.state === 'approved') await subjects[row.subject].resume(row)
  return { kind: 'settled', state: row.state }
}

async function write(
  tx: Transaction,
  row: ApprovalRow,
  { state, by }: Decided,
  act: string,
  reason: string | null,
): Promise<ApprovalRow> {
  const [written] = await tx
    .update(approvals)
    .set({
      state,
      decidedAt: new Date(),
      decidedById: by.id,
      decidedByName: by.name,
      decidedByRole: by.role,
      decisionReason: reason,
      noticeDueAt: null,
    })
    .where(eq(approvals.id, row.id))
    .returning()
  const entry = { by, environment: row.environment, act, target: toTarget(row), outcome: 'done' as const }
  // The entry names the agent and the bytes of a help desk's request, because its key asserts the agent and no session shows them.
  const effect = decidedEffect(row)
  const comment = row.makerRole === null ? [effect, ...row.because, `SHA-256 ${row.fingerprint}`].join(' ') : effect
  await appendAudit(tx, { ...entry, reason, comment, operationId: row.id })
  return written ?? row
}

/** The effect that was decided on, and for a payout what a newer quote may debit at most. */
function decidedEffect({ id, effect, sealedTerms }: ApprovalRow): string {
  const terms = asFields(parseJson((sealedTerms && openTerms(id, sealedTerms))?.toString('utf8') ?? ''))
  const { maximumSourceAmount: most, sourceCurrency } = terms
  if (typeof most !== 'string' || typeof sourceCurrency !== 'string') return effect
  return `${effect} At most ${moneyText(most, sourceCurrency)} with a newer quote.`
}

/** The permission needed to start what the request is about. */
function neededPermission({ kind }: ApprovalRow): Permission {
  return findOperationDefinition(kind)?.needs ?? 'payouts.submit'
}
