import type { AlertLevel, WebhookHealth } from '#lib/console/webhooks/types.ts'

/** From the most to the least urgent. */
const ranks: Record<AlertLevel, number> = {
  'one-hour': 0,
  'six-hours': 1,
  suspended: 2,
  deleted: 3,
  unhealthy: 4,
  unreadable: 5,
}

type Alerted = Pick<WebhookHealth, 'level'> & Partial<Pick<WebhookHealth, 'state'>>

/** The most pressing first, then those without an alert; of these, the deleted ones last. */
export function byUrgency(one: Alerted, other: Alerted): number {
  return rankOf(one) - rankOf(other)
}

function rankOf({ level, state }: Alerted): number {
  if (level !== null) return ranks[level]
  return state === 'deleted' ? 7 : 6
}
