import type { Actor } from '#lib/audit/types.ts'
import type { Card, CardAccount } from '#lib/contract/records.ts'
import type { Freshness, ServiceHealth } from '#lib/environments/types.ts'
import type { AccountCoverage, TransactionCoverage } from '#lib/index/types.ts'
import type { WaitingRequestOf } from '#lib/operations/approvals/types.ts'
import type { NotStarted, PastOperation } from '#lib/operations/types.ts'
import type { PagePosition, PageTokens } from '#lib/shared/page-tokens.ts'

export type CardDetail = {
  card: Card
  account: CardAccount
  history: CardHistory
  replacements: CardReplacements
  /** Cancellations of the card that wait for an approval. */
  waiting: WaitingRequestOf[]
  /** The service's own time, by which it counts days and months of limits. ISO 8601. */
  serviceAt: string
  freshness: Freshness
}

/** Another card of the account; without its last four digits where it could not be read. */
export type LinkedCard = { id: string; last4: string | null }

export type CardReplacements = {
  replacedBy: LinkedCard | null
  replaces: LinkedCard | null
  /** The operation that issues its replacement now. */
  underWay: string | null
  /** What that waits for, where nothing is issued yet: an approval, or the step before it. */
  waitsFor: 'approval' | 'step' | null
  /** The operation that cancelled the card for another one, and ended before that was issued. */
  notIssued: string | null
}

/** Something that happened to a card, newest first in a list. Times are ISO 8601. */
export type CardHistoryEntry =
  | (PastOperation & {
      /** Statuses before and after, where the console read them. */
      from: string | null
      to: string | null
    })
  | {
      /** The console read another status than before, and none of its operations explains it: the actor is unknown. */
      kind: 'observed'
      /** It changed after `notBefore` and was observed at `at`. */
      at: string
      notBefore: string
      from: string
      to: string
    }

/** One stop on the status rail. `at` null: when it was reached is not known, or only that it was before `notAfter`. */
export type CardRailStop = {
  status: string
  reached: boolean
  isNow: boolean
  at: string | null
  notAfter: string | null
}

export type CardHistory = {
  entries: CardHistoryEntry[]
  /** The operation that made the card: it was issued at this console, or as the replacement of another card. */
  origin: PastOperation | null
  /** It was reported lost or stolen, and nobody has made it usable since. */
  isReportedLost: boolean
  rail: CardRailStop[]
  /**
   * When, by whom and why the card got its present status, as far as the console knows: a lock that a suspension hid
   * belongs to the person who locked the card, not to the one who ended the suspension. With `by` null, `since` is when
   * the console first read it. `status` is null where the service did not provide it.
   */
  current: { status: string | null } & CardStatusReason
  /** The lock that Unsuspend leaves; null where the card is not suspended, or it is unknown. */
  underlyingStatus: ({ status: 'active' | 'locked' } & CardStatusReason) | null
}

/** The person who set a status, when and why; null where that is unknown. */
export type CardStatusReason = {
  since: string | null
  by: Actor | null
  reason: string | null
  /** The operation that set it, and its kind; its entry is in the audit log. */
  operationId: string | null
  act: string | null
}

/** A product as cards of this environment have it. */
export type CardProduct = NonNullable<Card['product']> & { id: string }

/**
 * `revealed`: the link, for use in a frame of the browser only, and the IP address that it opens from. `limited`: this
 * person has revealed as many cards as an hour allows; `availableAt` is when the next one is possible, ISO 8601.
 */
export type RevealCardResult =
  | { kind: 'revealed'; url: string; ipAddress: string }
  | { kind: 'limited'; availableAt: string }
  | NotStarted

/** A card of the program's list, with the name and currency of its account. `expiresOn` is year and month, such as 202703. */
export type ProgramCard = {
  id: string
  cardAccountId: string
  accountName: string | null
  status: string | null
  last4: string | null
  embossedName: string | null
  productName: string | null
  expiresOn: number | null
  /** Decimal text, in `currency`. */
  cardLimit: string | null
  availableLimit: string | null
  currency: string | null
  /** The used share of the largest charge that its limits allow, as decimal text: more than 0.9 where less than a tenth is left. */
  limitUse: string | null
  /** The newest transaction in the index; null where there is none. */
  lastUsedAt: string | null
  /** The transactions of its account were read to their end: without one it was never used. */
  isUseKnown: boolean
  /** Its cancellation waits for an approval. */
  isCancellationWaiting: boolean
  asOf: string
}

/** The codes and products that the program's cards have. */
export type CardChoices = Record<'statuses' | 'products', string[]>

/** One page of the program's cards. */
export type ProgramCards = PagePosition &
  PageTokens & {
    cards: ProgramCard[]
    matching: number
    /** Cards of all accounts that could not be read, and are not in the list. */
    excluded: number
    choices: CardChoices
    coverage: AccountCoverage
    /** How complete the transactions are, where cards are chosen by their use: others may have been used, too. */
    transactions: TransactionCoverage | null
    health: ServiceHealth
  }
