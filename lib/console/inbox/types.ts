/**
 * A delivery without its payload. Times are ISO 8601; `time` is the event's own, by the service's clock. `accountName`,
 * `cardLast4` and `payoutTo` are what the index knows of the objects; null where it does not know them.
 */
export type InboxEvent = {
  id: string
  event: string
  isKnown: boolean
  cardAccountId: string | null
  accountName: string | null
  cardId: string | null
  cardLast4: string | null
  payoutId: string | null
  payoutTo: string | null
  time: string | null
  receivedAt: string
  appliedAt: string | null
  problem: string | null
  duplicates: number
}

export type InboxFigures = {
  newest: { receivedAt: string; event: string } | null
  /** Since the start of the reader's day. */
  receivedToday: number
  received: number
  waiting: number
  signatures: { count: number; lastAt: string | null }
  malformed: number
  duplicates: number
  /** Milliseconds from storing to having applied, of the last thousand events at most; null where there are none. */
  lagMs: { p50: number; p99: number; events: number } | null
}

/** The whole of one delivery: `body` is its exact text. */
export type InboxEventDetail = InboxEvent & { body: string }
