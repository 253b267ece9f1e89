import type { NotStarted } from '#lib/operations/types.ts'
import type { AccountEffect, WaiverTotal } from '../fees/types.ts'

/** Chosen records that a job leaves out: a status, or a code of the kind; `unknown` where Carddesk does not have them. */
export type LeftOut = { because: string | null; rows: number }

/** Effects of a job beyond the number of its rows. */
export type JobEffect = {
  /** Accounts that the rows belong to. */
  accounts?: number
  /** Refunds by currency, and the effect on each account. */
  waived?: { totals: WaiverTotal[]; effects: AccountEffect[] }
  /** Limits that become higher, or may; those below what is owed. */
  limits?: { raised: number; belowOutstanding: number }
  /** Records that have another value under the key now. */
  replaced?: number
}

/** The settings of a job, as its dialog has them: `limit` and `currency`, `key` and `value`. */
export type JobSettings = Record<string, string>

/** Effect that a job would have on the chosen records. Nothing is changed yet. */
export type JobPreview = {
  /** Those that it would change. */
  ids: string[]
  leftOut: LeftOut[]
  isTruncated: boolean
  effect: JobEffect
  settings: JobSettings
  asOf: string
  /** Digest of the preview. A start with another digest is refused: the preview is out of date. */
  digest: string
}

export type JobPreviewResult = { kind: 'read'; preview: JobPreview } | NotStarted
export type StartJobResult = { kind: 'started'; jobId: string } | NotStarted
