'use client'

import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { FilterDays } from '#components/filters/filter-days.tsx'
import { readQuery } from '#lib/queries/reads.ts'
import { sandboxNowMs } from './server-now.ts'
import { useEnvironment } from './use-environment.ts'

/** A filter by the service's own dates: Today is today by its clock, which the sandbox can move. */
export function ServiceDays(props: Omit<ComponentProps<typeof FilterDays>, 'readNowMs'>) {
  const environment = useEnvironment()
  // The frame reads it where there is such a clock.
  const { data, dataUpdatedAt } = useQuery({ ...readQuery('readLabState', environment), enabled: false })
  const readNowMs = () => (data ? sandboxNowMs(data, dataUpdatedAt, Date.now()) : Date.now())
  return <FilterDays {...props} readNowMs={readNowMs} />
}
