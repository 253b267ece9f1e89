import { produceCard } from './card-production.ts'
import type { Performer, WorkKind } from './due-work.ts'
import { captureTransaction } from './ledger/fees.ts'
import { advancePayout } from './payouts/payout-life.ts'

/** Who performs which kind of due work. A new kind is a row here. */
export const performers = {
  'advance-payout': advancePayout,
  'capture-transaction': captureTransaction,
  'produce-card': produceCard,
} satisfies Record<WorkKind, Performer>
