import 'server-only'
import { and, eq, isNull, lt, or, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { appendAudit } from '#lib/audit/chain.ts'
import { escapedForNotice, notifyUrl, postNotice } from '#lib/audit/notify.ts'
import { compareAmounts } from '#lib/contract/exact-sum.ts'
import { limitProblem, plainLimit } from '#lib/contract/limit-text.ts'
import { database } from '#lib/db/connection.ts'
import { lockByName } from '#lib/db/locks.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { inBackground } from '#lib/environments/background.ts'
import { readServiceClock } from '#lib/environments/control-plane.ts'
import { callService } from '#lib/environments/environments.ts'
import { action } from '#lib/gate/action.ts'
import { publish } from '#lib/live/publish.ts'
import type { NotStarted } from '#lib/operations/types.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { nullOn } from '#lib/shared/app-error.ts'
import { moneyText } from '#lib/shared/currency.ts'
import { findById } from '#lib/shared/ids.ts'
import { logFailure } from '#lib/shared/log.ts'
import { amount } from '#lib/shared/money.ts'
import { EnvironmentName, ServiceId } from '#lib/shared/parse.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'
import { storableText } from '#lib/shared/texts.ts'
import { isoTime } from '#lib/shared/time.ts'
import { fundingThresholds as threshold } from '#lib/tables/funding.ts'
import { indexedPayouts } from '#lib/tables/payouts.ts'
import { staffValues } from '#lib/tables/schema.ts'

export type FundingThreshold = {
  accountId: string
  kind: 'amount' | 'days'
  /** Major units of the account's currency, or days. */
  value: string
  /** ISO 8601; null while the account holds enough. */
  lowSince: string | null
}

/** The thresholds of the funding accounts that have one. */
export async function readFundingThresholds(environment: Environment): Promise<{ thresholds: FundingThreshold[] }> {
  const rows = await database().select().from(threshold).where(eq(threshold.environment, environment))
  const thresholds = rows.map(({ accountId, kind, value, lowSince }) => ({
    accountId,
    kind,
    value: amount(value).toFixed(),
    lowSince: isoTime(lowSince),
  }))
  return { thresholds }
}

const mostDays = 90

const Threshold = z.object({
  environment: EnvironmentName,
  accountId: ServiceId,
  /** `none` removes the threshold. */
  kind: z.enum(['amount', 'days', 'none'], 'must be amount, days or none'),
  value: z.string('must be text').max(20, 'must be a plain number'),
})

/** An amount is written as a limit of the account would be. */
function valueProblem(kind: 'amount' | 'days', value: string, currency: string | null): string | null {
  const problem = limitProblem(value, kind === 'amount' ? currency : null)
  if (problem !== null) return problem
  if (!amount(plainLimit(value)).gt(0)) return 'must be more than 0'
  return kind === 'days' && amount(plainLimit(value)).gt(mostDays) ? `must be at most ${mostDays}` : null
}

/** Sets or removes what a funding account must hold at least; a change begins another episode. Audited. */
export const setFundingThreshold = action('setFundingThreshold', {
  input: Threshold,
  target: (idIn) => {
    const id = idIn('accountId')
    return id === null ? null : { type: 'account', id, parentId: null, label: null }
  },
  run: async (given, { staff: by }): Promise<{ kind: 'set' } | NotStarted> => {
    const { environment, accountId, kind } = given
    const value = plainLimit(given.value)
    const { response } = await callService(environment, 'listAccounts', {})
    const account = findById(response.accounts, accountId)
    if (!account) return { kind: 'invalid', fields: { accountId: 'is no funding account' } }
    const { id, name, currency } = account
    const problem = kind === 'none' ? null : valueProblem(kind, given.value, currency)
    if (problem !== null) return { kind: 'invalid', fields: { value: problem } }
    const isOfAccount = and(eq(threshold.environment, environment), eq(threshold.accountId, id))
    await inTransaction(database(), async (tx) => {
      // Without a row there is nothing to wait for: of two people at once the second would insert beside the first.
      await lockByName(tx, 'funding thresholds', environment + id)
      await tx.delete(threshold).where(isOfAccount)
      if (kind !== 'none') {
        const accountName = name && storableText(name)
        const own = { environment, accountId: id, accountName, currency, kind, value, setAt: new Date() }
        await tx.insert(threshold).values({ ...own, ...staffValues(by) })
      }
      const comment = kind === 'none' ? 'Removed' : `Below ${thresholdText({ kind, value, currency })}`
      const target = { type: 'account', id, parentId: null, label: name }
      await appendAudit(tx, { by, environment, act: 'funding.threshold', target, outcome: 'done', comment })
    })
    await watchFunding(environment)
    publish(environment, [{ type: 'funding-accounts' }])
    return { kind: 'set' }
  },
})

function thresholdText({ kind, value, currency }: { kind: 'amount' | 'days'; value: string; currency: string | null }) {
  if (kind === 'amount') return moneyText(value, currency)
  const days = amount(value).toFixed()
  return `${days} ${days === '1' ? 'day' : 'days'} of payouts`
}

/** How often the accounts with a threshold are looked at, by one process at a time. */
const lookEvery = sql`interval '1 minute'`

/**
 * Compares what the funding accounts hold with their thresholds, and sends a notice once for each time that one falls below: when
 * the URL takes none, again a minute later.
 */
export async function watchFunding(environment: Environment): Promise<void> {
  const db = database()
  const isDue = or(isNull(threshold.lookedAt), lt(threshold.lookedAt, sql`clock_timestamp() - ${lookEvery}`))
  const rows = await db
    .update(threshold)
    .set({ lookedAt: sql`clock_timestamp()` })
    .where(and(eq(threshold.environment, environment), isDue))
    .returning()
  if (rows.length === 0) return
  // Where the service does not respond, its health is shown on every page.
  const read = await nullOn(inBackground(() => callService(environment, 'listAccounts', {})))
  if (!read) return
  for (const row of rows) {
    const account = findById(read.response.accounts ?? [], row.accountId)
    if (account?.available === null) continue
    const least = row.kind === 'amount' ? row.value : await sumSpending(environment, row.accountId, row.value)
    // An account that the service no longer lists holds nothing that somebody could top up.
    const available = account?.available ?? null
    const isLow = available !== null && compareAmounts(available, least) < 0
    const { accountId, setAt } = row
    // A threshold that was set meanwhile is another one, and is looked at by itself.
    const of = and(
      eq(threshold.environment, environment),
      eq(threshold.accountId, accountId),
      eq(threshold.setAt, setAt),
    )
    await db
      .update(threshold)
      .set({
        available: available === null ? null : String(available),
        lowSince: isLow ? sql`coalesce(${threshold.lowSince}, clock_timestamp())` : null,
        noticedAt: isLow ? threshold.noticedAt : null,
      })
      .where(of)
    if ((row.lowSince !== null) !== isLow) publish(environment, [{ type: 'funding-accounts' }])
    if (isLow && row.noticedAt === null) await sendNotice(environment, row, available, of)
  }
}

/** Payouts of an account in a number of days, at the rate of the last seven days by the service's clock. Cancelled and failed ones don't count. */
async function sumSpending(environment: Environment, accountId: string, days: string): Promise<string> {
  const { serviceAt } = await readServiceClock(environment)
  const { rows } = await database().execute<{ spent: string }>(sql`
    select (coalesce(sum(source_amount), 0) / 7 * ${days}::numeric)::text as spent from ${indexedPayouts}
    where environment = ${environment} and lower(account_id) = ${accountId.toLowerCase()}
      and created_at > ${serviceAt.toISOString()}::timestamptz - interval '7 days'
      and coalesce(status, '') not in ('cancelled', 'failed')`)
  return rows[0]?.spent ?? '0'
}

async function sendNotice(
  environment: Environment,
  row: typeof threshold.$inferSelect,
  available: number,
  of: SQL | undefined,
): Promise<void> {
  if (!notifyUrl()) return
  try {
    const page = `${consoleSettings().consoleUrl}${routes.fundingAccounts(environment)}`
    const name = escapedForNotice(row.accountName ?? row.accountId)
    const holds = `has ${moneyText(String(available), row.currency)} available`
    const least = thresholdText(row)
    await postNotice(`[${environment}] Funding account ${name} ${holds}, below its threshold of ${least}. ${page}`)
    await database()
      .update(threshold)
      .set({ noticedAt: sql`clock_timestamp()` })
      .where(of)
  } catch (error) {
    logFailure(error, { while: 'sending a notice', fundingAccount: row.accountId })
  }
}
