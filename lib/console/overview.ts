import 'server-only'
import { and, desc, eq, isNotNull, isNull, ne, not, sql, type SQL } from 'drizzle-orm'
import { findOperationDefinition } from '#lib/api/actions.ts'
import { listPermissions } from '#lib/auth/permissions.ts'
import { requireCurrentStaff } from '#lib/auth/session.ts'
import { reportingCurrency } from '#lib/contract/card-accounts.ts'
import { database } from '#lib/db/connection.ts'
import { callService, requireService } from '#lib/environments/environments.ts'
import { readHealth } from '#lib/environments/health.ts'
import type { ServiceHealth } from '#lib/environments/types.ts'
import { limitConditions } from '#lib/index/account-filter.ts'
import { readAccountCoverage } from '#lib/index/accounts-sync.ts'
import { freshenForReader } from '#lib/index/freshness.ts'
import { countUnreadCards } from '#lib/index/index-cards.ts'
import { readTotals, unitsPerReportingUnit } from '#lib/index/list-accounts.ts'
import type { CurrencyTotals, AccountCoverage } from '#lib/index/types.ts'
import { nullOn } from '#lib/shared/app-error.ts'
import { cachedByCost } from '#lib/shared/cache.ts'
import { sum } from '#lib/shared/money.ts'
import { having, lacking } from '#lib/shared/provided.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { isoTime } from '#lib/shared/time.ts'
import { indexedAccounts as account, indexedCards as card } from '#lib/tables/card-accounts.ts'
import { fundingThresholds } from '#lib/tables/funding.ts'
import { operations } from '#lib/tables/operations.ts'
import { indexedPayouts } from '#lib/tables/payouts.ts'
import { readWaitingApprovals } from './approvals/read.ts'
import { refreshRejections } from './identity/rejections.ts'
import { isUnsettled } from './operations/read.ts'
import { payoutFreshness, payoutIndex } from './payouts/index-payouts.ts'
import { readNewestSamples } from './rates/sample.ts'

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
    | 'payout-unsettled'
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

type LowFundingAccount = { id: string; name: string | null; available: string | null; currency: string | null }

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
  /** Cards that are in no status, because it is not provided or they could not be read. */
  cardsExcluded: number
  /** Accounts whose identity may need attention: its status is not provided. */
  identitiesExcluded: number
  /** Only kinds that occur; the most urgent first. */
  attention: AttentionItem[]
  /** Whether all accounts, and the payouts that the person may see, were read: before that more may need attention. */
  isAttentionComplete: boolean
  /** Funding accounts below the threshold that staff set, the longest first; `available` is decimal text. */
  lowFunding: LowFundingAccount[]
  coverage: AccountCoverage
  health: ServiceHealth
}

/** The state of a program in figures. */
export async function readOverview(environment: Environment): Promise<Overview> {
  const { staff } = await requireCurrentStaff()
  requireService(environment)
  const may = listPermissions(staff.role, environment)
  const seesPayouts = may.includes('payouts.read')
  const [aggregateValue] = await Promise.all([
    readAggregateValue(environment),
    freshenForReader(environment),
    seesPayouts ? payoutFreshness.forReader(environment) : null,
  ])
  const [coverage, payoutCoverage] = await Promise.all([
    readAccountCoverage(environment),
    seesPayouts ? payoutIndex.coverage(environment) : null,
  ])
  const [{ totals, excluded }, cards, identitiesExcluded, attention, payouts, lowFunding, undecided, health] =
    await Promise.all([
      readTotals(environment, {}),
      countCards(environment),
      countAccountsWithoutIdentity(environment),
      readAttention(environment, staff.id, seesPayouts),
      seesPayouts ? readPayoutItems(environment) : [],
      seesPayouts ? readLowFunding(environment) : [],
      may.includes('approvals.read') ? readApprovalItem(environment) : [],
      readHealth(environment),
    ])
  const rejected = attention.find(({ id }) => id === 'identity-rejected')
  refreshRejections(environment, rejected?.examples.map(({ id }) => id) ?? [])
  return {
    totals,
    totalsExcluded: excluded,
    aggregateValue,
    ...cards,
    identitiesExcluded,
    attention: [
      ...attention.filter(({ id }) => id === 'payout-unsettled'),
      ...undecided,
      ...payouts,
      ...attention.filter(({ id }) => id !== 'payout-unsettled'),
    ],
    isAttentionComplete: coverage.isComplete && payoutCoverage?.isComplete !== false,
    lowFunding,
    coverage,
    health,
  }
}

async function readAggregateValue(environment: Environment): Promise<Overview['aggregateValue']> {
  const received = await nullOn(callService(environment, 'aggregateBalance', { query: {} }))
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
    cardsByStatus: having(rows, 'status'),
    cardsExcluded: (lacking(rows, 'status')[0]?.cards ?? 0) + (await countUnreadCards(environment)),
  }
}

function countAccountsWithoutIdentity(environment: Environment): Promise<number> {
  return cachedByCost(`accounts without identity ${environment}`, () =>
    database().$count(account, and(eq(account.environment, environment), isNull(account.clientIdentityStatus))),
  )
}

/** `ranked` is an amount that is compared by its converted value; `weight` orders what has none, and what is worth the same. */
type Watch = { id: AttentionItem['id']; condition: SQL; ranked?: SQL; weight: SQL; detail: SQL<string> }

/** People and companies share names. */
const distinguishing = sql<string>`coalesce(xid, left(id, 4) || '…' || right(id, 4))`

/** As weight: the greatest comes first. */
const oldestFirst = sql`-extract(epoch from created_at)`

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
    weight: oldestFirst,
    detail: sql<string>`concat_ws(' · ', rejected_reason, ${distinguishing})`,
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
    weight: oldestFirst,
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

async function readAttention(
  environment: Environment,
  staffId: string,
  seesPayouts: boolean,
): Promise<AttentionItem[]> {
  const [open, ...accounts] = await Promise.all([
    readUnsettledItems(environment, staffId, seesPayouts),
    ...watches.map((watch) =>
      cachedByCost(`attention ${watch.id} ${environment}`, () => readAccountItem(environment, watch)),
    ),
  ])
  return [...open, ...accounts].filter(({ count }) => count > 0)
}

async function readAccountItem(environment: Environment, watch: Watch): Promise<AttentionItem> {
  const { id, condition, ranked, weight, detail } = watch
  const [sample] = ranked ? await readNewestSamples(environment, reportingCurrency) : []
  const value = ranked ? sql`(${ranked} / ${unitsPerReportingUnit(sample?.rates ?? {})})` : sql`null::numeric`
  const { rows } = await database().execute<Example & { count: number; unconverted: number }>(sql`
    select id, coalesce(nullif(name, ''), xid, id) as label, ${detail} as detail, count(*) over ()::int as count,
      (count(*) filter (where ${value} is null) over ())::int as unconverted
    from ${account} where environment = ${environment} and ${condition}
    order by ${value} desc nulls last, ${ranked ? sql`currency,` : sql``} ${weight} desc nulls last, id limit ${exampleCount}`)
  const [first] = rows
  const ranking = { currency: reportingCurrency, ratesAt: isoTime(sample?.at) }
  return {
    id,
    count: first?.count ?? 0,
    examples: rows.map(({ id, label, detail }) => ({ id, label, detail })),
    ...(ranked && first ? { ranking: { ...ranking, unconverted: first.unconverted } } : {}),
  }
}

async function readLowFunding(environment: Environment): Promise<LowFundingAccount[]> {
  const { accountId, accountName, available, currency, lowSince } = fundingThresholds
  return database()
    .select({ id: accountId, name: accountName, available, currency })
    .from(fundingThresholds)
    .where(and(eq(fundingThresholds.environment, environment), isNotNull(lowSince)))
    .orderBy(lowSince)
}

async function readApprovalItem(environment: Environment): Promise<AttentionItem[]> {
  const { count, oldest } = await readWaitingApprovals(environment, exampleCount)
  const examples = oldest.map(({ id, effect }) => ({ id, label: effect, detail: null }))
  return [{ id: 'approval-waiting', count, examples }]
}

/**
 * What colleagues sent: a person’s own is in their work. Payouts on their own: who does not see them in the overview may pay
 * again.
 */
async function readUnsettledItems(
  environment: Environment,
  staffId: string,
  seesPayouts: boolean,
): Promise<AttentionItem[]> {
  const isPayout = eq(operations.kind, 'payout.submit')
  const of = async (id: 'payout-unsettled' | 'outcome-unknown', condition: SQL): Promise<AttentionItem> => {
    const rows = await database()
      .select({
        id: operations.id,
        kind: operations.kind,
        label: operations.targetLabel,
        count: sql<number>`count(*) over ()::int`,
      })
      .from(operations)
      .where(and(isUnsettled(environment), ne(operations.staffId, staffId), condition))
      .orderBy(desc(operations.createdAt))
      .limit(exampleCount)
    const operationLabel = (kind: string) =>
      id === 'payout-unsettled' ? null : (findOperationDefinition(kind)?.label ?? kind)
    return {
      id,
      count: rows[0]?.count ?? 0,
      examples: rows.map(({ id, kind, label }) => ({ id, label: label ?? kind, detail: operationLabel(kind) })),
    }
  }
  return Promise.all([...(seesPayouts ? [of('payout-unsettled', isPayout)] : []), of('outcome-unknown', not(isPayout))])
}

/** The service's own time is not behind the newest change that it reported: the clock of a sandbox can be moved forward. */
const aDayAgo = (environment: Environment) => sql`(
  select greatest(clock_timestamp(), max(updated_at)) - interval '1 day'
  from ${indexedPayouts} where environment = ${environment})`

const payoutWatches: readonly { id: AttentionItem['id']; condition: (dayAgo: SQL) => SQL }[] = [
  { id: 'payout-stopped', condition: (dayAgo) => sql`status in ('cancelled', 'failed') and updated_at > ${dayAgo}` },
  { id: 'payout-in-review', condition: (dayAgo) => sql`status = 'requested' and updated_at < ${dayAgo}` },
]

async function readPayoutItems(environment: Environment): Promise<AttentionItem[]> {
  const items = await Promise.all(
    payoutWatches.map(({ id, condition }) =>
      cachedByCost(`attention ${id} ${environment}`, () =>
        readPayoutItem(environment, id, condition(aDayAgo(environment))),
      ),
    ),
  )
  return items.filter(({ count }) => count > 0)
}

async function readPayoutItem(
  environment: Environment,
  id: AttentionItem['id'],
  condition: SQL,
): Promise<AttentionItem> {
  const { rows } = await database().execute<Example & { count: number }>(sql`
    select id, coalesce(nullif(record -> 'destination' ->> 'accountHolderName', ''), 'unnamed beneficiary') as label,
      case when source_amount is not null then concat_ws(' ', trim_scale(source_amount)::text, source_currency) end as detail, count(*) over ()::int as count
    from ${indexedPayouts} where environment = ${environment} and ${condition}
    order by updated_at desc, id limit ${exampleCount}`)
  return {
    id,
    count: rows[0]?.count ?? 0,
    examples: rows.map(({ id: payoutId, label, detail }) => ({ id: payoutId, label, detail })),
  }
}
