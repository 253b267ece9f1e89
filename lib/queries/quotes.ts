import { queryOptions } from '@tanstack/react-query'
import type { ServiceClock } from '#lib/console/desk/connections/clock.ts'
import { stampNow, type Stamp } from '#lib/shared/elapsed.ts'
import { apiRoutes, type Environment } from '#lib/shared/routes.ts'
import { readJson } from './read.ts'

/** The service's clock, and when this was asked: it was read after that. */
export type ClockReading = ServiceClock & { askedAt: Stamp }

/** Asked for every few seconds while a quote is shown: the sandbox's clock can be moved. A quote itself is no read. */
export function serviceClockQuery(environment: Environment) {
  return queryOptions({
    queryKey: [environment, 'service-clock'],
    queryFn: async ({ signal }): Promise<ClockReading> => {
      const askedAt = stampNow()
      return { ...(await readJson<ServiceClock>(apiRoutes.serviceClock(environment), signal)), askedAt }
    },
    refetchInterval: 3_000,
    retry: false,
    staleTime: 0,
    gcTime: 0,
  })
}
