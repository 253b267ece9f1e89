import { beneficiaryPaths, type PayoutEntry } from '#lib/contract/payout-entry.ts'

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
