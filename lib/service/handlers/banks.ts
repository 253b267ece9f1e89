import { ApiError } from '../api-error.ts'
import type { Handlers } from '../handler.ts'
import { banksOf, findBankInfo } from '../payouts/banks.ts'

export const bankHandlers = {
  getBank: async ({ query }) => {
    const bank = findBankInfo(query.wireCode)
    if (!bank) throw new ApiError('BANK_NOT_FOUND', 'there is no bank with this wire code')
    return bank
  },

  listPayoutBanks: async ({ params }) => {
    const banks = banksOf(params.countryCode)
    if (!banks) throw new ApiError('COUNTRY_NOT_FOUND', `payouts to ${params.countryCode} are not supported`)
    return { banks: banks.map(({ code, name }) => ({ code, name })) }
  },
} satisfies Handlers<'getBank' | 'listPayoutBanks'>
