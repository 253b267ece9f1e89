import 'server-only'
import { and, desc, eq, inArray, isNull, sql, type SQL } from 'drizzle-orm'
import { reportingCurrency } from '#lib/contract/card-accounts.ts'
import { database } from '#lib/db/connection.ts'
import { sum } from '#lib/shared/money.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { waitingApprovals } from './approvals/read.ts'
import { orNull } from './desk/app-error.ts'
import { cachedByCost } from './desk/cache.ts'
import { callService, requireService } from './desk/connections/environments.ts'
import { healthOf } from './desk/connections/health.ts'
import { directoryCoverage } from './desk/mirror/accounts-sync.ts'
import { limitConditions } from './desk/mirror/filter.ts'
import { freshenForReader } from './desk/mirror/freshness.ts'
import { totalsOf } from './desk/mirror/list.ts'
import { permissionsOf } from './desk/permissions.ts'
import { requirePermission } from './desk/session/session.ts'
import type { CurrencyTotals, DirectoryCoverage, ServiceHealth } from './desk/shapes.ts'
import { directoryAccounts as account, directoryCards as card } from './desk/tables/directory.ts'
import { operations } from './desk/tables/operations.ts'
import { directoryPayouts } from './desk/tables/payouts.ts'
import { refreshRejections } from './identity/rejections.ts'
import { freshenPayoutsForReader } from './payouts/mirror.ts'
import { newestSamples } from './rates/sample.ts'

type Example = { id: string; label: string; detail: string | null }

/** A kind of record that needs attention. */
type AttentionItem = {
  id:
    | 'identity-pending'
    | 'identity-rejected'
    | 'disputed'
    | 'over-limit'
    | 'near-limit'
    | 'outcome-unknown'
    | 'approval-waiting'
    | 'payout-stopped'
    | 'payout-in-review'
  count: number
  /** The accounts, payouts or operations that weigh most, five at most. */
  examples: Example[]
  /** How amounts of several currencies were compared; absent where the order is not one of amounts. */
  ranking?: Ranking
}

/**
 * Amounts are compared by their value in `currency`, at the console's rates of `ratesAt`. `unconverted` counts those without a
 * rate, which come last, in the order of their currencies.
 */
type Ranking = { currency: string; ratesAt: string | null; unconverted: number }

export type Overview = {
  totals: CurrencyTotals[]
  /** Accounts that are in no total, because their currency is not provided. */
  totalsExcluded: number
  /**
   * All balances in the reporting currency, as the service values them; null where the service does not respond or provides no
   * value. `excluded` counts the sums of the response that are not in it.
   */
  aggregateValue: { value: string; currency: string; asOf: string; excluded: number } | null
  /** Cards of the accounts whose cards were read: see `coverage`. */
  cardsByStatus: { status: string; cards: number }[]
  /** Cards that are in no status, because it is not provided. */
  cardsExcluded: number
  /** Only kinds that occur; the most urgent first. */
  attention: AttentionItem[]
  coverage: DirectoryCoverage
  health: ServiceHealth
}

/** The state of a program in figures. */
export async function readOverview(environment: Environment): Promise<Overview> {
  const staff = await requirePermission('accounts.read', environment)
  requireService(environment)
  const may = permissionsOf(staff.role, environment)
  const seesPayouts = may.includes('payouts.read')
  const [aggregateValue] = await Promise.all([
    valueOf(environment),
    freshenForReader(environment),
    seesPayouts ? freshenPayoutsForReader(environment) : null,
  ])
  const [{ totals, excluded }, cards, attention, payouts, undecided, coverage, health] = await Promise.all([
    totalsOf(environment, {}),
    countCards(environment),
    whatNeedsAttention(environment),
    seesPayouts ? payoutsThatNeedAttention(environment) : [],
    may.includes('approvals.read') ? approvalsThatWait(environment) : [],
    directoryCoverage(environment),
    healthOf(environment),
  ])
  const rejected = attention.find(({ id }) => id === 'identity-rejected')
  refreshRejections(environment, rejected?.examples.map(({ id }) => id) ?? [])
  return {
    totals,
    totalsExcluded: excluded,
    aggregateValue,
    ...cards,
    attention: [...undecided, ...payouts, ...attention],
    coverage,
    health,
  }
}

async function valueOf(environment: Environment): Promise<Overview['aggregateValue']> {
  const received = await orNull(callService(environment, 'aggregateBalance', { query: {} }))
  if (!received) return null
  const { response, excluded, fetchedAt } = received
  const values = response.cardaccounts.flatMap(({ value }) => value ?? [])
  const left = excluded + response.cardaccounts.length - values.length
  if (values.length === 0 && left > 0) return null
  return { value: sum(values).toFixed(), currency: reportingCurrency, asOf: fetchedAt.toISOString(), excluded: left }
}

async function countCards(environment: Environment): Promise<Pick<Overview, 'cardsByStatus' | 'cardsExcluded'>> {
  const rows = await cachedByCost(`cards by status ${environment}`, async () =>
    database()
      .select({ status: card.status, cards: sql<number>`count(*)::int` })
      .from(card)
      .where(eq(card.environment, environment))
      .groupBy(card.status)
      .orderBy(card.status),
  )
  return {
    cardsByStatus: rows.flatMap(({ status, cards }) => (status === null ? [] : [{ status, cards }])),
    cardsExcluded: rows.find(({ status }) => status === null)?.cards ?? 0,
  }
}

/** `ranked` is an amount that is compared by its converted value; `weight` orders what has none, and what is worth the same. */
type Watch = { id: AttentionItem['id']; condition: SQL; ranked?: SQL; weight: SQL; detail: SQL<string> }

/** People and companies share names. */
const distinguishing = sql<string>`coalesce(xid, left(id, 4) || '…' || right(id, 4))`

const watches: readonly Watch[] = [
  {
    id: 'over-limit',
    condition: limitConditions.over,
    ranked: sql`-available`,
    weight: sql`-available`,
    detail: sql`concat_ws(' ', trim_scale(available)::text, currency)`,
  },
  {
    id: 'identity-rejected',
    condition: sql`client_identity_status = 'rejected'`,
    weight: sql`created_at`,
    detail: sql<string>`coalesce(rejected_reason, ${distinguishing})`,
  },
  {
    id: 'disputed',
    condition: sql`dispute_amount > 0`,
    ranked: sql`dispute_amount`,
    weight: sql`dispute_amount`,
    detail: sql`concat_ws(' ', trim_scale(dispute_amount)::text, currency)`,
  },
  {
    id: 'identity-pending',
    condition: sql`client_identity_status = 'pending'`,
    weight: sql`created_at`,
    detail: distinguishing,
  },
  {
    id: 'near-limit',
    condition: limitConditions.near,
    weight: sql`-available / "limit"`,
    detail: sql`concat_ws(' ', trim_scale(available)::text, currency)`,
  },
]

const exampleCount = 5

async function whatNeedsAttention(environment: Environment): Promise<AttentionItem[]> {
  const [unknown, ...accounts] = await Promise.all([
    unknownOutcomes(environment),
    ...watches.map((watch) =>
      cachedByCost(`attention ${watch.id} ${environment}`, () => accountsThat(environment, watch)),
    ),
  ])
  return [unknown, ...accounts].filter(({ count }) => count > 0)
}

async function accountsThat(environment: Environment, watch: Watch): Promise<AttentionItem> {
  const { id, condition, ranked, weight, detail } = watch
  const [sample] = ranked ? await newestSamples(environment, reportingCurrency) : []
  const value = ranked ? sql`(${ranked} / ${unitsPerReportingUnit(sample?.rates ?? {})})` : sql`null::numeric`
  const { rows } = await database().execute<Example & { count: number; unconverted: number }>(sql`
    select id, coalesce(nullif(name, ''), xid, id) as label, ${detail} as detail, count(*) over ()::int as count,
      (count(*) filter (where ${value} is null) over ())::int as unconverted
    from ${account} where environment = ${environment} and ${condition}
    order by ${value} desc nulls last, ${ranked ? sql`currency,` : sql``} ${weight} desc nulls last, id limit ${exampleCount}`)
  const [first] = rows
  const ranking = { currency: reportingCurrency, ratesAt: sample?.at.toISOString() ?? null }
  return {
    id,
    count: first?.count ?? 0,
    examples: rows.map(({ id, label, detail }) => ({ id, label, detail })),
    ...(ranked && first ? { ranking: { ...ranking, unconverted: first.unconverted } } : {}),
  }
}

/** Units of a row's currency per unit of the reporting currency; null where there is no rate. */
function unitsPerReportingUnit(rates: Record<string, string>): SQL {
  return sql`(${JSON.stringify({ ...rates, [reportingCurrency]: '1' })}::jsonb ->> currency)::numeric`
}

async function approvalsThatWait(environment: Environment): Promise<AttentionItem[]> {
  const { count, oldest } = await waitingApprovals(environment, exampleCount)
  const examples = oldest.map(({ id, effect }) => ({ id, label: effect, detail: null }))
  return [{ id: 'approval-waiting', count, examples }]
}

async function unknownOutcomes(environment: Environment): Promise<AttentionItem> {
  const rows = await database()
    .select({
      id: operations.id,
      kind: operations.kind,
      label: operations.targetLabel,
      count: sql<number>`count(*) over ()::int`,
    })
    .from(operations)
    .where(
      and(
        eq(operations.environment, environment),
        isNull(operations.settledAt),
        inArray(operations.state, ['unknown', 'sending']),
        sql`${operations.leaseUntil} <= clock_timestamp()`,
      ),
    )
    .orderBy(desc(operations.createdAt))
    .limit(exampleCount)
  return {
    id: 'outcome-unknown',
    count: rows[0]?.count ?? 0,
    examples: rows.map(({ id, kind, label }) => ({ id, label: label ?? kind, detail: kind })),
  }
}

/** The service's own time is not behind the newest change that it reported: the clock of a sandbox can be moved forward. */
const aDayAgo = (environment: Environment) => sql`(
  select greatest(clock_timestamp(), max(updated_at)) - interval '1 day'
  from ${directoryPayouts} where environment = ${environment})`

const payoutWatches: readonly { id: AttentionItem['id']; condition: (dayAgo: SQL) => SQL }[] = [
  { id: 'payout-stopped', condition: (dayAgo) => sql`status in ('cancelled', 'failed') and updated_at > ${dayAgo}` },
  { id: 'payout-in-review', condition: (dayAgo) => sql`status = 'requested' and updated_at < ${dayAgo}` },
]

async function payoutsThatNeedAttention(environment: Environment): Promise<AttentionItem[]> {
  const items = await Promise.all(
    payoutWatches.map(({ id, condition }) =>
      cachedByCost(`attention ${id} ${environment}`, () =>
        payoutsThat(environment, id, condition(aDayAgo(environment))),
      ),
    ),
  )
  return items.filter(({ count }) => count > 0)
}

async function payoutsThat(environment: Environment, id: AttentionItem['id'], condition: SQL): Promise<AttentionItem> {
  const { rows } = await database().execute<Example & { count: number }>(sql`
    select id, coalesce(nullif(record -> 'destination' ->> 'accountHolderName', ''), 'unnamed beneficiary') as label,
      case when source_amount is not null then concat_ws(' ', trim_scale(source_amount)::text, source_currency) end as detail, count(*) over ()::int as count
    from ${directoryPayouts} where environment = ${environment} and ${condition}
    order by updated_at desc, id limit ${exampleCount}`)
  return {
    id,
    count: rows[0]?.count ?? 0,
    examples: rows.map(({ id: payoutId, label, detail }) => ({ id: payoutId, label, detail })),
  }
}
