import 'server-only'
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { appendAudit, recordAudit } from '#lib/audit/chain.ts'
import { currentOrigin } from '#lib/audit/request-origin.ts'
import type { Actor, Target } from '#lib/audit/types.ts'
import type { Role } from '#lib/auth/permissions.ts'
import type { EndpointName } from '#lib/contract/endpoints.ts'
import { database, type Transaction } from '#lib/db/connection.ts'
import { keyedDigest } from '#lib/db/sealing.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { publish } from '#lib/live/publish.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { amount } from '#lib/shared/money.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { storable } from '#lib/shared/texts.ts'
import { bulkItems, bulkJobs } from '#lib/tables/bulk.ts'
import { staffValues, targetValues } from '#lib/tables/schema.ts'
import { findApprovalNeed } from '../approvals/find-approval-need.ts'
import { sealTerms } from '../approvals/grant.ts'
import type { PolicyFacts } from '../approvals/policy-rules.ts'
import type { ApprovalNeed } from '../approvals/policy.ts'
import { insertApproval, findReasonsForApproval } from '../approvals/request.ts'
import { noteContentsBefore } from '../approvals/sandbox-contents.ts'
import { readApprovedRows, rowsSha256, type JobTerms } from './approved-rows.ts'
import { jobTarget } from './record.ts'
import { wakeBulkJobs } from './run.ts'
import { type BulkFacts, type BulkKind, hasAmounts } from './types.ts'

export const maximumBulkItems = 5000
const rowsPerInsert = 500

/**
 * Starts a job, once however often it is requested under the same id; with other content it is refused
 * (`OPERATION_MISMATCH`). Its caller checked the permission. Everything of it is written and audited before the first row
 * begins.
 */
export async function startBulkJob(entry: BulkEntry): Promise<void> {
  const { id, environment, kind, by, reason, title, items } = entry
  if (items.length === 0 || items.length > maximumBulkItems) {
    throw new TypeError(`a bulk job has 1 to ${maximumBulkItems} rows, not ${items.length}`)
  }
  const contentDigest = jobDigest(entry)
  // A reset before it is noted now, or the job would be paused for that.
  await noteContentsBefore(environment)
  const need = await findApprovalNeed(environment, toPolicyFacts(entry))
  const audited = { by, environment, act: 'bulk.start', target: jobTarget(id, title), reason }
  const isSame = await inTransaction(database(), async (tx) => {
    const [made] = await tx
      .insert(bulkJobs)
      .values({
        id,
        environment,
        kind,
        title,
        reason,
        ...staffValues(by),
        caller: await currentOrigin(),
        contentDigest,
        state: 'running',
        total: items.length,
        createdAt: new Date(),
        leaseUntil: new Date(0),
        nextAt: new Date(0),
      })
      .onConflictDoNothing()
      .returning({ id: bulkJobs.id })
    if (!made) {
      const [existing] = await tx.select().from(bulkJobs).where(eq(bulkJobs.id, id))
      return existing?.contentDigest === contentDigest
    }
    // Read before the job's own rows are written: they would count as earlier requests.
    const because = need ? await findReasonsForApproval(tx, need, environment, by.id) : []
    await insertItems(tx, entry)
    await appendAudit(tx, { ...audited, outcome: 'done' })
    if (need && because.length > 0) await waitForApproval(tx, entry, need, because)
    return true
  })
  if (!isSame) {
    await recordAudit(database(), { ...audited, outcome: 'refused', code: 'OPERATION_MISMATCH' })
    throw new AppError('OPERATION_MISMATCH', 'This job was started before with other content.')
  }
  publish(environment, [{ type: 'bulk-job', id }, { type: 'approvals' }])
  wakeBulkJobs()
}

/** Whether the person has started this job: a second click leads to it. */
export async function isStarted(jobId: string, staffId: string): Promise<boolean> {
  const [job] = await database().select({ staffId: bulkJobs.staffId }).from(bulkJobs).where(eq(bulkJobs.id, jobId))
  return job?.staffId === staffId
}

/** Holds the whole job back: a rule of the policy applies to it, or to a row of it. */
async function waitForApproval(
  tx: Transaction,
  entry: BulkEntry,
  need: ApprovalNeed,
  because: string[],
): Promise<void> {
  const { id, environment, kind, by, title, reason } = entry
  const fingerprint = rowsSha256(environment, await readApprovedRows(tx, id))
  const terms: JobTerms = { rowsSha256: fingerprint }
  const request = { endpoint: null, method: null, path: null }
  const target = jobTarget(id, title)
  const { sealed: sealedTerms } = sealTerms(id, terms)
  const common = { id, environment, subject: 'bulk-job' as const, kind, by, target, reason, comment: null }
  await insertApproval(tx, { ...common, because, fingerprint, sealedTerms, request }, need)
  const pausedBecause = 'It waits for the approval of another person.'
  await tx.update(bulkJobs).set({ state: 'paused', pausedBecause }).where(eq(bulkJobs.id, id))
}

/** The job as a whole, then each row that would need an approval by itself. */
function toPolicyFacts({ kind, title, items }: BulkEntry): [PolicyFacts, ...PolicyFacts[]] {
  const toPolicyAmount = ({ facts }: BulkItemEntry) => ({
    amount: (facts.limit ?? facts.amount ?? null)?.replace(/^-/, '') ?? null,
    currency: facts.currency ?? null,
  })
  const raises = items.filter(
    ({ facts: { limit, limitBefore } }) =>
      limit && (limitBefore === null || limitBefore === undefined || amount(limit).gt(amount(limitBefore))),
  )
  const effect = `${title}.`
  return [
    { topic: 'bulk-jobs', effect, amounts: hasAmounts(kind) ? items.map(toPolicyAmount) : [], rows: items.length },
    ...raises.map((item) => ({ topic: 'limit-raises' as const, effect, amounts: [toPolicyAmount(item)] })),
  ]
}

async function insertItems(tx: Transaction, { id: jobId, items }: BulkEntry): Promise<void> {
  for (let first = 0; first < items.length; first += rowsPerInsert) {
    await tx.insert(bulkItems).values(
      items.slice(first, first + rowsPerInsert).map(({ target, endpoint, body, facts }, index) => ({
        jobId,
        position: first + index + 1,
        operationId: randomUUID(),
        ...targetValues(target),
        endpoint,
        body,
        facts: storable(facts) as typeof facts,
        state: 'waiting' as const,
      })),
    )
  }
}

/**
 * The part of a row that the person confirmed. Names and figures that were read for the screen may differ at a second
 * click.
 */
function jobDigest({ environment, kind, reason, by, items }: BulkEntry): string {
  const requested = items.map(({ target, endpoint, body }) => [target.type, target.id, target.parentId, endpoint, body])
  return keyedDigest(consoleSettings().sealingKey, [environment, kind, by.id, reason, JSON.stringify(requested)])
}

/** A row before it is stored: one request of its own. */
export type BulkItemEntry = { target: Target; endpoint: EndpointName; body: Record<string, unknown>; facts: BulkFacts }

/** A job to be. At most 5,000 rows. */
export type BulkEntry = {
  /** A UUID that the dialog makes when it opens. */
  id: string
  environment: Environment
  kind: BulkKind
  title: string
  reason: string | null
  by: Actor & { role: Role }
  items: readonly BulkItemEntry[]
}
