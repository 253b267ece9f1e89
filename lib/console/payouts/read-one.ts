import 'server-only'
import type { Environment } from '#lib/shared/routes.ts'
import { askService } from '../environments.ts'
import { announce } from '../live/announce.ts'
import { logFailure } from '../log.ts'
import { isRefusal, Refusal } from '../refusal.ts'
import { forgetPayout, mirrorPayouts } from './mirror.ts'
import { payoutAsKept, payoutOf, type PayoutRecord } from './record.ts'

/** The truth about one payout, which the mirror learns. Throws `PAYOUT_NOT_FOUND`, and the mirror forgets it. */
export async function readOnePayout(
  environment: Environment,
  payoutId: string,
): Promise<{ payout: PayoutRecord; askedAt: Date }> {
  const { answer, askedAt } = await askService(environment, 'listPayouts', { query: { payoutId } })
  const sent = answer.payouts.find((record) => payoutOf(payoutAsKept(record)).id === payoutId)
  if (!sent) {
    await forgetPayout(environment, payoutId, askedAt)
    throw payoutNotFound()
  }
  if (await mirrorPayouts(environment, [sent], askedAt)) announce(environment, [{ type: 'payouts' }])
  return { payout: payoutOf(payoutAsKept(sent)), askedAt }
}

/**
 * A payout read back after something happened to it; every open page hears of it. Null where it could not be read: what
 * happened stands without it.
 */
export async function readPayoutBack(environment: Environment, payoutId: string): Promise<PayoutRecord | null> {
  try {
    const { payout } = await readOnePayout(environment, payoutId)
    announce(environment, [{ type: 'payouts' }, { type: 'accounts' }])
    return payout
  } catch (error) {
    if (!isRefusal(error)) logFailure(error, { while: 'reading a payout back' })
    return null
  }
}

export function payoutNotFound(): Refusal {
  return new Refusal('PAYOUT_NOT_FOUND', 'There is no such payout in this environment.')
}
