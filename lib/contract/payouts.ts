import { z } from 'zod'
import { atMost } from '#lib/shared/at-most.ts'
import { endpoint } from './endpoint.ts'
import {
  CountryCode,
  Currency,
  ResponseUuid,
  IdempotencyKey,
  oneOf,
  openEnum,
  pageResponse,
  pageQuery,
  PositiveAmount,
  Timestamp,
  Uuid,
  whenObject,
  Xid,
  Xmetadata,
} from './fields.ts'
import { payoutMethods } from './payout-rules.ts'

/** `requested` is the interface's sample, the others are decided. An open set. */
export const payoutStatuses = ['requested', 'processing', 'completed', 'cancelled', 'failed'] as const
/** `ORDER_UNDER_AML_REVIEW` is the interface's sample, the others are decided. An open set. */
export const payoutSubStatuses = [
  'ORDER_UNDER_AML_REVIEW',
  'ORDER_SENT_TO_BANK',
  'ORDER_COMPLETED',
  'ORDER_CANCELLED',
  'ORDER_REJECTED_BY_BANK',
] as const
/** Decision: why money is sent, and where it comes from. */
export const payoutPurposes = ['self-use', 'family-support', 'salary', 'supplier-payment', 'other'] as const
export const sourcesOfFunds = ['income', 'savings', 'business', 'other'] as const

/** Decision: how long a quote can be used. */
export const quoteLifetimeMs = 60_000

export const Payout = z
  .object({
    id: ResponseUuid,
    xid: Xid.nullable(),
    xmetadata: Xmetadata.nullable(),
    created: Timestamp,
    updated: Timestamp,
    /** `NETWORK_CARD`, `BANK_TRANSFER`; `BANK_WIRE` appears in the interface's samples. */
    method: openEnum([...payoutMethods, 'BANK_WIRE']),
    destination: z.object({
      type: z.string(),
      /** Decision: of a card account (NETWORK_CARD) only the last four digits are stored and shown. */
      accountNumber: z.string(),
      routingNumber: z.string().nullable(),
      country: z.string(),
      bankName: z.string().nullable(),
      bankAddress: z.string().nullable(),
      wireCode: z.string().nullable(),
      accountHolderName: z.string(),
      accountHolderAddress: z.string(),
    }),
    accountId: ResponseUuid,
    sourceCurrency: Currency,
    destinationCurrency: Currency,
    sourceAmount: z.number(),
    destinationAmount: z.number(),
    rate: z.number(),
    /** Open: the built-in service's seed has an unknown value, as a real service may. */
    status: z.string().meta({ description: `One of ${payoutStatuses.join(', ')}, or another one.` }),
    subStatus: z
      .string()
      .nullable()
      .meta({ description: `One of ${payoutSubStatuses.join(', ')}, or another one.` }),
    cancellationReason: z.string().nullable(),
  })
  .meta({ id: 'Payout' })
export type Payout = z.infer<typeof Payout>

export const PayoutQuote = z
  .object({
    id: ResponseUuid,
    method: openEnum([...payoutMethods, 'BANK_WIRE']),
    sourceAmount: z.number(),
    sourceCurrency: Currency,
    destinationCountry: z.string(),
    destinationCurrency: Currency,
    destinationAmount: z.number(),
    rate: z.number().meta({ description: 'Units of the destination currency per unit of the source currency.' }),
    createdAt: Timestamp,
    expiresAt: Timestamp,
  })
  .meta({ id: 'PayoutQuote' })
export type PayoutQuote = z.infer<typeof PayoutQuote>

const optionalText = (maximumLength: number) =>
  z
    .string('must be a string')
    .max(...atMost(maximumLength))
    .optional()

/** Shapes only: payout-rules.ts has the fields that a method or a country requires, checked all together. */
export const PayoutDestination = z.object(
  {
    accountNumber: z.union([z.string(), z.number()], 'must be a string or a number').optional(),
    firstName: optionalText(100),
    firstNameCN: optionalText(100),
    surname: optionalText(100),
    surnameCN: optionalText(100),
    address: optionalText(500),
    mobileNumber: optionalText(32),
    email: optionalText(254),
    /** Decision: a code of the country's bank list. */
    bankCode: optionalText(64),
  },
  'must be an object',
)
export type PayoutDestination = z.infer<typeof PayoutDestination>

/** The sender. The Indonesia rule requires `mobileNumber`; the other fields are decided and never required. */
export const PayoutSource = z.object(
  {
    mobileNumber: optionalText(32),
    email: optionalText(254),
    firstName: optionalText(100),
    surname: optionalText(100),
    address: optionalText(500),
    country: optionalText(2),
  },
  'must be an object',
)
export type PayoutSource = z.infer<typeof PayoutSource>

/** `amount` and `currency` are other names of `destinationAmount` and `destinationCurrency`. */
const ValidatePayout = z.object({
  method: oneOf(payoutMethods),
  destination: PayoutDestination,
  destinationCountry: CountryCode.optional(),
  destinationCurrency: Currency.optional(),
  currency: Currency.optional(),
  destinationAmount: PositiveAmount.optional(),
  amount: PositiveAmount.optional(),
  sourceAmount: PositiveAmount.optional(),
  sourceCurrency: Currency.optional(),
  source: PayoutSource.optional(),
})

type GivenAmounts = { sourceAmount?: unknown; destinationAmount?: unknown }

const QuotePayout = z
  .object({
    method: oneOf(payoutMethods),
    accountId: Uuid,
    sourceCurrency: Currency,
    sourceAmount: PositiveAmount.optional(),
    destinationCountry: CountryCode,
    destinationCurrency: Currency,
    destinationAmount: PositiveAmount.optional(),
    destination: PayoutDestination.optional(),
    source: PayoutSource.optional(),
    idempotencyKey: IdempotencyKey.optional(),
  })
  .refine(
    ({ sourceAmount, destinationAmount }: GivenAmounts) =>
      (sourceAmount === undefined) !== (destinationAmount === undefined),
    {
      path: ['sourceAmount'],
      message: 'give exactly one of sourceAmount and destinationAmount',
      when: whenObject,
    },
  )

export const ExecutePayout = z.object({
  quoteId: Uuid,
  destination: PayoutDestination,
  source: PayoutSource.optional(),
  purpose: oneOf(payoutPurposes),
  sourceOfFunds: oneOf(sourcesOfFunds),
  remarks: optionalText(500),
  idempotencyKey: IdempotencyKey.optional(),
  xid: Xid.nullish(),
  xmetadata: Xmetadata.nullish(),
})
export type ExecutePayout = z.infer<typeof ExecutePayout>

/** The rules of payout-rules.ts as sentences. */
const payoutRules = [
  'NETWORK_CARD needs accountNumber (16 to 19 digits), firstName, firstNameCN, surname, surnameCN and address; BANK_TRANSFER needs accountNumber, firstName, surname and address.',
  'address is longer than 20 characters, with a space and a digit, as given or in pinyin; Chinese characters are converted to pinyin.',
  'Amounts are rounded half up to their currency’s minor unit; one that comes to nothing is refused, and whatever is received, at least one minor unit is sent.',
  'BANK_TRANSFER pays to HK (CNH, HKD), PH (PHP), IN (INR), ID (IDR) and KR (KRW); NETWORK_CARD to CN (CNY).',
  'Korea: destination.mobileNumber in E.164 format, destination.email when it does not start with +82, at least 5 KRW as given.',
  'Indonesia: source.mobileNumber in E.164 format, a destinationAmount in whole rupiah, at least 50,000 IDR.',
]

export const payoutEndpoints = {
  validatePayout: endpoint({
    method: 'POST',
    path: '/payouts/validate',
    summary: 'Checks the parameters and the destination of a payout; every broken rule is named at once.',
    rules: payoutRules,
    body: ValidatePayout,
    response: z.object({ valid: z.boolean(), message: z.string() }),
    errors: ['INVALID_PARAMETERS', 'NETWORK_CARD_INVALID_BANK_ACCOUNT'],
  }),
  quotePayout: endpoint({
    method: 'POST',
    path: '/payouts/quote',
    summary: 'A rate and both amounts, for 60 seconds and one payout.',
    rules: [
      'Give exactly one of sourceAmount and destinationAmount; the other follows from the rate.',
      'sourceCurrency is the currency of the funding account.',
      'destination and source are needed only for what the Korea and Indonesia rules require.',
      ...payoutRules.slice(2),
    ],
    body: QuotePayout,
    response: PayoutQuote,
    errors: ['INVALID_PARAMETERS', 'ACCOUNT_NOT_FOUND'],
  }),
  executePayout: endpoint({
    method: 'POST',
    path: '/payouts',
    summary: 'Executes a quote: the funding account is debited, and the payout is requested.',
    rules: [
      'A quote is used once, within 60 seconds; the destination keeps the same rules as in validate.',
      'A card account number has to be sent as a string: a JSON number loses digits.',
    ],
    body: ExecutePayout,
    response: Payout,
    errors: [
      'INVALID_PARAMETERS',
      'NETWORK_CARD_INVALID_BANK_ACCOUNT',
      'QUOTE_NOT_FOUND',
      'QUOTE_EXPIRED',
      'QUOTE_ALREADY_USED',
      'INSUFFICIENT_FUNDS',
      'XID_ALREADY_EXISTS',
    ],
  }),
  listPayouts: endpoint({
    method: 'GET',
    path: '/payouts',
    summary: 'Payouts, newest first.',
    query: z.object({
      payoutId: Uuid.optional(),
      accountId: Uuid.optional(),
      xid: Xid.optional(),
      ...pageQuery,
    }),
    response: z.object({ payouts: z.array(Payout), ...pageResponse }),
    errors: [],
  }),
}
