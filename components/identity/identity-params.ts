import { parseAsString } from 'nuqs/server'
import { defineListParams, type ParamsOf } from '#components/filters/list-params.ts'
import type { PageZone } from '#components/ui/time-format.ts'
import { identitySearch } from '#lib/api/identity.ts'
import type { ReadSearch } from '#lib/queries/reads.ts'

/** The value for every status in the URL, where none means `rejected`: those that wait for staff. */
export const allStatuses = 'all'

const list = defineListParams(identitySearch, { status: parseAsString.withDefault('rejected') })
type IdentityParams = ParamsOf<typeof list>

/** Statuses and reasons are open sets. A reason narrows rejected identities only. */
export const identityList = {
  ...list,
  activeFilters: (params: IdentityParams) => list.activeFilters(narrowed(params)),
  toSearch: (params: IdentityParams, zone: PageZone): ReadSearch<'listIdentities'> => ({
    ...list.toSearch(narrowed(params), zone),
    ...(params.status !== allStatuses && { status: params.status }),
  }),
}

function narrowed(params: IdentityParams): IdentityParams {
  return params.status === 'rejected' ? params : { ...params, reason: null }
}
