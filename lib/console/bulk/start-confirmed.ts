import 'server-only'
import type { z } from 'zod'
import { operationDefinition, reasonIssues } from '#lib/api/actions.ts'
import type { Staff } from '#lib/auth/types.ts'
import { requireService } from '#lib/environments/environments.ts'
import { type BulkItemEntry, isStarted, startBulkJob } from '#lib/operations/bulk/start.ts'
import type { BulkKind } from '#lib/operations/bulk/types.ts'
import type { OperationInput } from '#lib/operations/spec.ts'
import { reasonLine } from '#lib/shared/reasons.ts'
import type { StartJobResult } from './types.ts'

/** The job's current plan, or `fields` saying why it differs from the confirmed one or cannot run. */
type Plan = () => Promise<{ title: string; items: readonly BulkItemEntry[] } | { fields: Record<string, string> }>

/**
 * Starts the job that a person confirmed, or leads to it where an earlier click has: the operation's id is the job's. What it
 * does is planned again, and nothing starts where that is not what was confirmed.
 */
export async function startConfirmedJob(
  kind: BulkKind,
  given: z.output<typeof OperationInput>,
  by: Staff,
  plan: Plan,
): Promise<StartJobResult> {
  const { environment, operationId: id, reason, comment } = given
  const issues = reasonIssues(kind, given, operationDefinition(kind).reasons !== undefined)
  if (Object.keys(issues).length > 0) return { kind: 'invalid', fields: issues }
  const started = { kind: 'started', jobId: id } as const
  // The rows of the job that an earlier click started may have changed what it comes to.
  if (await isStarted(id, by.id)) return started
  requireService(environment)
  const planned = await plan()
  if ('fields' in planned) return (await isStarted(id, by.id)) ? started : { kind: 'invalid', ...planned }
  const { title, items } = planned
  await startBulkJob({ id, environment, kind, title, reason: reason ? reasonLine(reason, comment) : null, by, items })
  return started
}
