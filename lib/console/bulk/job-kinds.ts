import 'server-only'
import type { BulkKind } from '#lib/operations/bulk/types.ts'
import { cardJob } from '../cards/plan-card-job.ts'
import { waiverJob } from '../fees/plan-waivers.ts'
import { limitJob } from '../limits/plan-limits.ts'
import { tagJob } from '../references/plan-tags.ts'
import type { JobKind } from './plan.ts'

/** Server side of each kind of bulk job; `components/bulk/job-kind-table.tsx` is the screen's. */
export const jobKinds: Record<BulkKind, JobKind> = {
  'card.lock': cardJob('lock'),
  'card.unlock': cardJob('unlock'),
  'card.suspend': cardJob('suspend'),
  'card.unsuspend': cardJob('unsuspend'),
  'fee.waive': waiverJob,
  'account.set-limit': limitJob,
  'reference.set': tagJob,
}
