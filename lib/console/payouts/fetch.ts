import 'server-only'
import { and, eq, sql } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import { sameId } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { isAppError, AppError } from '../desk/app-error.ts'
import { findRecord } from '../desk/connections/paginate.ts'
import { publish } from '../desk/live/publish.ts'
import { directoryPayouts } from '../desk/tables/payouts.ts'
import { forgetPayout, mirrorPayouts } from './mirror.ts'
import { payoutAsStored, payoutOf } from './record.ts'
import type { PayoutRecord } from './shapes.ts'

/**
 * A payout as the service has it now, which the mirror stores. The id may differ in case. Throws `PAYOUT_NOT_FOUND`, and the
 * mirror deletes it.
 */
export async function readOnePayout(
  environment: Environment,
  payoutId: string,
): Promise<{ payout: PayoutRecord; fetchedAt: Date }> {
  const id = (await storedPayoutId(environment, payoutId)) ?? payoutId
  const {
    record: sent,
    excluded,
    fetchedAt,
  } = await findRecord(
    environment,
    'listPayouts',
    { payoutId: id },
    {
      list: ({ payouts }) => payouts,
      isWanted: (one) => sameId(one.id, id),
    },
  ).catch((error: unknown) => {
    // A service that gives its ids one form refuses an id of another form.
    throw isAppError(error) && error.code === 'INVALID_PARAMETERS' ? payoutNotFound() : error
  })
  if (!sent && excluded > 0) throw new AppError('SERVICE_REFUSED', 'The service returned this payout without an id.')
  if (!sent) {
    await forgetPayout(environment, id, fetchedAt)
    throw payoutNotFound()
  }
  const { hasNewState } = await mirrorPayouts(environment, [sent], fetchedAt)
  if (hasNewState) publish(environment, [{ type: 'payouts' }])
  return { payout: payoutOf(payoutAsStored(sent)), fetchedAt }
}

/** The id of a payout as the service sent it, found in any case; null where the mirror does not have the payout. */
async function storedPayoutId(environment: Environment, id: string): Promise<string | null> {
  const [row] = await database()
    .select({ id: directoryPayouts.id })
    .from(directoryPayouts)
    .where(and(eq(directoryPayouts.environment, environment), sql`lower(id) = ${id.toLowerCase()}`))
    .orderBy(sql`id = ${id} desc`, directoryPayouts.id)
    .limit(1)
  return row?.id ?? null
}

export function payoutNotFound(): AppError {
  return new AppError('PAYOUT_NOT_FOUND', 'There is no such payout in this environment.')
}
