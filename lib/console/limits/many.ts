import 'server-only'
import { z } from 'zod'
import { requireService } from '#lib/environments/environments.ts'
import { action } from '#lib/gate/action.ts'
import { OperationInput } from '#lib/operations/spec.ts'
import type { NotStarted } from '#lib/operations/types.ts'
import { EnvironmentName } from '#lib/shared/parse.ts'
import { lacking } from '#lib/shared/provided.ts'
import { fail, ok, type Result } from '#lib/shared/result.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { isoTime } from '#lib/shared/time.ts'
import { sha256Hex } from '#lib/signing/digest.ts'
import { rowsText } from '../bulk/plan.ts'
import { startConfirmedJob } from '../bulk/start-confirmed.ts'
import type { StartJobResult } from '../bulk/types.ts'
import { findCardNumber } from './accounts.ts'
import { readLimitFile } from './file.ts'
import { limitItem, readLimitLines } from './lines.ts'
import { csvBounds, holdingCardNumber } from './read-csv.ts'
import type { CsvProblem, LimitPreview } from './types.ts'

/** Longer texts are cut off before they are parsed: they are refused in any case. */
const text = z.string('must be text').transform((given) => given.slice(0, csvBounds.bytes + 1))
const Preview = z.object({ environment: EnvironmentName, text })
const Start = OperationInput.extend({
  text,
  /** The figures that the person confirmed: other changes are not made. */
  confirmed: z.object({ accounts: z.int(), leftOut: z.int(), digest: z.string().max(64) }),
})

/** `unreadable`: the file is refused as a whole. */
type PreviewLimitsResult =
  | { kind: 'read'; preview: LimitPreview }
  | { kind: 'unreadable'; problem: CsvProblem }
  | NotStarted

/** Previews a file of limits, line by line. Changes nothing. */
export const previewLimits = action('previewLimits', {
  input: Preview,
  run: async ({ environment, text }): Promise<PreviewLimitsResult> => {
    requireService(environment)
    const preview = await readLimitPreview(environment, text)
    return preview.ok ? { kind: 'read', preview: preview.value } : { kind: 'unreadable', problem: preview.error }
  },
})

/**
 * Starts the job that sets the limits one by one; the operation's id is the job's. Where anything is not as it was confirmed
 * (a limit that changed meanwhile) nothing starts, and the field `confirmed` says so.
 */
export const startLimits = action('startLimits', {
  input: Start,
  run: (given, { staff }): Promise<StartJobResult> =>
    startConfirmedJob('account.set-limit', given, staff, async () => {
      const { environment, text, confirmed } = given
      const read = await readLimitPreview(environment, text)
      const now = read.ok ? read.value : null
      const isAsConfirmed =
        now?.digest === confirmed.digest && now.leftOut === confirmed.leftOut && now.accounts === confirmed.accounts
      if (!now || !isAsConfirmed || now.accounts === 0) {
        return { fields: { confirmed: 'is not what the file comes to any more: an account in it was changed since' } }
      }
      return {
        title: `Set ${rowsText(now.accounts, 'fixed limit')}`,
        items: now.lines.flatMap((line) =>
          limitItem(line).map((item) => ({ ...item, facts: { ...item.facts, line: String(line.line) } })),
        ),
      }
    }),
})

/** The changes of a file. Throws the errors of the reads of the index. */
async function readLimitPreview(environment: Environment, text: string): Promise<Result<LimitPreview, CsvProblem>> {
  const file = readLimitFile(text)
  if (!file.ok) return fail(file.error)
  const { requested, ignoredColumns } = file.value
  const cardNumber = await findCardNumber(environment, requested)
  if (cardNumber !== null) return fail(holdingCardNumber(cardNumber))
  const { lines, asOf } = await readLimitLines(environment, requested)
  const good = lacking(lines, 'problem')
  return ok({
    lines,
    accounts: good.length,
    leftOut: lines.length - good.length,
    ignoredColumns,
    asOf: isoTime(asOf),
    digest: sha256Hex(JSON.stringify(good.map(({ account, limitNow, limitNew }) => [account?.id, limitNow, limitNew]))),
  })
}
