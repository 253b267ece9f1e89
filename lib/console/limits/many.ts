import 'server-only'
import { z } from 'zod'
import type { CardAccount } from '#lib/contract/records.ts'
import { requireService } from '#lib/environments/environments.ts'
import { freshenForReader } from '#lib/index/freshness.ts'
import { staffAction } from '#lib/operations/act.ts'
import { isStarted, startBulkJob, type BulkItemEntry } from '#lib/operations/bulk/start.ts'
import { reasonIssues } from '#lib/operations/kinds.ts'
import { ActionInput } from '#lib/operations/spec.ts'
import type { NotStarted } from '#lib/operations/types.ts'
import { csvBounds } from '#lib/shared/csv/read.ts'
import type { CsvProblem } from '#lib/shared/csv/types.ts'
import { limitProblem, plainLimit } from '#lib/shared/limit-text.ts'
import { amount, sum, toWire } from '#lib/shared/money.ts'
import { EnvironmentName } from '#lib/shared/parse.ts'
import { reasonLine } from '#lib/shared/reasons.ts'
import { fail, ok, type Result } from '#lib/shared/result.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { sha256Hex } from '#lib/signing/digest.ts'
import { findAccounts, readAgain, type FoundAccount, type FoundAccounts } from './accounts.ts'
import { readLimitFile, type RequestedLimit } from './file.ts'
import type { LimitLine, LimitPreview } from './types.ts'

/** Longer texts are cut off before they are parsed: they are refused in any case. */
const text = z.string('must be text').transform((given) => given.slice(0, csvBounds.bytes + 1))
const Preview = z.object({ environment: EnvironmentName, text })
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

const setting = { kind: 'account.set-limit', permission: 'limits.set' } as const

/** Previews a file of limits, line by line. Changes nothing. */
export function previewLimits(input: z.input<typeof Preview>): Promise<PreviewLimitsResult> {
  return staffAction(setting, Preview, input, async ({ environment, text }): Promise<PreviewLimitsResult> => {
    requireService(environment)
    const preview = await limitPreview(environment, text)
    return preview.ok ? { kind: 'read', preview: preview.value } : { kind: 'unreadable', problem: preview.error }
  })
}

/**
 * Starts the job that sets the limits one by one; the operation's id is the job's. Where anything is not as it was confirmed
 * (a limit that changed meanwhile) nothing starts, and the field `confirmed` says so.
 */
export function startLimits(input: StartLimitsInput): Promise<StartLimitsResult> {
  return staffAction(setting, Start, input, async (given, staff) => {
    const { environment, operationId: id, reason, comment, confirmed } = given
    const issues = reasonIssues('account.set-limit', given, true)
    if (!reason || Object.keys(issues).length > 0) return { kind: 'invalid', fields: issues }
    const started = { kind: 'started', jobId: id } as const
    // Its own rows may have changed the limits by now: a second click leads to the job that the first one made.
    if (await isStarted(id, staff.id)) return started
    requireService(environment)
    const read = await limitPreview(environment, given.text)
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
      by: staff,
      items: now.lines.flatMap(itemOf),
    })
    return started
  })
}

function itemOf({ line, account, limitNow, limitNew, problem }: LimitLine): BulkItemEntry[] {
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
        line: String(line),
      },
    },
  ]
}

/** The changes of a file. Throws the errors of the directory's reads. */
async function limitPreview(environment: Environment, text: string): Promise<Result<LimitPreview, CsvProblem>> {
  const file = readLimitFile(text)
  if (!file.ok) return fail(file.error)
  const startedAt = new Date()
  await freshenForReader(environment)
  const { requested, ignoredColumns } = file.value
  const known = await findAccounts(environment, requested)
  // Leaving a line out because of a limit that was changed elsewhere meanwhile would leave the wrong limit in place.
  const unchanged = requested.flatMap((line) => {
    const one = accountNamed(line, known)
    return one && one.readAt < startedAt && isSameLimit(line, one.account) ? one : []
  })
  const found = unchanged.length === 0 ? known : await readAgain(environment, known, unchanged)
  const named = requested.map((line) => ({ line, found: accountNamed(line, found) }))
  const sameAccount = Map.groupBy(
    named.filter((entry) => entry.found !== null),
    (entry) => entry.found?.account.id.toLowerCase(),
  )
  const lines = named.map(({ line, found: one }) => {
    const others = (one ? (sameAccount.get(one.account.id.toLowerCase()) ?? []) : []).map((other) => other.line.line)
    return lineOf(line, one?.account ?? null, problemOf(line, one, others, { ...found, startedAt }))
  })
  const good = lines.filter(({ problem }) => problem === null)
  const readAt = named.flatMap((entry) => (entry.found ? [entry.found.readAt.getTime()] : []))
  return ok({
    lines,
    accounts: good.length,
    leftOut: lines.length - good.length,
    ignoredColumns,
    asOf: readAt.length === 0 ? null : new Date(readAt.reduce((one, other) => Math.min(one, other))).toISOString(),
    digest: sha256Hex(JSON.stringify(good.map(({ account, limitNow, limitNew }) => [account?.id, limitNow, limitNew]))),
  })
}

function accountNamed({ cardAccountId, xid }: RequestedLimit, { byId, byXid }: FoundAccounts): FoundAccount | null {
  if (cardAccountId !== null) return byId.get(cardAccountId.toLowerCase()) ?? null
  return xid === null ? null : (byXid.get(xid) ?? null)
}

function problemOf(
  line: RequestedLimit,
  found: FoundAccount | null,
  sameAccount: readonly number[],
  { unrequested, startedAt }: FoundAccounts & { startedAt: Date },
): string | null {
  if (line.problem) return line.problem
  const named = line.cardAccountId?.toLowerCase() ?? line.xid ?? ''
  if (!found) {
    return unrequested.has(named)
      ? 'The console could not read this account from the card service, so it may not exist.'
      : 'There is no such account in this environment.'
  }
  const { account, readAt } = found
  if (line.cardAccountId !== null && line.xid !== null && account.xid !== line.xid) {
    return 'The account has another xid than the line says.'
  }
  if (account.accountType === 'prepaid') return 'A prepaid account has no limit.'
  if (account.currency === null) return 'The card service does not provide the account’s currency.'
  const wrong = limitProblem(line.limit, account.currency)
  if (wrong) return `The limit ${wrong}.`
  if (sameAccount.length > 1) return `Lines ${sameAccount.join(', ')} name the same account.`
  if (!isSameLimit(line, account)) return null
  if (readAt < startedAt) return 'The limit was the same when it was last read.'
  return 'The limit is that already.'
}

/** Whether the account has the limit that the line sets; false where either is no amount. */
function isSameLimit({ limit }: RequestedLimit, account: CardAccount): boolean {
  if (account.limit === null || limitProblem(limit, account.currency) !== null) return false
  return amount(plainLimit(limit)).eq(account.limit)
}

function lineOf(requested: RequestedLimit, account: CardAccount | null, problem: string | null): LimitLine {
  const isAmount = limitProblem(requested.limit, null) === null
  const limit = plainLimit(requested.limit)
  const isDone = problem === null && account !== null
  const [limitNow, available, owed] = [account?.limit ?? null, account?.available ?? null, account?.outstanding ?? null]
  const after = limitNow === null || available === null ? null : [available, limit, -limitNow]
  return {
    line: requested.line,
    given: requested.cardAccountId ?? requested.xid ?? '',
    account: account && { id: account.id, name: account.name, xid: account.xid, currency: account.currency },
    limitNow: account?.accountType === 'prepaid' || limitNow === null ? null : amount(limitNow).toFixed(),
    limitNew: isAmount ? amount(limit).toFixed() : requested.limit,
    availableNow: available === null ? null : amount(available).toFixed(),
    availableAfter: isDone && after ? sum(after).toFixed() : null,
    isBelowOutstanding: isDone ? (owed === null ? null : amount(limit).lt(owed)) : false,
    problem,
  }
}
