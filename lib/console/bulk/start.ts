import 'server-only'
import { z } from 'zod'
import { oneOf } from '#lib/contract/fields.ts'
import { requireService } from '#lib/environments/environments.ts'
import { action } from '#lib/gate/action.ts'
import { type BulkItemEntry, maximumBulkItems } from '#lib/operations/bulk/start.ts'
import type { BulkKind } from '#lib/operations/bulk/types.ts'
import { OperationInput, Id } from '#lib/operations/spec.ts'
import { idKey, uniqueIds } from '#lib/shared/ids.ts'
import { EnvironmentName, ServiceId } from '#lib/shared/parse.ts'
import { sha256Hex } from '#lib/signing/digest.ts'
import { type EarlierRow, readRowsToRetry, readRowsToUndo } from './earlier-rows.ts'
import { jobKinds } from './job-kinds.ts'
import type { JobKind } from './plan.ts'
import { startConfirmedJob } from './start-confirmed.ts'
import type { JobPreviewResult, JobSettings, StartJobResult } from './types.ts'

const kinds = Object.keys(jobKinds) as BulkKind[]
const ids = z
  .array(ServiceId, 'must be ids')
  .min(1, 'must name at least one record')
  .max(maximumBulkItems, `must name at most ${maximumBulkItems.toLocaleString('en-HK')} records`)
  .transform(uniqueIds)
const common = {
  kind: oneOf(kinds),
  /** The filter of the list that they were chosen in. */
  filters: z.record(z.string(), z.unknown()),
  settings: z.record(z.string(), z.string('must be text').max(300)),
}

const Preview = z.object({
  environment: EnvironmentName,
  ...common,
  /** Null: all that the filter matches, what `retryOf` left, or what `undoOf` did. */
  ids: ids.nullable(),
  /** The job whose rows that were refused or never began are meant. Without settings, theirs are taken. */
  retryOf: Id.optional(),
  /** The job whose rows that are done are meant, as far as nobody has changed their records since. */
  undoOf: Id.optional(),
})

const Start = OperationInput.extend({
  ...common,
  ids,
  /** Of the preview: a start with another one is refused as stale. */ digest: z.string().max(64),
})

/** Preview of a job for the chosen records. Changes nothing. */
export const previewJob = action('previewJob', {
  input: Preview,
  run: async (given, { staff }): Promise<JobPreviewResult> => {
    const { kind, environment, filters } = given
    requireService(environment)
    const rows = await readEarlierRows(given)
    const chosen = rows ? rows.map(({ target }) => target.id) : given.ids
    const settings = settingsFor(jobKinds[kind], given.settings, rows?.[0])
    const planned = await jobKinds[kind].plan({ environment, ids: chosen, filters, settings, staffId: staff.id })
    if ('fields' in planned) return { kind: 'invalid', ...planned }
    const { items, leftOut, isTruncated, asOf, effect = {} } = planned
    return {
      kind: 'read',
      preview: {
        ids: items.map(({ target }) => target.id),
        leftOut,
        isTruncated,
        effect,
        settings,
        asOf: asOf.toISOString(),
        digest: previewDigest(items),
      },
    }
  },
})

/**
 * Starts the job that does it to one record after the other; the operation's id is the job's. Where anything is not as it was
 * confirmed (a fee void by now, another status or amount) nothing starts, and the field `confirmed` says so.
 */
export const startJob = action('startJob', {
  input: Start,
  run: (given, { staff }): Promise<StartJobResult> =>
    startConfirmedJob(given.kind, given, staff, async () => {
      const { kind, environment, ids, filters, settings, digest } = given
      const planned = await jobKinds[kind].plan({ environment, ids, filters, settings, staffId: staff.id })
      if ('fields' in planned) return planned
      const isAsConfirmed = planned.items.length > 0 && previewDigest(planned.items) === digest
      return isAsConfirmed ? planned : { fields: { confirmed: 'is not what the chosen records come to any more' } }
    }),
})

/** The rows of the job that the new one follows; undefined where it follows none. */
async function readEarlierRows({
  kind,
  environment,
  retryOf,
  undoOf,
}: z.output<typeof Preview>): Promise<EarlierRow[] | undefined> {
  if (retryOf !== undefined) return (await readRowsToRetry(environment, retryOf, kind))?.rows ?? []
  if (undoOf !== undefined) return (await readRowsToUndo(environment, undoOf, kind))?.rows ?? []
  return undefined
}

function settingsFor({ toSettings }: JobKind, given: JobSettings, earlier: EarlierRow | undefined): JobSettings {
  return earlier && toSettings && Object.keys(given).length === 0 ? toSettings(earlier) : given
}

/** The facts of a row that the person confirmed, beside its request. */
const confirmedFacts = ['amount', 'change', 'currency', 'limitBefore', 'revision']

/** Names may differ at a second reading, and the order of the rows. */
function previewDigest(items: readonly BulkItemEntry[]): string {
  const rows = items.map(({ target, endpoint, body, facts }) =>
    JSON.stringify([idKey(target.id), endpoint, body, confirmedFacts.map((name) => facts[name] ?? null)]),
  )
  return sha256Hex(rows.toSorted().join('\n'))
}
