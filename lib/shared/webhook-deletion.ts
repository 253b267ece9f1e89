import { minuteMs } from './time.ts'

type Deletion = { deletion: { basis: string; earliestMs: number } }

/** Whether only the bounds of a webhook's deletion are known, and the first of them has come: there is nothing to count down to. */
export function mayBeDeletedNow({ deletion }: Deletion, nowMs: number): boolean {
  return deletion.basis === 'bounds' && deletion.earliestMs <= nowMs + minuteMs
}
