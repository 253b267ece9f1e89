import 'server-only'
import type { Environment } from '#lib/shared/routes.ts'
import { askService } from '../environments.ts'
import { announce } from '../live/announce.ts'
import { Refusal } from '../refusal.ts'
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

export function payoutNotFound(): Refusal {
  return new Refusal('PAYOUT_NOT_FOUND', 'There is no such payout in this environment.')
}
