import 'server-only'
import { z } from 'zod'
import { type ErrorCode, errorTable } from '#lib/contract/errors.ts'
import { text } from '#lib/contract/fields.ts'
import type { PayoutBank, ReceivedResponse } from '#lib/contract/records.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { askService } from './desk/connections/environments.ts'
import { healthOf } from './desk/connections/health-record.ts'
import type { Seen } from './desk/connections/health.ts'
import { parseInput, parseSearch, plainText } from './desk/parse.ts'
import { isRefusal, Refusal } from './desk/refusal.ts'
import { requirePermission } from './desk/session/session.ts'

/** `excluded` counts banks that came in a form that cannot be read. */
export type PayoutBanks = { countryCode: string; banks: PayoutBank[]; excluded: number; seen: Seen }

const CountryCode = z.object({
  country: z.string().regex(/^[A-Z]{2}$/, 'must be two capital letters, such as HK'),
})

/** The banks of a country that payouts reach. Throws `COUNTRY_NOT_FOUND` and `INVALID_PARAMETERS`. */
export async function listPayoutBanks(environment: Environment, countryCode: string): Promise<PayoutBanks> {
  await requirePermission('payouts.read', environment)
  const { country } = parseInput(CountryCode, { country: countryCode })
  const { answer, excluded, askedAt } = await inItsOwnWords('COUNTRY_NOT_FOUND', () =>
    askService(environment, 'listPayoutBanks', { params: { countryCode: country } }),
  )
  return { countryCode: country, banks: answer.banks, excluded, seen: await seenAt(environment, askedAt) }
}

/** Every field of the record may be null. */
export type BankRecord = { bank: ReceivedResponse<'getBank'>; seen: Seen }

const WireCode = z.object({ wireCode: text(35).pipe(plainText(35)) })

/** The whole record of a bank. Throws `BANK_NOT_FOUND`, `CARD_NUMBER_REFUSED` and `INVALID_PARAMETERS`. */
export async function readBank(
  environment: Environment,
  search: { wireCode?: string | string[] | undefined },
): Promise<BankRecord> {
  await requirePermission('payouts.read', environment)
  const { wireCode } = parseSearch(WireCode, { wireCode: search.wireCode })
  const { answer, askedAt } = await inItsOwnWords('BANK_NOT_FOUND', () =>
    askService(environment, 'getBank', { query: { wireCode: wireCode.trim() } }),
  )
  return { bank: answer, seen: await seenAt(environment, askedAt) }
}

/** What the service refuses with this code is said in the sentences of the error table. */
async function inItsOwnWords<Answer>(code: ErrorCode, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    if (!isRefusal(error) || error.code !== code) throw error
    throw new Refusal(error.code, `${errorTable[code].happened} ${errorTable[code].next}`, error.requestId)
  }
}

async function seenAt(environment: Environment, askedAt: Date): Promise<Seen> {
  return { asOf: askedAt.toISOString(), source: 'service', health: await healthOf(environment) }
}
