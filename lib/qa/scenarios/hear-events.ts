import { setTimeout as delay } from 'node:timers/promises'
import { callControl, type SignedDelivery } from './control-plane.ts'
import { Unreachable, type Target } from './target.ts'

type Listed = SignedDelivery & { position: number }
type EventPage = { events: Listed[]; resends: Listed[]; latest: { event: number; resend: number } }

type HeardDelivery = SignedDelivery & { kind: 'history' | 'live' | 'resend' }

type Options = {
  /** ISO 8601, by the sandbox clock; null: no history. */
  since: string | null
  event: string | undefined
  signal: AbortSignal
  /** Called once with the reason where the service can't be reached any more, and once where it can again. */
  onLost?: (reason: string) => void
  onFound?: () => void
}

const pollMs = 300
const lostPollMs = 1000
const pageSize = 200
/** Transactions commit in another order than they take positions: this many earlier positions are looked at again. */
const overlap = 200

/**
 * The events of the service: those since `since` in their order, then each new one, and each that somebody sends again. Goes on until
 * the signal, also where the service can't be reached for a time. Throws `Unreachable` where it can't be reached from the start.
 */
export async function* hearEvents(
  target: Target,
  { since, event, signal, onLost, onFound }: Options,
): AsyncGenerator<HeardDelivery> {
  const filter = event === undefined ? {} : { event }
  const page = (query: object) =>
    callControl<EventPage>(target, 'GET /events', { query: { ...filter, limit: pageSize, ...query } }, signal)
  const { latest } = await page({ limit: 1 })
  const heard = new Set<string>()
  let resentAfter = latest.resend
  let after = since === null ? latest.event : 0
  let isHistory = since !== null
  let floor = latest.event
  let isLost = false
  while (!signal.aborted) {
    // Live events are read by their positions alone: a moved or reset clock hides none, and a restore brings none again.
    const query = isHistory ? { since, after } : { after: Math.max(0, after - overlap) }
    const found = await page({ ...query, limit: pageSize + overlap, resentAfter }).catch((error: unknown) => {
      if (!(error instanceof Unreachable) || signal.aborted) throw error
      if (!isLost) onLost?.(error.message)
      isLost = true
      return null
    })
    if (found === null) {
      await delay(lostPollMs, undefined, { signal }).catch(() => undefined)
      continue
    }
    if (isLost) onFound?.()
    isLost = false
    const fresh = found.events.filter(({ id, position }) => !heard.has(id) && (isHistory || position > floor))
    for (const one of fresh) {
      heard.add(one.id)
      after = Math.max(after, one.position)
      yield { ...one, kind: one.position > floor ? 'live' : 'history' }
    }
    for (const one of found.resends) {
      resentAfter = Math.max(resentAfter, one.position)
      yield { ...one, kind: 'resend' }
    }
    if (fresh.length > 0) continue
    if (isHistory) after = Math.max(after, floor)
    isHistory = false
    // A sandbox that was started afresh counts from the beginning.
    if (found.latest.event < after) [after, floor, resentAfter] = [0, 0, 0]
    await delay(pollMs, undefined, { signal }).catch(() => undefined)
  }
}
