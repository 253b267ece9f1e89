import { timingSafeEqual } from 'node:crypto'
import { keyedDigest } from '#lib/db/sealing.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import type { Environment } from '#lib/shared/routes.ts'
import type { QuoteFacts } from './types.ts'

/**
 * A keyed digest of a quote for the person who requested it. The console stores no quote: the seal proves that the
 * submitted one came from the console, so that audit entries and rules use the figures that the service quoted.
 */
export function sealOfQuote(environment: Environment, staffId: string, quote: QuoteFacts): string {
  return keyedDigest(consoleSettings().sealingKey, [
    'payout quote',
    environment,
    staffId,
    quote.id,
    quote.method,
    quote.accountId,
    quote.sourceAmount,
    quote.sourceCurrency,
    quote.destinationCountry,
    quote.destinationAmount,
    quote.destinationCurrency,
    quote.rate,
    quote.expiresAt,
  ])
}

export function isSealed(environment: Environment, staffId: string, quote: QuoteFacts, seal: string): boolean {
  const right = Buffer.from(sealOfQuote(environment, staffId, quote))
  const given = Buffer.from(seal)
  return right.length === given.length && timingSafeEqual(right, given)
}
