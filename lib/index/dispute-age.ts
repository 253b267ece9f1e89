import { dayMs, hourMs } from '#lib/shared/time.ts'

/**
 * The age of a dispute in days as the time until which it had to be open, by the service's clock, to the hour, so that totals are not added
 * up for each request.
 */
export function withDisputeAge<Filters extends { disputeDays?: number | undefined }>(
  filters: Filters,
  serviceAt: Date,
): Filters & { disputeOpenedTo?: Date } {
  const { disputeDays } = filters
  if (disputeDays === undefined) return filters
  const hour = Math.floor(serviceAt.getTime() / hourMs) * hourMs
  return { ...filters, disputeOpenedTo: new Date(hour - disputeDays * dayMs) }
}
