import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Currency, queryList } from './fields.ts'

const Rates = z
  .object({ baseCurrency: Currency, rates: z.record(z.string(), z.number().positive()) })
  .meta({ id: 'Rates' })

export const rateEndpoints = {
  getRates: endpoint({
    method: 'GET',
    path: '/rates',
    summary: 'Exchange rates of a base currency: units of the other currency per unit of the base.',
    query: z.object({ baseCurrency: Currency, currencies: queryList(Currency).optional() }),
    response: Rates,
    errors: [],
  }),
}
