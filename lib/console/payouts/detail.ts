import 'server-only'
import { and, eq, sql } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { isAppError } from '../desk/app-error.ts'
import { requireService } from '../desk/connections/environments.ts'
import { healthOf } from '../desk/connections/health.ts'
import { ServiceId } from '../desk/parse.ts'
import { requirePermission } from '../desk/session/session.ts'
import type { Freshness } from '../desk/shapes.ts'
import { directoryPayouts } from '../desk/tables/payouts.ts'
import { fundingAccountNames } from '../funding-accounts.ts'
import { payoutNotFound, readOnePayout } from './mirror.ts'
import { payoutOf } from './record.ts'
import type { PayoutDetail, PayoutRecord } from './shapes.ts'
import { readPayoutTimeline } from './timeline.ts'

/** The payout from the service; while that does not respond, from the mirror. Throws `PAYOUT_NOT_FOUND`. */
export async function readPayout(environment: Environment, payoutId: string): Promise<PayoutDetail> {
  await requirePermission('payouts.read', environment)
  requireService(environment)
  if (!ServiceId.safeParse(payoutId).success) throw payoutNotFound()
  const [{ payout, readAt, source }, names] = await Promise.all([
    readFromService(environment, payoutId),
    fundingAccountNames(environment),
  ])
  const [timeline, health] = await Promise.all([readPayoutTimeline(environment, payout, readAt), healthOf(environment)])
  return {
    payout,
    fundingAccountName: names.get(payout.accountId?.toLowerCase() ?? '') ?? null,
    timeline,
    freshness: { asOf: readAt.toISOString(), source, health },
  }
}

type ReadPayout = { payout: PayoutRecord; readAt: Date; source: Freshness['source'] }

async function readFromService(environment: Environment, id: string): Promise<ReadPayout> {
  try {
    const { payout, fetchedAt } = await readOnePayout(environment, id)
    return { payout, readAt: fetchedAt, source: 'service' }
  } catch (error) {
    if (!isAppError(error) || error.code !== 'SERVICE_UNREACHABLE') throw error
    return (await fromMirror(environment, id)) ?? Promise.reject(error)
  }
}

async function fromMirror(environment: Environment, id: string): Promise<ReadPayout | null> {
  const [row] = await database()
    .select({ record: directoryPayouts.record, readAt: directoryPayouts.readAt })
    .from(directoryPayouts)
    .where(and(eq(directoryPayouts.environment, environment), sql`lower(id) = ${id.toLowerCase()}`))
    .limit(1)
  return row ? { payout: payoutOf(row.record), readAt: row.readAt, source: 'directory' } : null
}
