import type { ServiceHealth } from '#lib/console/desk/shapes.ts'

/** The later of two things known of a service's health; the first where they are of one moment. */
export function newerHealth(one: ServiceHealth, other: ServiceHealth): ServiceHealth {
  return newestMs(other) > newestMs(one) ? other : one
}

function newestMs(health: ServiceHealth): number {
  if (!health.connected) return 0
  return Math.max(...[health.lastResponseAt, health.unreachableSince].map((at) => (at === null ? 0 : Date.parse(at))))
}
