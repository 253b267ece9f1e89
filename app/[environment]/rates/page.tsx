import { HydrationBoundary } from '@tanstack/react-query'
import { createLoader } from 'nuqs/server'
import { chosenCurrency, rateParams } from '#components/rates/rate-params.ts'
import { RatesScreen } from '#components/rates/rates-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { environmentOf, prefetch, read } from '../prefetch.ts'

export const metadata = { title: 'Rates' }

export default async function RatesPage({ params, searchParams }: PageProps<'/[environment]/rates'>) {
  const environment = environmentOf((await params).environment)
  const search = await createLoader(rateParams)(searchParams)
  const { base, range } = search
  const pair = { base, currency: chosenCurrency(search), range }
  const state = await prefetch(
    routes.rates(environment, await searchParams),
    read('readRates', environment, { base }),
    read('readRateHistory', environment, pair),
  )
  return (
    <HydrationBoundary state={state}>
      <RatesScreen environment={environment} />
    </HydrationBoundary>
  )
}
