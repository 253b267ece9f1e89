import 'server-only'
import { z } from 'zod'
import { type ErrorCode, errorTable } from '#lib/contract/errors.ts'
import { text } from '#lib/contract/fields.ts'
import type { PayoutBank, ReceivedResponse } from '#lib/contract/records.ts'
import { callService } from '#lib/environments/environments.ts'
import { readFreshness } from '#lib/environments/health.ts'
import type { Freshness } from '#lib/environments/types.ts'
import { isAppError, AppError } from '#lib/shared/app-error.ts'
import { parseInput, parseSearch, plainText } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'

/** `excluded` counts banks that came in a form that cannot be read. */
type PayoutBanks = { countryCode: string; banks: PayoutBank[]; excluded: number; freshness: Freshness }

const CountryCode = z.object({
  country: z.string().regex(/^[A-Z]{2}$/, 'must be two capital letters, such as HK'),
})

/** The banks of a country that payouts reach. Throws `COUNTRY_NOT_FOUND` and `INVALID_PARAMETERS`. */
export async function listPayoutBanks(environment: Environment, countryCode: string): Promise<PayoutBanks> {
  const { country } = parseInput(CountryCode, { country: countryCode })
  const { response, excluded, fetchedAt } = await withTableSentences('COUNTRY_NOT_FOUND', () =>
    callService(environment, 'listPayoutBanks', { params: { countryCode: country } }),
  )
  return {
    countryCode: country,
    banks: response.banks,
    excluded,
    freshness: await readFreshness(environment, fetchedAt),
  }
}

/** Every field of the record may be null. */
type BankRecord = { bank: ReceivedResponse<'getBank'>; freshness: Freshness }

const WireCode = z.object({ wireCode: text(35).pipe(plainText(35)) })

/** The whole record of a bank. Throws `BANK_NOT_FOUND`, `CARD_NUMBER_REFUSED` and `INVALID_PARAMETERS`. */
export async function readBank(
  environment: Environment,
  search: { wireCode?: string | string[] | undefined },
): Promise<BankRecord> {
  const { wireCode } = parseSearch(WireCode, { wireCode: search.wireCode })
  const { response, fetchedAt } = await withTableSentences('BANK_NOT_FOUND', () =>
    callService(environment, 'getBank', { query: { wireCode: wireCode.trim() } }),
  )
  return { bank: response, freshness: await readFreshness(environment, fetchedAt) }
}

/** Errors with this code use the sentences of the error table. */
async function withTableSentences<Found>(code: ErrorCode, request: () => Promise<Found>): Promise<Found> {
  try {
    return await request()
  } catch (error) {
    if (!isAppError(error) || error.code !== code) throw error
    throw new AppError(error.code, `${errorTable[code].happened} ${errorTable[code].next}`, error.requestId)
  }
}
