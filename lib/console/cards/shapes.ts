import type { Card, CardAccount } from '#lib/contract/records.ts'
import type { Actor, Freshness, NotStarted, PastOperation } from '../desk/shapes.ts'

export type CardDetail = {
  card: Card
  account: CardAccount
  history: CardHistory
  /** The service's own time, by which it counts days and months of limits. ISO 8601. */
  serviceAt: string
  freshness: Freshness
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
  by: Actor | null
}

export type CardHistory = {
  entries: CardHistoryEntry[]
  rail: CardRailStop[]
  /**
   * When, by whom and why the card got its present status, as far as the console knows: a lock that a suspension hid
   * belongs to the person who locked the card, not to the one who ended the suspension. With `by` null, `since` is when
   * the console first read it. `status` is null where the service did not provide it.
   */
  current: { status: string | null } & CardHold
  /** The lock that Unsuspend leaves; null where the card is not suspended, or it is unknown. */
  beneath: ({ status: 'active' | 'locked' } & CardHold) | null
}

/** The person who set a status, when and why; null where that is unknown. */
export type CardHold = {
  since: string | null
  by: Actor | null
  reason: string | null
  /** The operation that set it; its entry is in the audit log. */
  operationId: string | null
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
