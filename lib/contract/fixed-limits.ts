import { z } from 'zod'
import { AccountLimit } from './card-accounts.ts'
import { endpoint } from './endpoint.ts'
import { Uuid } from './fields.ts'

export const FixedLimit = z.object({
  cardAccountId: Uuid,
  limit: AccountLimit,
})
export type FixedLimit = z.infer<typeof FixedLimit>

const maximumFixedLimits = 1000

/** Decision: the items of an array are validated one by one, so that an invalid item fails alone. */
const FixedLimits = z
  .array(z.unknown())
  .min(1, 'must not be empty')
  .max(maximumFixedLimits, `must have at most ${maximumFixedLimits} items`)
  .meta({ description: 'Items of the form { cardAccountId, limit }; a bad item does not stop the others.' })

/** The result of one item. `cardAccountId` and `limit` are null where the item had no valid one. */
export const FixedLimitResult = z
  .object({
    cardAccountId: z.string().nullable(),
    limit: z.number().nullable(),
    success: z.boolean(),
    error: z.string().nullable(),
  })
  .meta({ id: 'FixedLimitResult' })
export type FixedLimitResult = z.infer<typeof FixedLimitResult>

export const fixedLimitEndpoints = {
  setFixedLimit: endpoint({
    method: 'POST',
    path: '/cardaccounts/fixed-limit',
    summary: 'Sets the limit of one card account, or of many with a result for each.',
    body: z.union([FixedLimit, FixedLimits]),
    response: z.union([FixedLimitResult, z.array(FixedLimitResult)]),
    errors: ['CARD_ACCOUNT_NOT_FOUND'],
  }),
}
