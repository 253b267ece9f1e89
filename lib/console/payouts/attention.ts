import 'server-only'
import { sql, type SQL } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { cachedByCost } from '../desk/cache.ts'
import { directoryPayouts } from '../desk/tables/payouts.ts'

/** Payouts that need attention: how many, and the five that changed last. */
export type PayoutAttention = {
  id: 'payout-stopped' | 'payout-in-review'
  count: number
  examples: { id: string; label: string; detail: string | null }[]
}

/** The service's own time is not behind the newest change that it reported: the clock of a sandbox can be moved forward. */
const aDayAgo = (environment: Environment) => sql`(
  select greatest(clock_timestamp(), max(updated_at)) - interval '1 day'
  from ${directoryPayouts} where environment = ${environment})`

const watches: readonly { id: PayoutAttention['id']; condition: (dayAgo: SQL) => SQL }[] = [
  {
    id: 'payout-stopped',
    condition: (dayAgo) => sql`status in ('cancelled', 'failed') and updated_at > ${dayAgo}`,
  },
  { id: 'payout-in-review', condition: (dayAgo) => sql`status = 'requested' and updated_at < ${dayAgo}` },
]

const exampleCount = 5

/** Only kinds that occur. The caller has checked that the person may read payouts. */
export async function payoutsThatNeedAttention(environment: Environment): Promise<PayoutAttention[]> {
  const items = await Promise.all(
    watches.map(({ id, condition }) =>
      cachedByCost(`attention ${id} ${environment}`, () =>
        payoutsThat(environment, id, condition(aDayAgo(environment))),
      ),
    ),
  )
  return items.filter(({ count }) => count > 0)
}

type Example = PayoutAttention['examples'][number] & { count: number }

async function payoutsThat(
  environment: Environment,
  id: PayoutAttention['id'],
  condition: SQL,
): Promise<PayoutAttention> {
  const { rows } = await database().execute<Example>(sql`
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
