import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { RateHistory, RateHistorySearch } from '#lib/console/rates/history.ts'
import type { Rates, RatesSearch } from '#lib/console/rates/read.ts'
import { apiRoutes, type Environment } from '#lib/shared/routes.ts'
import { isWorthRetrying, readJson } from './read.ts'

/** A little more than the console's own 5 s, so that each reading finds a new sample. */
const everyMs = 5_200

/** What was refused for good is not asked for again; what was never read is asked for less often, so that its failure can be read. */
function unlessRefused(intervalMs: number) {
  return ({ state: { data, error } }: { state: { data: unknown; error: Error | null } }): number | false => {
    if (data !== undefined || error === null) return intervalMs
    return isWorthRetrying(0, error) ? 15_000 : false
  }
}

/** The rates of a base now. Asked for again every few seconds while the page is visible. */
export function ratesQuery(environment: Environment, search: RatesSearch) {
  return queryOptions({
    queryKey: [environment, 'rates', 'now', search],
    queryFn: ({ signal }) => readJson<Rates>(apiRoutes.rates(environment, search), signal),
    refetchInterval: unlessRefused(everyMs),
    retry: isWorthRetrying,
    staleTime: 2_000,
  })
}

/** What the console sampled of a pair. The last hour grows while it is looked at. */
export function rateHistoryQuery(environment: Environment, search: RateHistorySearch) {
  return queryOptions({
    queryKey: [environment, 'rates', 'history', search],
    queryFn: ({ signal }) => readJson<RateHistory>(apiRoutes.rateHistory(environment, search), signal),
    placeholderData: keepPreviousData,
    refetchInterval: unlessRefused(search.range === '1h' ? everyMs : 30_000),
    retry: isWorthRetrying,
    staleTime: 2_000,
  })
}
