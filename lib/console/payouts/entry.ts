import { z } from 'zod'
import { Currency, oneOf } from '#lib/contract/fields.ts'
import { beneficiaryPaths, type PayoutEntry, destinationFields } from '#lib/contract/payout-entry.ts'
import { payoutMethods } from '#lib/contract/payout-rules.ts'
import { atMost } from '#lib/shared/at-most.ts'
import { noTurning } from '#lib/shared/parse.ts'

/** A field as it was entered: bounded here, validated by the rules of payout-entry.ts. */
export const Entered = z
  .string('must be text')
  .max(...atMost(1000))
  .refine(...noTurning)

/** The beneficiary and the sender; every field exists, empty where nothing was entered. */
export const Parties = {
  method: oneOf(payoutMethods),
  destinationCountry: z.string('must be a country').regex(/^[A-Z]{2}$/, 'must be two upper-case letters, such as HK'),
  destinationCurrency: Currency,
  destination: z.record(z.enum(destinationFields), Entered),
  source: z.object({ mobileNumber: Entered }),
}

/** The code of a funding account's currency, as the service writes it. */
export const SourceCurrency = z.string('must be a currency code').regex(/^[\w.-]{2,20}$/, 'must be a currency code')

/** A `PayoutEntry` as a browser sends it. */
export const Entry = z.object({
  ...Parties,
  sourceCurrency: SourceCurrency,
  side: z.enum(['source', 'destination'], 'must be source or destination'),
  amount: Entered,
}) satisfies z.ZodType<PayoutEntry>

/** The parts of an error about each field, and the rest. */
type RefusedFields = { fields: Record<string, string>; rest: string[] }

/** Fields that an error may name in addition to those of the beneficiary. */
const ownPaths = [
  'method',
  'accountId',
  'sourceCurrency',
  'sourceAmount',
  'destinationAmount',
  'destinationCountry',
  'destinationCurrency',
  'purpose',
  'sourceOfFunds',
  'remarks',
  'xid',
  'xmetadata',
]
/** Other names of the wire. */
const aliases: Record<string, string> = { amount: 'destinationAmount', currency: 'destinationCurrency' }

/**
 * Splits an error's message: `field: problem; field problem` is assigned to its fields; a part without a field belongs
 * to the part before it, or is a sentence of its own. Several problems of a field become one sentence.
 */
export function fieldsOfError(
  message: string,
  entry: Pick<PayoutEntry, 'method' | 'destinationCountry' | 'destinationCurrency'>,
): RefusedFields {
  const paths = new Set<string>([...beneficiaryPaths(entry), ...ownPaths])
  const fields: Record<string, string> = {}
  const rest: string[] = []
  let last: string | null = null
  for (const part of message.split(/;\s+/).filter((text) => text.trim() !== '')) {
    const [, name = '', problem = ''] = /^([A-Za-z]+(?:\.[A-Za-z]+)?):?\s+(.+)$/s.exec(part.trim()) ?? []
    const path = aliases[name] ?? name
    if (paths.has(path)) {
      fields[path] = fields[path] === undefined ? problem : `${fields[path]}, and ${problem}`
      last = path
    } else if (last !== null) fields[last] = `${fields[last]}; ${part.trim()}`
    else rest.push(part.trim())
  }
  return { fields, rest }
}
