import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Queryable } from '#lib/db/connection.ts'
import { controlRoute, rowLimit } from './control-route.ts'

const Page = z.strictObject({ limit: rowLimit(1000, 100) })

type Item = {
  kind: string
  dueMs: string
  cardAccountId: string | null
  cardId: string | null
  transactionId: string | null
  payoutId: string | null
  webhookId: string | null
}

/** Work with the ids that it is about. `source` has kind, subject, due_at and id. */
async function listWork(db: Queryable, source: SQL, order: SQL, limit: number) {
  const { rows } = await db.execute<Item>(sql`
    with work as (${source})
    select kind, floor(extract(epoch from work.due_at) * 1000)::bigint as "dueMs",
      coalesce(entry.card_account_id, card.card_account_id) as "cardAccountId",
      coalesce(card.id, entry.card_id) as "cardId",
      entry.id as "transactionId",
      case when kind = 'advance-payout' then subject end as "payoutId",
      case when kind in ('ping-webhook', 'retry-delivery') then subject end as "webhookId"
    from work
    left join service.card_account_transactions entry
      on entry.id = case when kind = 'capture-transaction' then subject::uuid end
    left join service.cards card on card.id = case when kind = 'produce-card' then subject::uuid end
    order by ${order}
    limit ${limit + 1}`)
  return {
    work: rows.slice(0, limit).map(({ dueMs, kind, ...ids }) => ({
      kind,
      dueAt: new Date(Number(dueMs)).toISOString(),
      ...Object.fromEntries(Object.entries(ids).filter(([, id]) => id !== null)),
    })),
    hasMore: rows.length > limit,
  }
}

export const dueWorkRoutes = [
  controlRoute({
    method: 'GET',
    path: '/due-work',
    query: Page,
    response: ({ db }, { limit }) =>
      listWork(
        db,
        sql`
          (select kind, subject, due_at, id from service.due_work order by due_at, id limit ${limit + 1})
          union all
          select case when status = 'error' then 'ping-webhook' else 'retry-delivery' end, id::text, due_at, 0
          from service.webhooks where due_at is not null and status <> 'removed'`,
        sql`work.due_at, work.id`,
        limit,
      ),
  }),
  controlRoute({
    method: 'GET',
    path: '/performed-work',
    query: Page,
    response: ({ db }, { limit }) =>
      listWork(
        db,
        sql`select kind, subject, due_at, id from service.performed_work order by id desc limit ${limit + 1}`,
        sql`work.id desc`,
        limit,
      ),
  }),
]
