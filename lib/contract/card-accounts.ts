import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { AnswerUuid, Currency, openEnum, pageAnswer, pageQuery, Timestamp, Uuid, Xid, Xmetadata } from './fields.ts'

export const accountTypes = ['prepaid', 'credit'] as const
export const clientIdentityStatuses = ['pending', 'approved', 'rejected'] as const

/** The record is decided but for `balance`, `outstanding`, `available` and `disputeAmount`, which the interface names. */
export const CardAccount = z.object({
  id: AnswerUuid,
  xid: Xid.nullable(),
  xmetadata: Xmetadata.nullable(),
  name: z.string(),
  phoneNumber: z.string(),
  identityType: z.string(),
  accountType: openEnum(accountTypes),
  currency: Currency,
  limit: z.number(),
  balance: z.number(),
  outstanding: z.number(),
  available: z.number(),
  disputeAmount: z.number(),
  clientIdentityStatus: openEnum(clientIdentityStatuses),
  createdAt: Timestamp,
})
export type CardAccount = z.infer<typeof CardAccount>

export const AggregateBalance = z.object({
  group: z.string(),
  currency: Currency,
  balance: z.number(),
  value: z.number(),
})
export type AggregateBalance = z.infer<typeof AggregateBalance>

/** Decision: the currency of `value` in aggregate balances. */
export const reportingCurrency = 'USD'

export const cardAccountEndpoints = {
  listCardAccounts: endpoint({
    method: 'GET',
    path: '/cardaccounts',
    summary: 'The card accounts of the program, newest first.',
    query: z.object({ cardAccountId: Uuid.optional(), xid: Xid.optional(), ...pageQuery }),
    answer: z.object({ cardaccounts: z.array(CardAccount), ...pageAnswer }),
    errors: [],
  }),
  aggregateBalance: endpoint({
    method: 'GET',
    path: '/cardaccounts/aggregate-balance',
    summary: 'Balances added up per group of a metadata key and per currency.',
    query: z.object({
      groupKey: z.string().min(1, 'must not be empty').max(256, 'must be at most 256 characters').optional(),
    }),
    answer: z.object({ cardaccounts: z.array(AggregateBalance) }),
    errors: [],
  }),
}
