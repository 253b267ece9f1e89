import 'server-only'
import { and, eq, sql } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import { readHealth } from '#lib/environments/health.ts'
import type { Freshness } from '#lib/environments/types.ts'
import { isAppError } from '#lib/shared/app-error.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { indexedPayouts } from '#lib/tables/payouts.ts'
import { readFundingAccountNames } from '../funding-accounts.ts'
import { readOnePayout } from './index-payouts.ts'
import { parseStoredPayout } from './payout-record.ts'
import { readPayoutTimeline } from './payout-timeline.ts'
import { findSubmission, readSentPayout } from './sent-payout.ts'
import type { PayoutDetail, PayoutRecord } from './types.ts'

/** The payout from the service; while that does not respond, from the index. Throws `PAYOUT_NOT_FOUND`. */
export async function readPayout(environment: Environment, payoutId: string): Promise<PayoutDetail> {
  const [{ payout, readAt, source }, findName] = await Promise.all([
    readFromService(environment, payoutId),
    readFundingAccountNames(environment),
  ])
  const [timeline, health, submitted] = await Promise.all([
    readPayoutTimeline(environment, payout, readAt),
    readHealth(environment),
    findSubmitted(environment, payout.id),
  ])
  return {
    payout,
    submitted,
    fundingAccountName: findName(payout.accountId),
    timeline,
    freshness: { asOf: readAt.toISOString(), source, health },
  }
}

/** Details that its submission declared, which the payout's own record does not have. */
async function findSubmitted(environment: Environment, payoutId: string): Promise<PayoutDetail['submitted']> {
  const row = await findSubmission(environment, payoutId)
  const sent = row && (await readSentPayout(row))
  return sent ? { purpose: sent.purpose, sourceOfFunds: sent.sourceOfFunds, remarks: sent.remarks } : null
}

type ReadPayout = { payout: PayoutRecord; readAt: Date; source: Freshness['source'] }

async function readFromService(environment: Environment, id: string): Promise<ReadPayout> {
  try {
    const { payout, fetchedAt } = await readOnePayout(environment, id)
    return { payout, readAt: fetchedAt, source: 'service' }
  } catch (error) {
    if (!isAppError(error) || error.code !== 'SERVICE_UNREACHABLE') throw error
    return (await readFromIndex(environment, id)) ?? Promise.reject(error)
  }
}

async function readFromIndex(environment: Environment, id: string): Promise<ReadPayout | null> {
  const [row] = await database()
    .select({ record: indexedPayouts.record, readAt: indexedPayouts.readAt })
    .from(indexedPayouts)
    .where(and(eq(indexedPayouts.environment, environment), sql`lower(id) = ${id.toLowerCase()}`))
    .limit(1)
  return row ? { payout: parseStoredPayout(row.record), readAt: row.readAt, source: 'index' } : null
}
