import { queryOptions } from '@tanstack/react-query'
import type { ServiceClock } from '#lib/console/desk/shapes.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { stampNow, type Stamp } from '#lib/shared/time.ts'
import { fetchRead, readKey } from './reads.ts'

/** The service's clock, and when it was requested: it was read after that. */
type ClockReading = ServiceClock & { fetchedAt: Stamp }

/** Requested every few seconds while a quote is shown: the sandbox's clock can be moved. A quote itself is no read. */
export function serviceClockQuery(environment: Environment) {
  return queryOptions({
    queryKey: readKey('serviceClockForScreen', environment),
    queryFn: async ({ signal }): Promise<ClockReading> => {
      const fetchedAt = stampNow()
      return { ...(await fetchRead(signal, 'serviceClockForScreen', environment)), fetchedAt }
    },
    refetchInterval: 3_000,
    retry: false,
    staleTime: 0,
    gcTime: 0,
  })
}
