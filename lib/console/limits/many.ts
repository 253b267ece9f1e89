import 'server-only'
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { database } from '#lib/db/connection.ts'
import { toWire } from '#lib/shared/money.ts'
import { reasonLine } from '#lib/shared/reasons.ts'
import { environments } from '#lib/shared/routes.ts'
import { type BulkItemEntry, startBulkJob } from '../bulk/start.ts'
import { requireService } from '../desk/connections/environments.ts'
import { csvBounds } from '../desk/csv/read.ts'
import { requireActor, unlessRefused } from '../desk/operations/act.ts'
import { reasonIssues } from '../desk/operations/kinds.ts'
import { ActionInput } from '../desk/operations/spec.ts'
import { fieldErrors } from '../desk/parse.ts'
import type { CsvProblem, NotStarted } from '../desk/shapes.ts'
import { bulkJobs } from '../desk/tables/bulk.ts'
import { limitPreview } from './preview.ts'
import type { LimitLine, LimitPreview } from './shapes.ts'

/** Longer texts are cut off before they are parsed: they are refused in any case. */
const text = z.string('must be text').transform((given) => given.slice(0, csvBounds.bytes + 1))
const Preview = z.object({ environment: z.enum(environments, 'must be sandbox or production'), text })
const Start = ActionInput.extend({
  text,
  /** The figures that the person confirmed: other changes are not made. */
  confirmed: z.object({ accounts: z.int(), leftOut: z.int(), digest: z.string().max(64) }),
})

/** `unreadable`: the file is refused as a whole. */
type PreviewLimitsResult =
  | { kind: 'read'; preview: LimitPreview }
  | { kind: 'unreadable'; problem: CsvProblem }
  | NotStarted

export type StartLimitsInput = z.input<typeof Start>
type StartLimitsResult = { kind: 'started'; jobId: string } | NotStarted

const setting = { kind: 'account.set-limit', permission: 'limits.set', about: () => null } as const

/** Previews a file of limits, line by line. Changes nothing. */
export function previewLimits(input: z.input<typeof Preview>): Promise<PreviewLimitsResult> {
  return unlessRefused(async () => {
    await requireActor(setting, input)
    const parsed = Preview.safeParse(input)
    if (!parsed.success) return { kind: 'invalid', fields: fieldErrors(parsed.error) }
    const { environment } = parsed.data
    requireService(environment)
    const preview = await limitPreview(environment, parsed.data.text)
    return preview.ok ? { kind: 'read', preview: preview.value } : { kind: 'unreadable', problem: preview.error }
  })
}

/**
 * Starts the job that sets the limits one by one; the operation's id is the job's. Where anything is not as it was confirmed
 * (a limit that changed meanwhile) nothing starts, and the field `confirmed` says so.
 */
export function startLimits(input: StartLimitsInput): Promise<StartLimitsResult> {
  return unlessRefused(async () => {
    const staff = await requireActor(setting, input)
    const parsed = Start.safeParse(input)
    if (!parsed.success) return { kind: 'invalid', fields: fieldErrors(parsed.error) }
    const { environment, operationId: id, reason, comment, confirmed } = parsed.data
    const issues = reasonIssues('account.set-limit', parsed.data, true)
    if (!reason || Object.keys(issues).length > 0) return { kind: 'invalid', fields: issues }
    const started = { kind: 'started', jobId: id } as const
    // Its own rows may have changed the limits by now: a second click leads to the job that the first one made.
    if (await isStarted(id, staff.id)) return started
    requireService(environment)
    const read = await limitPreview(environment, parsed.data.text)
    const now = read.ok ? read.value : null
    const isAsConfirmed =
      now?.digest === confirmed.digest && now.leftOut === confirmed.leftOut && now.accounts === confirmed.accounts
    if (!now || !isAsConfirmed || now.accounts === 0) {
      return { kind: 'invalid', fields: { confirmed: 'is not what the file comes to any more' } }
    }
    const count = now.accounts
    await startBulkJob({
      id,
      environment,
      kind: 'account.set-limit',
      title: count === 1 ? 'Set 1 fixed limit' : `Set ${count.toLocaleString('en-HK')} fixed limits`,
      reason: reasonLine(reason, comment ?? null),
      by: { id: staff.id, name: staff.name, role: staff.role },
      items: now.lines.flatMap(itemOf),
    })
    return started
  })
}

async function isStarted(jobId: string, staffId: string): Promise<boolean> {
  const [job] = await database().select({ staffId: bulkJobs.staffId }).from(bulkJobs).where(eq(bulkJobs.id, jobId))
  return job?.staffId === staffId
}

function itemOf({ account, limitNow, limitNew, problem }: LimitLine): BulkItemEntry[] {
  if (!account || problem !== null) return []
  return [
    {
      target: { type: 'cardaccount', id: account.id, parentId: null, label: account.name },
      endpoint: 'setFixedLimit',
      body: { cardAccountId: account.id, limit: toWire(limitNew) },
      facts: {
        account: account.name,
        xid: account.xid,
        limitBefore: limitNow,
        limit: limitNew,
        currency: account.currency,
      },
    },
  ]
}
