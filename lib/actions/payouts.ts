'use server'

import { withBareFailures } from '#lib/console/desk/bare-failure.ts'
import type { QuotePayoutInput, QuoteResult } from '#lib/console/payouts/quote.ts'
import * as quotes from '#lib/console/payouts/quote.ts'
import type { SubmitPayoutInput, SubmitPayoutResult } from '#lib/console/payouts/submit.ts'
import * as submissions from '#lib/console/payouts/submit.ts'

/** Asks for a quote: nothing is changed by it, and the answer is cached nowhere. */
export async function quotePayout(input: QuotePayoutInput): Promise<QuoteResult> {
  return withBareFailures(() => quotes.quotePayout(input))
}

export async function submitPayout(input: SubmitPayoutInput): Promise<SubmitPayoutResult> {
  return withBareFailures(() => submissions.submitPayout(input))
}
