import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { CountryCode, text } from './fields.ts'

export const BankInfo = z
  .object({
    id: z.string(),
    countryCode: z.string(),
    country: z.string(),
    bankName: z.string(),
    wireCode: z.string(),
    branch: z.string(),
    bankAddress: z.string(),
    city: z.string(),
    accountNumber: z.string(),
  })
  .meta({ id: 'BankInfo' })
export type BankInfo = z.infer<typeof BankInfo>

export const PayoutBank = z.object({ code: z.string(), name: z.string() }).meta({ id: 'PayoutBank' })
export type PayoutBank = z.infer<typeof PayoutBank>

export const bankEndpoints = {
  getBank: endpoint({
    method: 'GET',
    path: '/banks',
    summary: 'A bank by its wire code.',
    query: z.object({ wireCode: text(35) }),
    response: BankInfo,
    errors: ['BANK_NOT_FOUND'],
  }),
  listPayoutBanks: endpoint({
    method: 'GET',
    path: '/payouts/{countryCode}/banks',
    summary: 'The banks of a country that payouts reach.',
    params: z.object({ countryCode: CountryCode }),
    response: z.object({ banks: z.array(PayoutBank) }),
    errors: ['COUNTRY_NOT_FOUND'],
  }),
}
