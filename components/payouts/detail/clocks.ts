import type { PayoutLifeEntry } from '#lib/console/payouts/shapes.ts'
import { minuteMs } from '#lib/shared/time.ts'

/** Whether the time of an entry is the service's: what staff do, and when something was received, is by the console's clock. */
export function isServiceTime(entry: PayoutLifeEntry): boolean {
  if (entry.kind === 'event') return entry.at !== entry.event.receivedAt
  return entry.kind !== 'operation'
}

/**
 * Whether a life shows that the service's clock is not the console's: a state was read more than a minute before the
 * service says that it happened, or happened that long before staff requested it. The clock of a sandbox can be moved.
 */
export function areClocksApart(entries: readonly PayoutLifeEntry[]): boolean {
  const submittedAt = entries.find((entry) => entry.kind === 'operation' && entry.act === 'payout.submit')?.at
  return entries.some((entry) => {
    if (!isServiceTime(entry)) return false
    const at = Date.parse(entry.at)
    const isBeforeRequest = submittedAt !== undefined && Date.parse(submittedAt) - at > minuteMs
    return isBeforeRequest || readTimes(entry).some((firstReadAt) => at - Date.parse(firstReadAt) > minuteMs)
  })
}

function readTimes(entry: PayoutLifeEntry): string[] {
  if (entry.kind === 'state') return [entry.firstReadAt, ...entry.events.map(({ receivedAt }) => receivedAt)]
  return entry.kind === 'event' ? [entry.event.receivedAt] : []
}
