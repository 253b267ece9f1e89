import { createLoader } from 'nuqs/server'
import { chosenCurrency, rateParams } from '#components/rates/rate-params.ts'
import { RatesScreen } from '#components/rates/rates-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { page, read } from '../prefetch.tsx'

export const metadata = { title: 'Rates' }

export default page(({ environment, search }) => {
  const params = createLoader(rateParams)(search)
  const { base, range } = params
  const pair = { base, currency: chosenCurrency(params), range }
  return {
    here: routes.rates(environment, search),
    reads: [read('readRates', environment, { base }), read('readRateHistory', environment, pair)],
    screen: <RatesScreen />,
  }
})
