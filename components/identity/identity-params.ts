import { parseAsString } from 'nuqs/server'
import type { IdentityFilters } from '#lib/console/identity/read.ts'

/** Stands for every status in the URL, where none means `rejected`: those that wait for staff. */
export const allStatuses = 'all'

/** What the URL of the queue holds. Statuses and reasons are open sets. */
export const identityParams = {
  status: parseAsString.withDefault('rejected'),
  reason: parseAsString,
  q: parseAsString.withDefault(''),
  pageToken: parseAsString,
}

type IdentityParams = { status: string; reason: string | null; q: string; pageToken: string | null }

/** The filters of a read. A reason narrows rejected identities only. */
export function identityFilters({ status, reason, q, pageToken }: IdentityParams): IdentityFilters {
  return {
    status: status === allStatuses ? undefined : status,
    reason: (status === 'rejected' && reason) || undefined,
    q: q || undefined,
    pageToken: pageToken ?? undefined,
  }
}
