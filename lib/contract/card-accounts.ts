import { z } from 'zod'
import { atMost } from '#lib/shared/at-most.ts'
import { Individual } from './client-identity.ts'
import { endpoint } from './endpoint.ts'
import {
  Amount,
  Currency,
  oneOf,
  openEnum,
  pageQuery,
  pageResponse,
  PhoneNumber,
  ResponseUuid,
  text,
  Timestamp,
  Uuid,
  whenObject,
  Xid,
  Xmetadata,
} from './fields.ts'
import { accountTypes, cardAccountCurrencies, clientIdentityStatuses } from './terms.ts'

/** The record is decided but for `balance`, `outstanding`, `available` and `disputeAmount`, which the interface names. */
export const CardAccount = z
  .object({
    id: ResponseUuid,
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
  .meta({ id: 'CardAccount' })
export type CardAccount = z.infer<typeof CardAccount>

export const AggregateBalance = z
  .object({
    group: z.string(),
    currency: Currency,
    balance: z.number(),
    value: z.number(),
  })
  .meta({ id: 'AggregateBalance' })
export type AggregateBalance = z.infer<typeof AggregateBalance>

/** Decision: below a million millions, so that balance + limit is an amount that a JSON number carries. */
const AccountLimit = Amount.refine((limit) => limit >= 0, 'must be 0 or more').refine(
  (limit) => limit < 1e12,
  'must be below 1,000,000,000,000',
)

type GivenLimit = { accountType?: unknown; limit?: unknown }

function isPrepaidWithoutLimit({ accountType, limit }: GivenLimit): boolean {
  return accountType !== 'prepaid' || limit === undefined || limit === 0
}

/** Decided but for the individual's fields, which the interface makes mandatory from 2026-02-01 on. */
export const CreateCardAccount = z
  .object({
    name: text(200),
    phoneNumber: PhoneNumber,
    identityType: z.literal('individual', 'must be individual'),
    accountType: oneOf(accountTypes),
    currency: oneOf(cardAccountCurrencies),
    limit: AccountLimit.optional(),
    xid: Xid.nullish(),
    xmetadata: Xmetadata.nullish(),
    individual: Individual,
  })
  .refine(isPrepaidWithoutLimit, {
    path: ['limit'],
    message: 'must be left out for a prepaid account',
    when: whenObject,
  })

/** An entry of the occupations and positions lists. */
const CodedName = z.object({ code: z.string(), name: z.string() }).meta({ id: 'CodedName' })

/** Decision: the currency of `value` in aggregate balances. */
export const reportingCurrency = 'USD'

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

export const cardAccountEndpoints = {
  listCardAccounts: endpoint({
    method: 'GET',
    path: '/cardaccounts',
    summary: 'The card accounts of the program, newest first.',
    query: z.object({ cardAccountId: Uuid.optional(), xid: Xid.optional(), ...pageQuery }),
    response: z.object({ cardaccounts: z.array(CardAccount), ...pageResponse }),
    errors: [],
  }),
  aggregateBalance: endpoint({
    method: 'GET',
    path: '/cardaccounts/aggregate-balance',
    summary: 'Balances added up per group of a metadata key and per currency.',
    query: z.object({
      groupKey: z
        .string()
        .min(1, 'must not be empty')
        .max(...atMost(256))
        .optional(),
    }),
    response: z.object({ cardaccounts: z.array(AggregateBalance) }),
    errors: [],
  }),
  createCardAccount: endpoint({
    method: 'POST',
    path: '/cardaccounts',
    summary: 'Creates a card account for an individual; its client identity is pending.',
    body: CreateCardAccount,
    response: CardAccount,
    errors: ['XID_ALREADY_EXISTS'],
  }),
  listOccupations: endpoint({
    method: 'GET',
    path: '/cardaccounts/occupations',
    summary: 'The occupations that a cardholder can have.',
    response: z.object({ occupations: z.array(CodedName) }),
    errors: [],
  }),
  listPositions: endpoint({
    method: 'GET',
    path: '/cardaccounts/positions',
    summary: 'The positions that a cardholder can have.',
    response: z.object({ positions: z.array(CodedName) }),
    errors: [],
  }),
  setFixedLimit: endpoint({
    method: 'POST',
    path: '/cardaccounts/fixed-limit',
    summary: 'Sets the limit of one card account, or of many with a result for each.',
    body: z.union([FixedLimit, FixedLimits]),
    response: z.union([FixedLimitResult, z.array(FixedLimitResult)]),
    errors: ['CARD_ACCOUNT_NOT_FOUND'],
  }),
}
