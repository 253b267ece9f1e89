import type { Payout as PayoutSchema } from '#lib/contract/payouts.ts'
import type { Payout } from '#lib/contract/records.ts'
import type { Freshness, ServiceHealth } from '#lib/environments/types.ts'
import type { Coverage } from '#lib/index/types.ts'
import type { NotStarted, PastOperation } from '#lib/operations/types.ts'
import type { PagePosition, PageTokens } from '#lib/shared/page-tokens.ts'

/**
 * A payout for people: null is what the service did not provide, amounts are exact decimal text, times ISO 8601, and every
 * field that the interface does not name is in `otherFields`.
 */
export type PayoutRecord = {
  id: string
  xid: string | null
  xmetadata: Payout['xmetadata']
  created: string | null
  updated: string | null
  method: string | null
  accountId: string | null
  sourceCurrency: string | null
  destinationCurrency: string | null
  sourceAmount: string | null
  destinationAmount: string | null
  /** What one unit of the source currency is in the other. */
  rate: string | null
  status: string | null
  subStatus: string | null
  cancellationReason: string | null
  destination: Record<DestinationField, string | null>
  otherFields: Record<string, unknown>
}

export type DestinationField = keyof PayoutSchema['destination']

/** A delivery in the inbox. Times are ISO 8601. */
export type PayoutEvent = { id: string; event: string; receivedAt: string }

/** A payout as it was sent, or as it waits to be. Null is what the journal does not have. */
export type SentPayout = {
  quoteId: string
  accountId: string | null
  accountName: string | null
  sourceAmount: string | null
  sourceCurrency: string | null
  destinationAmount: string | null
  destinationCurrency: string | null
  method: string | null
  country: string | null
  beneficiary: string | null
  accountNumber: string | null
  bankCode: string | null
  accountHolderAddress: string | null
  /** Named as in the request, by which they are masked. */
  destination: { mobileNumber: string | null; email: string | null }
  source: { mobileNumber: string | null }
  purpose: string | null
  sourceOfFunds: string | null
  remarks: string | null
  xid: string | null
}

/** An earlier payout of the same amount to the same beneficiary. `waiting`: for an approval; `approved`: and not sent yet. */
export type SimilarPayout = {
  /** Null where it is not known, or not made. */
  payoutId: string | null
  /** Null where this console did not send it. */
  operationId: string | null
  state: 'unsettled' | 'waiting' | 'approved' | 'made'
  at: string | null
  by: string | null
} & Pick<SentPayout, 'sourceAmount' | 'sourceCurrency' | 'destinationAmount' | 'destinationCurrency'>

/** Names a similar payout, so that a submission can say which ones its person was warned of. */
export function similarId({ operationId, payoutId }: SimilarPayout): string {
  return operationId ?? payoutId ?? ''
}

/** An entry of a payout's timeline, which is in order of time. */
export type PayoutTimelineEntry =
  | PastOperation
  /** The request of a submission that waited was approved. */
  | { kind: 'approved'; at: string; operationId: string; by: string; comment: string | null }
  /** When it was made, where the console has read no state of that time. */
  | { kind: 'created'; at: string }
  | {
      kind: 'state'
      at: string
      status: string
      subStatus: string | null
      cancellationReason: string | null
      isNow: boolean
      /** When the console read it for the first time: long after `at`, the time between is unknown. */
      seenAt: string
      /** The deliveries that reported it. */
      events: PayoutEvent[]
    }
  /** A delivery that reports no state. */
  | { kind: 'event'; at: string; event: PayoutEvent }

/** A status of the payout's course. `status` is null where the console did not read the first one, `at` where it is not reached. */
export type PayoutStop = { status: string | null; at: string | null; isNow: boolean }

export type PayoutTimeline = { entries: PayoutTimelineEntry[]; stops: PayoutStop[] }

/** A payout with its timeline. `fundingAccountName` is null where the service did not provide it. */
export type PayoutDetail = {
  /** Details submitted from here that the record lacks; null where there are none, or they are not stored any more. */
  submitted: Pick<SentPayout, 'purpose' | 'sourceOfFunds' | 'remarks'> | null
  payout: PayoutRecord
  fundingAccountName: string | null
  timeline: PayoutTimeline
  freshness: Freshness
}

/**
 * All payouts of one currency that match: how many, and of each status the exact sum as decimal text. `status` is null where
 * the service did not provide it, `amount` where no payout of the status has one.
 */
export type PayoutTotal = {
  currency: string
  payouts: number
  statuses: { status: string | null; amount: string | null }[]
  /** Payouts without an amount: the sums are without them. */
  excluded: number
}

/** All values to filter by, whatever the present filter is. */
export type OfferedPayoutFilters = {
  statuses: string[]
  methods: string[]
  sourceCurrencies: string[]
  destinationCurrencies: string[]
  /** Funding accounts; `name` is null where the service did not provide it. */
  accounts: { id: string; name: string | null; currency: string | null }[]
}

export type PayoutList = {
  payouts: PayoutRecord[]
  /** All payouts that match, on every page. */
  matching: number
  totals: { source: PayoutTotal[]; destination: PayoutTotal[] }
  /** Payouts that match and are in no total of the side, because its currency is not provided. */
  totalsExcluded: { source: number; destination: number }
  offered: OfferedPayoutFilters
  /** `coverage.excluded` counts payouts that could not be read. */
  coverage: Coverage
  health: ServiceHealth
} & PagePosition &
  PageTokens

/** A quote as the browser gets it. It is stored and cached nowhere: the browser's screen is the only place where it is. */
export type Quote = QuoteFacts & {
  createdAt: string
  /** Until it expires, counted from when the browser's request left: it was made after that, so this is never too long. */
  expiresInMs: number
  /** Null where the market rate could not be read, or the currencies are the same. */
  market: MarketComparison | null
  /** Whether the service said that the beneficiary is valid: its response may leave that open. */
  isValidated: boolean
  /** Earlier payouts that this one may repeat. */
  similar: SimilarPayout[]
  /** Goes with a submission: this console gave this quote to this person. */
  seal: string
}

export type QuoteResult = { kind: 'quoted'; quote: Quote } | NotAccepted

/** `isSaid`: the service said that it is valid; it may also say nothing about it. */
export type ValidationResult = { kind: 'valid'; isSaid: boolean; message: string | null } | NotAccepted

/** `invalid` by the service: fields by their path on the wire, and what belongs to none. */
type NotAccepted =
  | NotStarted
  | {
      kind: 'invalid'
      by: 'service'
      fields: Record<string, string>
      rest: string[]
      code: string
      requestId: string | null
    }

/** A quote as the browser gets it and returns it with a submission. Figures are decimal text. */
export type QuoteFacts = {
  id: string
  method: string
  accountId: string
  sourceAmount: string
  sourceCurrency: string
  destinationCountry: string
  destinationAmount: string
  destinationCurrency: string
  rate: string
  expiresAt: string
}

/**
 * A quote compared with the market: the result of the same source amount at the service's plain rate. Figures are
 * decimal text; `difference` is how much more (or, negative, less) the quote gives, in the destination currency.
 */
export type MarketComparison = {
  rate: string
  destinationAmount: string
  difference: string
  /** Difference of the rates in per cent, to two decimals; `0` where they are the same. */
  percent: string
  relation: 'same' | 'better' | 'worse'
}

/**
 * The values that a new payout copies from an earlier one, by the path of their field. `name` is the earlier
 * beneficiary.
 */
export type PayoutToRepeat = {
  name: string | null
  /** The choices that the entry was made with. */
  method: string | null
  country: string | null
  currency: string | null
  /** The entry; its amount is in `sourceCurrency`, and absent where that is not known. */
  fields: Record<string, string>
  sourceCurrency: string | null
}
