import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { ResponseUuid, Currency, oneOf, PositiveAmount, Uuid } from './fields.ts'
import { simulatedCurrencies } from './terms.ts'

export const SimulateAuthorization = z.object({
  cardAccountId: Uuid,
  cardId: Uuid,
  amount: PositiveAmount,
  currency: oneOf(simulatedCurrencies),
  opts: z
    .object(
      {
        /** Decision: the merchant's country as an ISO 3166-1 numeric code; a number that is none is shown as it is. */
        countryCode: z
          .int('must be a whole number')
          .min(0, 'must be 0 or more')
          .max(999, 'must be at most 999')
          .optional(),
        /** Decision: the total of the purchase, which becomes `grossAmount` after conversion. */
        purchaseAmount: PositiveAmount.optional(),
        /** Decision: PURCHASE where it is left out. */
        type: oneOf(['PURCHASE', 'ATM']).optional(),
        /** Decision: left out, a physical card is present and a virtual one is not. */
        cardPresent: z.boolean('must be true or false').optional(),
      },
      'must be an object',
    )
    .optional(),
})

export const RepaymentSimulation = z
  .object({
    cardAccountId: z.string(),
    currency: Currency.nullable(),
    repayAmount: z.number().nullable(),
    error: z.string().nullable(),
  })
  .meta({ id: 'RepaymentSimulation' })
export type RepaymentSimulation = z.infer<typeof RepaymentSimulation>

const SimulatedTransaction = z.object({ cardTransactionId: ResponseUuid })

export const simulatorEndpoints = {
  simulateAuthorization: endpoint({
    method: 'POST',
    path: '/cards/simulate-authorization',
    summary: 'Authorises a purchase on a card; a declined one is recorded and has the same response.',
    body: SimulateAuthorization,
    response: SimulatedTransaction,
    errors: ['CARD_ACCOUNT_NOT_FOUND', 'CARD_NUMBER_MISMATCH'],
  }),
  simulateFullReversal: endpoint({
    method: 'POST',
    path: '/cards/simulate-full-reversal',
    summary: 'Reverses a charge in full: a pending one becomes void, a posted one is refunded.',
    body: z.object({ cardAccountId: Uuid, cardTransactionId: Uuid }),
    response: SimulatedTransaction,
    errors: ['CARD_ACCOUNT_NOT_FOUND', 'TRANSACTION_NOT_FOUND'],
  }),
  simulateRepay: endpoint({
    method: 'POST',
    path: '/cardaccounts/simulate-repay',
    summary: 'Repays what card accounts owe, with a result for each.',
    body: z.object({
      cardAccountIds: z
        .array(Uuid, 'must be an array')
        .min(1, 'must not be empty')
        .max(1000, 'must have at most 1000 items'),
    }),
    response: z.object({ repayments: z.array(RepaymentSimulation) }),
    errors: [],
  }),
}
