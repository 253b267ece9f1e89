import 'server-only'
import { and, desc, eq, ilike, like } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import { sameId } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { hasId } from '../desk/id-condition.ts'
import { inboxEvents } from '../desk/tables/inbox.ts'
import type { TransactionEvent } from './timeline.ts'

const most = 200

/** What deliveries reported about a transaction, the newest first; the caller has checked the permission. */
export async function readTransactionEvents(
  environment: Environment,
  cardAccountId: string,
  transactionId: string,
): Promise<TransactionEvent[]> {
  const rows = await database()
    .select()
    .from(inboxEvents)
    .where(
      and(
        eq(inboxEvents.environment, environment),
        hasId(inboxEvents.cardAccountId, [cardAccountId]),
        like(inboxEvents.event, 'cardaccount.transaction.%'),
        ilike(inboxEvents.body, `%${patternOf(transactionId)}%`),
      ),
    )
    .orderBy(desc(inboxEvents.position))
    .limit(most)
  return rows.flatMap((row) => transactionEventOf(row, transactionId) ?? [])
}

/** An id as it is in JSON, with the wildcards of LIKE escaped. */
function patternOf(id: string): string {
  return JSON.stringify(id)
    .slice(1, -1)
    .replaceAll(/[\\%_]/g, String.raw`\$&`)
}

type Row = Pick<typeof inboxEvents.$inferSelect, 'id' | 'event' | 'body' | 'time' | 'receivedAt'>

/** Null where the delivery is about another transaction and only names this one, or cannot be read. */
function transactionEventOf(
  { id, event, body, time, receivedAt }: Row,
  transactionId: string,
): TransactionEvent | null {
  const data = dataOf(body)
  const about = [data.id, data.transactionId].find((value) => typeof value === 'string')
  if (typeof about !== 'string' || !sameId(about, transactionId)) return null
  const { status, disputeStatus, postedAt } = data
  return {
    eventId: id,
    event,
    at: (time ?? receivedAt).toISOString(),
    status: typeof status === 'string' ? status : undefined,
    disputeStatus: typeof disputeStatus === 'string' || disputeStatus === null ? disputeStatus : undefined,
    postedAt: typeof postedAt === 'string' && !Number.isNaN(Date.parse(postedAt)) ? postedAt : undefined,
  }
}

function dataOf(body: string): Record<string, unknown> {
  const delivery: unknown = JSON.parse(body)
  const data = typeof delivery === 'object' && delivery !== null && 'data' in delivery ? delivery.data : null
  return typeof data === 'object' && data !== null ? { ...data } : {}
}
