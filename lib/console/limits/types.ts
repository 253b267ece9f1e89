/** Why a file is not read at all. `line` is where, counted from 1; null where it is the file as a whole. */
export type CsvProblem = { line: number | null; problem: string }

/** One line of a file and its change. Amounts are decimal text in the account's currency. */
export type LimitLine = {
  line: number
  /** The cardAccountId or the xid of the line. */
  given: string
  account: { id: string; name: string | null; xid: string | null; currency: string | null } | null
  /** Null for a prepaid account, and where the service does not provide it. */
  limitNow: string | null
  limitNew: string
  availableAfter: string | null
  /** Less would be allowed than is owed: what is available becomes negative. Null where what is owed is not provided. */
  isBelowOutstanding: boolean | null
  /** Why the line is left out; null where it can be done. */
  problem: string | null
}

export type LimitPreview = {
  lines: LimitLine[]
  accounts: number
  leftOut: number
  ignoredColumns: string[]
  /** The oldest reading of an account that the figures are from; null where no line names one. */
  asOf: string | null
  /** Digest of the preview. A start with another digest is refused: the preview is out of date. */
  digest: string
}

/** The initial lines of the form of limits: none, those that a job left undone, or the limits before it where it is to be undone. */
export type LimitsStart = { text: string; job: { id: string; title: string; isUndo: boolean } | null }
