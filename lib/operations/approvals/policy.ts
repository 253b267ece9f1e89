import 'server-only'
import { and, eq } from 'drizzle-orm'
import type { HelpDeskPolicy } from '#lib/api/help-desk-requests.ts'
import { database, type Queryable } from '#lib/db/connection.ts'
import { callService } from '#lib/environments/environments.ts'
import { nullOn } from '#lib/shared/app-error.ts'
import { moneyText } from '#lib/shared/currency.ts'
import { amount, roundToMinorUnit } from '#lib/shared/money.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { hourMs } from '#lib/shared/time.ts'
import { policies } from '#lib/tables/approvals.ts'
import { ruleText, type PolicyFacts, type PolicyRule } from './policy-rules.ts'

/** The policy where none was confirmed: nothing needs an approval, and help desks can request nothing. */
export const noPolicy = {
  rules: [] as PolicyRule[],
  helpDesk: {} as HelpDeskPolicy,
  expiryHours: 24,
  tolerancePercent: '1',
}

type CountRule = Extract<PolicyRule, { when: 'count' }>

/**
 * A policy's requirements for a request. `counts` are checked when the request is written, together with earlier ones.
 */
export type ApprovalNeed = {
  facts: PolicyFacts
  because: string[]
  counts: { rule: CountRule; adds: number }[]
  expiresInMs: number
  tolerancePercent: string
}

export type PolicyRow = typeof policies.$inferSelect

export async function findActivePolicy(db: Queryable, environment: Environment): Promise<PolicyRow | null> {
  const [row] = await db
    .select()
    .from(policies)
    .where(and(eq(policies.environment, environment), eq(policies.state, 'active')))
  return row ?? null
}

/**
 * Checks a request against the environment's policy; null where no rule is about it. `facts` begins with the request,
 * followed by its rows.
 */
export async function checkAgainstPolicy(
  environment: Environment,
  facts: readonly [PolicyFacts, ...PolicyFacts[]],
): Promise<ApprovalNeed | null> {
  const policy = await findActivePolicy(database(), environment)
  if (!policy) return null
  const topics = new Set(facts.map(({ topic }) => topic))
  const rules = policy.rules.filter(({ topic }) => topics.has(topic))
  if (rules.length === 0) return null
  const findRate = await readRatesFor(environment, rules, facts)
  const because: string[] = []
  const counts: ApprovalNeed['counts'] = []
  for (const rule of rules) {
    const own = facts.filter(({ topic }) => topic === rule.topic)
    if (rule.when === 'always') because.push(ruleText(rule))
    else if (rule.when === 'amount')
      because.push(...own.flatMap((fact) => amountProblems(rule, fact, findRate, own.length === 1)))
    else if (rule.topic !== 'bulk-jobs') counts.push({ rule, adds: own.length })
    else if (own.some(({ rows = 0 }) => rows >= rule.count)) because.push(ruleText(rule))
  }
  return {
    facts: facts[0],
    because: [...new Set(because)],
    counts,
    expiresInMs: policy.expiryHours * hourMs,
    tolerancePercent: policy.tolerancePercent,
  }
}

/** The rates that amount rules need; none where the service has none or does not respond. */
async function readRatesFor(
  environment: Environment,
  rules: readonly PolicyRule[],
  facts: readonly PolicyFacts[],
): Promise<RateOf> {
  const rates = new Map<string, string | null>()
  for (const rule of rules) {
    if (rule.when !== 'amount') continue
    const { topic, currency: to } = rule
    const amounts = facts.filter((fact) => fact.topic === topic).flatMap((fact) => fact.amounts)
    for (const { currency: from } of amounts) {
      const pair = `${from} ${to}`
      if (from === null || from === to || rates.has(pair)) continue
      rates.set(pair, await readRate(environment, from, to))
    }
  }
  return (from, to) => rates.get(`${from} ${to}`) ?? null
}

async function readRate(environment: Environment, from: string, to: string): Promise<string | null> {
  const received = await nullOn(callService(environment, 'getRates', { query: { baseCurrency: from, currencies: to } }))
  const rate: unknown = received?.response.rates[to]
  return typeof rate === 'number' && rate > 0 ? String(rate) : null
}

/** Units of the currency for one unit of the other; null where there is no rate. */
type RateOf = (from: string, to: string) => string | null

/**
 * Why an amount rule requires an approval; nothing where it does not. Amounts are added up in the rule's currency; the sum of those in
 * another one is stated where the request is alone, since its approver sees neither it nor the rate elsewhere.
 */
function amountProblems(
  rule: Extract<PolicyRule, { when: 'amount' }>,
  { amounts }: Pick<PolicyFacts, 'amounts'>,
  rateOf: RateOf,
  isAlone: boolean,
): string[] {
  let total = amount('0')
  for (const part of amounts) {
    if (part.amount === null || part.currency === null) return ['Its amount is not known.']
    const rate = part.currency === rule.currency ? '1' : rateOf(part.currency, rule.currency)
    if (rate === null) return [`There is no rate from ${part.currency} to ${rule.currency}.`]
    total = total.plus(amount(part.amount).times(amount(rate)))
  }
  if (total.lt(amount(rule.amount))) return []
  const [first] = amounts
  if (!isAlone || !first || amounts.length > 1 || first.currency === rule.currency) return [ruleText(rule)]
  const converted = moneyText(roundToMinorUnit(total, rule.currency).toFixed(), rule.currency)
  return [ruleText(rule), `${moneyText(first.amount, first.currency)} came to ${converted} when it was requested.`]
}
