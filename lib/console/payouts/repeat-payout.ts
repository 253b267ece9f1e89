import 'server-only'
import { z } from 'zod'
import { destinationFields } from '#lib/contract/payout-entry.ts'
import { isToCard } from '#lib/contract/payout-rules.ts'
import { nullOn } from '#lib/shared/app-error.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { listPayoutBanks } from '../banks.ts'
import { readOnePayout } from './index-payouts.ts'
import { bodyIn, findSubmission } from './sent-payout.ts'
import type { PayoutRecord, PayoutToRepeat } from './types.ts'

const Sent = z.object({
  destination: z.partialRecord(z.enum(destinationFields), z.string()),
  source: z.object({ mobileNumber: z.string() }).partial().optional(),
  purpose: z.string().optional(),
  sourceOfFunds: z.string().optional(),
  remarks: z.string().optional(),
})

/**
 * The entry of a payout that is to be made again: what the console submitted for it, otherwise what the service's record has.
 * The external id, which has to be unique, and a card number, of which only four digits are stored, are never among it.
 */
export async function readPayoutToRepeat(environment: Environment, payoutId: string): Promise<PayoutToRepeat> {
  const { payout } = await readOnePayout(environment, payoutId)
  const { method, sourceAmount, sourceCurrency, destination, destinationCurrency: currency } = payout
  const sent = await findSubmittedFields(environment, payout.id)
  const fields = {
    ...(sent ? toFields(sent) : recordFields(payout, await findBankCode(environment, payout))),
    ...(sourceAmount === null || sourceCurrency === null ? {} : { amount: sourceAmount }),
  }
  const { accountHolderName: name, country } = destination
  return { name, method, country, currency, fields, sourceCurrency }
}

/** Fields that this console submitted for the payout; null where it came another way, or its bytes held a card number and are erased. */
async function findSubmittedFields(environment: Environment, payoutId: string): Promise<z.output<typeof Sent> | null> {
  const row = await findSubmission(environment, payoutId)
  // A body that another version sent may not parse; the record then has the essential values.
  return row && !row.holdsSecret ? (Sent.safeParse(bodyIn(row)).data ?? null) : null
}

function toFields({ destination, source, ...details }: z.output<typeof Sent>): Record<string, string> {
  return given([
    ...Object.entries(destination).map(([field, text]) => [`destination.${field}`, text] as const),
    ['source.mobileNumber', source?.mobileNumber],
    ...Object.entries(details),
  ])
}

/** The fields of a record. The person enters the holder's first name and surname: a record does not separate them. */
function recordFields(payout: PayoutRecord, bankCode: string | null): Record<string, string> {
  const { destination } = payout
  return given([
    ['destination.bankCode', bankCode],
    ['destination.accountNumber', isToCard(payout) ? null : destination.accountNumber],
    ['destination.address', destination.accountHolderAddress],
  ])
}

/** The code of the record's bank in the list of its country; null where the list doesn't have exactly this bank, or can't be read. */
async function findBankCode(environment: Environment, payout: PayoutRecord): Promise<string | null> {
  const { country, routingNumber, bankName } = payout.destination
  if (isToCard(payout) || !country || !routingNumber) return null
  const list = await nullOn(listPayoutBanks(environment, country))
  const bank = list?.banks.find(({ code }) => code === routingNumber)
  return bank && (bankName === null || bank.name === bankName) ? bank.code : null
}

function given(entries: readonly (readonly [path: string, text: string | null | undefined])[]): Record<string, string> {
  return Object.fromEntries(entries.flatMap(([path, text]) => (text ? [[path, text]] : [])))
}
