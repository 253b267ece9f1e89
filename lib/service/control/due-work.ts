import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { controlRoute } from './control-route.ts'

const mostItems = 1000

const Page = z.strictObject({
  limit: z
    .string('must be given once')
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= mostItems, `must be 1 to ${mostItems}`)
    .default(100),
})

type DueItem = {
  kind: string
  dueMs: string
  cardAccountId: string | null
  cardId: string | null
  transactionId: string | null
  payoutId: string | null
  webhookId: string | null
}

export const dueWorkRoutes = [
  controlRoute({
    method: 'GET',
    path: '/due-work',
    query: Page,
    answer: async ({ db }, { limit }) => {
      // The payload of a work may hold sealed data; it is not selected.
      const { rows } = await db.execute<DueItem>(sql`
        with due as (
          (select kind, subject, due_at, id from service.due_work order by due_at, id limit ${limit + 1})
          union all
          select case when status = 'error' then 'ping-webhook' else 'retry-delivery' end, id::text, due_at, 0
          from service.webhooks where due_at is not null and status <> 'removed'
        )
        select kind, floor(extract(epoch from due.due_at) * 1000)::bigint as "dueMs",
          coalesce(entry.card_account_id, card.card_account_id) as "cardAccountId",
          coalesce(card.id, entry.card_id) as "cardId",
          entry.id as "transactionId",
          case when kind = 'advance-payout' then subject end as "payoutId",
          case when kind in ('ping-webhook', 'retry-delivery') then subject end as "webhookId"
        from due
        left join service.card_account_transactions entry
          on entry.id = case when kind = 'capture-transaction' then subject::uuid end
        left join service.cards card on card.id = case when kind = 'produce-card' then subject::uuid end
        order by due.due_at, due.id
        limit ${limit + 1}`)
      return {
        work: rows.slice(0, limit).map(({ dueMs, kind, ...ids }) => ({
          kind,
          dueAt: new Date(Number(dueMs)).toISOString(),
          ...Object.fromEntries(Object.entries(ids).filter(([, id]) => id !== null)),
        })),
        hasMore: rows.length > limit,
      }
    },
  }),
]
