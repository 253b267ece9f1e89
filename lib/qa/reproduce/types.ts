/** A scenario that reaches the state of a record, for the dialog. Nothing in it is personal. */
export type ReadReproduction = {
  title: string
  /** The scenario file. */
  text: string
  /** Differences from the original, in sentences. */
  notBuilt: string[]
  /** Whether this console has a sandbox in which it can be built. */
  hasLab: boolean
}

/** A sandbox of its own that holds a reproduction. */
export type BuiltReproduction = {
  kind: 'built'
  /** The steps that passed, of how many. */
  passed: number
  steps: number
  /** Why it ended early; null where every step passed. */
  failure: string | null
  /** How its state differs from the original's, a line each; null where it could not be read. */
  differences: string[] | null
  /** Id of the card account or payout in the sandbox. */
  recordId: string | null
  sandbox: { id: string; baseUrl: string; controlUrl: string; expiresAt: string | null }
}
