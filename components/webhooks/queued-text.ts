import { formatCount } from '#components/ui/count.ts'

/** A queue as text. A number that the service does not provide is not 0. */
export function queuedText(queued: number | null): string {
  return queued === null ? 'queued events (number not provided)' : formatCount(queued, 'queued event')
}
