import 'server-only'
import { isLimit, limitProblem, plainLimit } from '#lib/contract/limit-text.ts'
import type { CardAccount } from '#lib/contract/records.ts'
import { freshenForReader } from '#lib/index/freshness.ts'
import type { BulkItemEntry } from '#lib/operations/bulk/start.ts'
import { accountTarget } from '#lib/operations/spec.ts'
import { idKey } from '#lib/shared/ids.ts'
import { amount, exactText, sum, toAmount, toWire } from '#lib/shared/money.ts'
import { having } from '#lib/shared/provided.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { listed } from '#lib/shared/texts.ts'
import { findAccounts, readAgain, type FoundAccount, type FoundAccounts } from './accounts.ts'
import type { RequestedLimit } from './file.ts'
import type { LimitLine } from './types.ts'

/** The change by each requested limit, or why it is left out. `asOf`: the oldest reading; null where no line names an account. */
export async function readLimitLines(
  environment: Environment,
  requested: readonly RequestedLimit[],
): Promise<{ lines: LimitLine[]; asOf: Date | null }> {
  const startedAt = new Date()
  await freshenForReader(environment)
  const known = await findAccounts(environment, requested)
  // Leaving a line out because of a limit that was changed elsewhere meanwhile would leave the wrong limit in place.
  const unchanged = requested.flatMap((line) => {
    const one = accountNamed(line, known)
    return one && one.readAt < startedAt && isSameLimit(line, one.account) ? one : []
  })
  const found = unchanged.length === 0 ? known : await readAgain(environment, known, unchanged)
  const named = requested.map((line) => ({ line, found: accountNamed(line, found) }))
  const sameAccount = Map.groupBy(having(named, 'found'), (entry) => idKey(entry.found.account.id))
  const lines = named.map(({ line, found: one }) => {
    const others = (one ? (sameAccount.get(idKey(one.account.id)) ?? []) : []).map((other) => other.line.line)
    return toLimitLine(line, one && one.account, findProblem(line, one, others, { ...found, startedAt }))
  })
  const readAt = named.flatMap((entry) => (entry.found ? [entry.found.readAt.getTime()] : []))
  return {
    lines,
    asOf: readAt.length === 0 ? null : new Date(readAt.reduce((one, other) => Math.min(one, other))),
  }
}

/** The row of a job for a line that has no problem. */
export function limitItem({ account, limitNow, limitNew, problem }: LimitLine): BulkItemEntry[] {
  if (!account || problem !== null) return []
  return [
    {
      target: accountTarget(account.id, account.name),
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

function accountNamed({ cardAccountId, xid }: RequestedLimit, { byId, byXid }: FoundAccounts): FoundAccount | null {
  if (cardAccountId !== null) return byId.get(idKey(cardAccountId)) ?? null
  return xid === null ? null : (byXid.get(xid) ?? null)
}

function findProblem(
  line: RequestedLimit,
  found: FoundAccount | null,
  sameAccount: readonly number[],
  { unrequested, startedAt }: FoundAccounts & { startedAt: Date },
): string | null {
  if (line.problem) return line.problem
  const named = line.cardAccountId === null ? (line.xid ?? '') : idKey(line.cardAccountId)
  if (!found) {
    return unrequested.has(named)
      ? 'The console could not read this account from the card service, so it may not exist.'
      : 'There is no such account in this environment.'
  }
  const { account, readAt } = found
  // Also where the xid alone names it: read again, the account may not have it any more.
  if (line.xid !== null && account.xid !== line.xid) {
    return 'The account has another xid than the line says.'
  }
  if (account.accountType === 'prepaid') return 'A prepaid account has no limit.'
  if (account.currency === null) return 'The card service does not provide the account’s currency.'
  const wrong = limitProblem(line.limit, account.currency)
  if (wrong) return `The limit ${wrong}.`
  if (sameAccount.length > 1) return `Lines ${listed(sameAccount.map(String))} name the same account.`
  if (!isSameLimit(line, account)) return null
  if (readAt < startedAt) return 'The limit was the same when it was last read.'
  return 'The limit is that already.'
}

/** Whether the account has the limit that the line sets; false where either is no amount. */
function isSameLimit({ limit }: RequestedLimit, account: CardAccount): boolean {
  return isLimit(limit, account.currency) && toAmount(account.limit)?.eq(plainLimit(limit)) === true
}

function toLimitLine(requested: RequestedLimit, account: CardAccount | null, problem: string | null): LimitLine {
  const limit = plainLimit(requested.limit)
  const done = problem ? null : account
  return {
    line: requested.line,
    given: requested.cardAccountId ?? requested.xid ?? '',
    account: account && { id: account.id, name: account.name, xid: account.xid, currency: account.currency },
    limitNow: account?.accountType === 'prepaid' ? null : exactText(account?.limit),
    limitNew: isLimit(requested.limit, null) ? amount(limit).toFixed() : requested.limit,
    availableAfter: done && exactText(sum([done.available, limit, toAmount(done.limit)?.negated()])),
    isBelowOutstanding: done ? (toAmount(done.outstanding)?.gt(limit) ?? null) : false,
    problem,
  }
}
