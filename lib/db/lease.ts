import { sql } from 'drizzle-orm'

/** How long a process has work for itself without renewing its lease. */
const leaseSeconds = 15

/** When a lease that is taken or renewed now ends, by the database's clock. */
export const leaseEnd = sql`clock_timestamp() + make_interval(secs => ${leaseSeconds})`

/** Renews a lease every few seconds until the returned function is called. The next renewal makes up for one that fails. */
export function keepLease(renew: () => PromiseLike<unknown>): () => void {
  const timer = setInterval(() => void renew().then(undefined, () => undefined), (leaseSeconds * 1000) / 3)
  timer.unref()
  return () => clearInterval(timer)
}
