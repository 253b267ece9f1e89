import { z } from 'zod'
import { Currency } from '#lib/contract/fields.ts'
import { destinationFields, type PayoutEntry } from '#lib/contract/payout-entry.ts'
import { payoutMethods } from '#lib/contract/payout-rules.ts'

/** A field as it was entered: bounded here, validated by the rules of payout-entry.ts. */
const Entered = z.string('must be text').max(1000, 'must be at most 1000 characters')

/** Who receives and who sends; every field is there, empty where nothing was entered. */
export const Parties = {
  method: z.enum(payoutMethods, `must be one of ${payoutMethods.join(', ')}`),
  destinationCountry: z.string('must be a country').regex(/^[A-Z]{2}$/, 'must be two upper-case letters, such as HK'),
  destinationCurrency: Currency,
  destination: z.record(z.enum(destinationFields), Entered),
  source: z.object({ mobileNumber: Entered }),
}

/** A `PayoutEntry` as a browser sends it. */
export const Entry = z.object({
  ...Parties,
  sourceCurrency: Currency,
  side: z.enum(['source', 'destination'], 'must be source or destination'),
  amount: Entered,
}) satisfies z.ZodType<PayoutEntry>
