import type { Actor } from '#lib/audit/types.ts'
import type { CardAction } from '#lib/contract/card-actions.ts'
import type { CardLimitName } from '#lib/contract/charge-rule.ts'
import type { Card, CardAccount, CardAccountTransaction, FeeEntry } from '#lib/contract/records.ts'
import type { CardStatus } from '#lib/contract/terms.ts'
import type { Freshness, ServiceHealth } from '#lib/environments/types.ts'
import type { IndexedTransaction, TransactionCoverage } from '#lib/index/types.ts'
import type { PagePosition, PageTokens } from '#lib/shared/page-tokens.ts'

export type TimelineKind =
  | 'recorded'
  | 'authorized'
  | 'declined'
  | 'posted'
  | 'status'
  | 'void'
  | 'refunded'
  | 'disputed'

/**
 * One step of a transaction. `known` is its source: the record itself, an event, the console's own journal, or an
 * inference. `at` null: its time is unknown.
 */
export type TimelineEntry = {
  kind: TimelineKind
  at: string | null
  known: 'record' | 'event' | 'journal' | 'inferred'
  /** It was so at this time, and may have been so before. */
  isAtLatest: boolean
  /** The status, or the dispute status, that it came to, as the service sent it; null where a dispute ended without one. */
  status: string | null
  /** The delivery that reported it, or reported it too. */
  eventId: string | null
  /** The refund that is meant. */
  relatedId: string | null
  /** The person, where it was done with this console. */
  by: Actor | null
}

/** A transaction with all that the service and the console's own records know about it. */
export type TransactionDetail = {
  transaction: CardAccountTransaction
  account: Pick<CardAccount, 'id' | 'name' | 'currency'>
  /** The fee entry that this transaction carries; null where it carries none, or none was found. */
  fee: Pick<FeeEntry, 'id' | 'intent' | 'status'> | null
  related: RelatedEntries
  timeline: TimelineEntry[]
  /** Why it was declined; null for a transaction that was not. */
  decline: TransactionDecline | null
  /** The parts that could not be read; the rest is shown without them. */
  missing: ('fee' | 'related' | 'decline')[]
  freshness: Freshness
}

/** The explanation of a decline with the records that it speaks of, as they are now. `card` is null where it was not read. */
export type TransactionDecline = { explanation: DeclineExplanation; card: Card | null; account: CardAccount }

/** Bounds of a charge: a limit of the card, the account's available balance, or the card's largest charge, which no field explains. */
export type DeclineBoundName = CardLimitName | 'available' | 'availableLimit'

/**
 * Room that a bound leaves a charge, as decimal text: `slack` is `left` less the charge, negative where the charge exceeds it.
 * Null: the records do not show it. `exceeds` may be known without it.
 */
export type DeclineSlack = { left: string | null; slack: string | null; exceeds: boolean | null }

export type DeclineBound = {
  name: DeclineBoundName
  /** Over which charges count against it; null where the service's period is unknown. */
  period: 'charge' | 'day' | 'month' | null
  /** `none`: the card has no such limit of its own. Null: not provided, and for a balance, which has none. */
  limit: string | null
  atDecline: DeclineSlack
  now: DeclineSlack
}

/**
 * Cause that the response names. `status`, `expiry`, `bound`: as the built-in service words it. `other`: it names neither a status nor a
 * limit of the card. `as-sent`: of another service, whose words are shown without a claim.
 */
export type DeclineCause =
  | { kind: 'status'; status: Exclude<CardStatus, 'active'> }
  | { kind: 'expiry' }
  | { kind: 'bound'; name: DeclineBoundName }
  | { kind: 'other' }
  | { kind: 'as-sent' }

/** Something that would stop the same charge now. `short` is decimal text. */
export type DeclineObstacle =
  | { kind: 'status'; status: Exclude<CardStatus, 'active'> }
  | { kind: 'expiry' }
  | { kind: 'bound'; name: DeclineBoundName; short: string | null }

export type DeclineStep =
  | { kind: 'card-action'; action: Extract<CardAction, 'unlock' | 'unsuspend' | 'activate'> }
  | { kind: 'set-limit'; limit: string }

/**
 * The smallest change that lets the same charge pass. `none`: nothing stops it now. `steps`: all of them are needed, in this order.
 * `no-action`: the interface cannot change what stops it; `passesFrom` is when a limit begins anew (ISO 8601), where that is enough.
 * `not-known`: the records do not show what stops it.
 */
export type DeclineChange =
  | { kind: 'none' }
  | { kind: 'not-known' }
  | { kind: 'steps'; steps: DeclineStep[] }
  | { kind: 'no-action'; passesFrom: string | null }

/** Why a charge was declined, and what would let the same charge pass now. Amounts are decimal text in `currency`. */
export type DeclineExplanation = {
  amount: string | null
  currency: string | null
  /** The merchant requested another currency: the rate may be another one by now. */
  isConverted: boolean
  cause: DeclineCause
  /** The bounds that apply to this kind of charge, in the order in which they are checked. */
  bounds: DeclineBound[]
  obstacles: DeclineObstacle[]
  change: DeclineChange
  /** Whether nothing but what is named here stops the same charge: only of the built-in service, whose rule is known. */
  isComplete: boolean
  /** The largest charge of this kind that passes now, without any change; null where none does, or it is unknown. */
  largestNow: string | null
}

/**
 * An entry that belongs to another one: the `refund` of a charge, or the `charge` that a refund is for. Certain where
 * both have the same `reference`; otherwise inferred from card and description, with the same `amount`, or with a refund that
 * may be a `part` of the charge.
 */
export type RelatedEntry = {
  relation: 'refund' | 'charge'
  basis: 'reference' | 'amount' | 'part'
} & Pick<
  CardAccountTransaction,
  'id' | 'createdAt' | 'status' | 'amount' | 'currency' | 'entryType' | 'description' | 'refId'
>

export type RelatedEntries = {
  entries: RelatedEntry[]
  /** False where the account has more candidates than were looked at, or some of them came without an id. */
  isWhole: boolean
}

/** A transaction of the program's list, with the name of its account where the index has it. */
export type ProgramTransaction = IndexedTransaction & { accountName: string | null }

/** The codes that the program's transactions have. */
export type TransactionChoices = Record<'statuses' | 'intents' | 'currencies' | 'mccs' | 'responseCodes', string[]> & {
  /** What the service calls the merchants of a code. */
  categories: Record<string, string>
}

/**
 * Totals of the matching transactions in one currency, as decimal text: taken from balances, added to them, declined. `excluded` have no
 * known effect on a balance, by their status, direction, amount or currency.
 */
export type TransactionTotals = {
  matching: number
  excluded: number
  totals: {
    currency: string
    transactions: number
    taken: string | null
    added: string | null
    declined: number
    declinedAmount: string | null
  }[]
}

/** One page of the program's transactions. */
export type ProgramTransactions = PagePosition &
  PageTokens & {
    transactions: ProgramTransaction[]
    totals: TransactionTotals
    choices: TransactionChoices
    coverage: TransactionCoverage
    health: ServiceHealth
    /** Now by the service's clock, from which the age of a dispute counts. */
    serviceAt: string
  }

/** Declines of one reason in a range; `declinesBefore` in the same hours a week before, null without a first day. */
export type DeclineReason = {
  responseCode: string | null
  responseMessage: string | null
  declines: number
  cards: number
  declinesBefore: number | null
}
