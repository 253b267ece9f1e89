import { count } from '#components/ui/count.ts'

/** A queue as text. A number that the service does not provide is not 0. */
export function queuedText(queued: number | null): string {
  if (queued === null) return 'queued events (number not provided)'
  return queued === 1 ? '1 queued event' : `${count.format(queued)} queued events`
}
