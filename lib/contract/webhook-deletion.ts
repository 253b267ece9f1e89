import { minuteMs } from '#lib/shared/time.ts'

type Deletion = { deletion: { basis: string; earliestMs: number } }

/** Whether only the bounds of a webhook's deletion are known, and the first of them has come: there is nothing to count down to. Not while it is not suspended. */
export function mayBeDeletedNow(suspension: Deletion | null, nowMs: number): boolean {
  return suspension?.deletion.basis === 'bounds' && suspension.deletion.earliestMs <= nowMs + minuteMs
}
