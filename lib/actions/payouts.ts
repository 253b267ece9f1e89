'use server'

import { withBareFailures } from '#lib/console/desk/bare-failure.ts'
import { act } from '#lib/console/desk/operations/act.ts'
import type { ActionResult } from '#lib/console/desk/shapes.ts'
import type { SubmitPayoutInput } from '#lib/console/payouts/operations.ts'
import type { QuotePayoutInput } from '#lib/console/payouts/quote.ts'
import * as quotes from '#lib/console/payouts/quote.ts'
import type { PayoutRecord, QuoteResult } from '#lib/console/payouts/shapes.ts'

/** Requests a quote. It changes nothing, and the response is not cached. */
export async function quotePayout(input: QuotePayoutInput): Promise<QuoteResult> {
  return withBareFailures(() => quotes.quotePayout(input))
}

export async function submitPayout(input: SubmitPayoutInput): Promise<ActionResult<PayoutRecord>> {
  return act('payout.submit', input)
}
