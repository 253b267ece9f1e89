import { holdsCardNumber } from '#lib/shared/card-numbers.ts'
import { mostDecimals } from '#lib/shared/currency.ts'
import { readAmount } from './amount-entry.ts'
import { countDecimals, payoutIssues, payoutPairs, type PayoutMethod, type RuleIssue } from './payout-rules.ts'

/** Which of the two amounts is given; the quote has the other. */
export type AmountSide = 'source' | 'destination'

export const destinationFields = [
  'bankCode',
  'accountNumber',
  'firstName',
  'surname',
  'firstNameCN',
  'surnameCN',
  'address',
  'mobileNumber',
  'email',
] as const
type DestinationField = (typeof destinationFields)[number]

/** A payout as a person enters it: every field is text, and empty where nothing was entered. */
export type PayoutEntry = {
  method: PayoutMethod
  destinationCountry: string
  destinationCurrency: string
  sourceCurrency: string
  side: AmountSide
  amount: string
  destination: Record<DestinationField, string>
  source: { mobileNumber: string }
}

/** The fields of an execution besides the quote and the beneficiary. `xmetadata` is JSON. */
export type PayoutDetails = {
  purpose: string
  sourceOfFunds: string
  remarks: string
  xid: string
  xmetadata: string
}

/** A field by its path on the wire. */
export type EntryPath = `destination.${DestinationField}` | 'source.mobileNumber' | 'sourceAmount' | 'destinationAmount'

/** Broken rules by the path of their field, in the order of the fields; several of one field are one sentence. */
type EntryIssues = Record<string, string>

type Pair = Pick<PayoutEntry, 'method' | 'destinationCountry' | 'destinationCurrency'>

const bankTransferFields = ['bankCode', 'accountNumber', 'firstName', 'surname', 'address'] as const
const cardFields = ['accountNumber', 'firstName', 'surname', 'firstNameCN', 'surnameCN', 'address'] as const

/** The fields that the interface's Korea and Indonesia rules add. */
const countryFields: Record<string, readonly EntryPath[]> = {
  'BANK_TRANSFER KR KRW': ['destination.mobileNumber', 'destination.email'],
  'BANK_TRANSFER ID IDR': ['source.mobileNumber'],
}

/** The fields of beneficiary and sender, in their order on a form. Other fields are not sent. */
export function beneficiaryPaths({ method, destinationCountry, destinationCurrency }: Pair): EntryPath[] {
  const own = method === 'NETWORK_CARD' ? cardFields : bankTransferFields
  const added = countryFields[`${method} ${destinationCountry} ${destinationCurrency}`] ?? []
  return [...own.map((field) => `destination.${field}` as const), ...added]
}

/** The countries that a method pays to, and the currencies that it pays there in. */
export function payoutCountries(method: PayoutMethod): string[] {
  return Object.keys(payoutPairs[method])
}

export function payoutCurrencies(method: PayoutMethod, country: string): readonly string[] {
  return Object.hasOwn(payoutPairs[method], country) ? (payoutPairs[method][country] ?? []) : []
}

/** The text of a field as it is sent: without the spaces and hyphens that people write into numbers. */
function wireText(method: PayoutMethod, path: string, text: string): string {
  if (path.endsWith('.mobileNumber')) return text.replaceAll(/[\s().-]/g, '')
  if (path === 'destination.accountNumber' && method === 'NETWORK_CARD') return text.replaceAll(/[\s-]/g, '')
  return text.trim()
}

/** The beneficiary and the sender as they are sent: the fields of this payout that were filled in. */
export function toParties(entry: Parties): {
  destination: Partial<Record<DestinationField, string>>
  source?: { mobileNumber: string }
} {
  const filled = beneficiaryPaths(entry).flatMap((path) => {
    const text = wireText(entry.method, path, textAt(entry, path))
    return text === '' ? [] : [[path, text] as const]
  })
  const destination = Object.fromEntries(
    filled.filter(([path]) => path.startsWith('destination.')).map(([path, text]) => [path.split('.')[1], text]),
  ) as Partial<Record<DestinationField, string>>
  const mobileNumber = filled.find(([path]) => path === 'source.mobileNumber')?.[1]
  return { destination, ...(mobileNumber === undefined ? {} : { source: { mobileNumber } }) }
}

/** The amount of a payout as it is sent, or its issue. */
export function readEnteredAmount(entry: PayoutEntry): ReturnType<typeof readAmount> {
  return readAmount(entry.amount, enteredCurrency(entry))
}

function enteredCurrency({ side, sourceCurrency, destinationCurrency }: PayoutEntry): string {
  return side === 'source' ? sourceCurrency : destinationCurrency
}

/**
 * Every rule of validation and quote that needs no rate or bank list. `addressInPinyin` is null where the address was
 * not converted here: a Chinese one is then left to the service.
 */
export function entryIssues(entry: PayoutEntry, addressInPinyin: string | null): EntryIssues {
  const entered = readEnteredAmount(entry)
  const path = `${entry.side}Amount` as const
  const isReceived = entry.side === 'destination' && 'amount' in entered
  const broken: RuleIssue[] = [
    ...('problem' in entered ? [{ path, message: entered.problem }] : decimalIssues(entry, path, entered)),
    ...ruleIssues(entry, isReceived ? Number(entered.amount) : undefined, addressInPinyin),
  ]
  return inOrder([...partyOrder(entry), path], broken)
}

/** The rules of destination, beneficiary and sender, whatever the amount; a Chinese address is left to the service. */
export function partyIssues(parties: Parties): EntryIssues {
  return inOrder(partyOrder(parties), ruleIssues(parties, undefined, null))
}

type Parties = Omit<PayoutEntry, 'side' | 'amount' | 'sourceCurrency'>

const partyOrder = (pair: Pair) => ['destinationCountry', 'destinationCurrency', ...beneficiaryPaths(pair)]

function ruleIssues(
  parties: Parties,
  destinationAmount: number | undefined,
  addressInPinyin: string | null,
): RuleIssue[] {
  const { method, destinationCountry, destinationCurrency } = parties
  const where = {
    destinationCountry: destinationCountry || undefined,
    destinationCurrency: destinationCurrency || undefined,
  }
  return [
    ...payoutIssues({ method, ...where, destinationAmount, ...toParties(parties), addressInPinyin }),
    ...beneficiaryPaths(parties).flatMap((path) => textIssues(path, textAt(parties, path))),
  ]
}

/** The issues of the other fields of an execution. */
export function detailIssues(details: PayoutDetails): EntryIssues {
  const { purpose, sourceOfFunds } = details
  const broken = [
    ...(purpose === '' ? [{ path: 'purpose', message: 'must be chosen' }] : []),
    ...(sourceOfFunds === '' ? [{ path: 'sourceOfFunds', message: 'must be chosen' }] : []),
    ...textIssues('remarks', details.remarks),
    ...textIssues('xid', details.xid),
  ]
  return inOrder(['purpose', 'sourceOfFunds', 'remarks', 'xid'], broken)
}

/** Decision of the wire: how long a text may be. */
const maximumLengths: Record<string, number> = {
  'destination.accountNumber': 64,
  'destination.bankCode': 64,
  'destination.address': 500,
  'destination.mobileNumber': 32,
  'source.mobileNumber': 32,
  'destination.email': 254,
  remarks: 500,
  xid: 256,
}
const nameLength = 100

/** Fields that hold a number by right; in any other a card number is out of place, and would be stored. */
const numbers = /(?:accountNumber|mobileNumber|bankCode)$/

function textIssues(path: string, text: string): RuleIssue[] {
  const most = maximumLengths[path] ?? nameLength
  const issues: RuleIssue[] = []
  if (text.trim().length > most) issues.push({ path, message: `must be at most ${most} characters` })
  if (!numbers.test(path) && holdsCardNumber(text)) issues.push({ path, message: 'must not hold a card number' })
  if (/[\p{Cc}\p{Cs}]/u.test(text)) issues.push({ path, message: 'must not hold control characters' })
  return issues
}

/** Decision of the console: the entered amount is the sent amount, so it must need no rounding. */
function decimalIssues(entry: PayoutEntry, path: EntryPath, { amount }: { amount: string }): RuleIssue[] {
  const currency = enteredCurrency(entry)
  const decimals = mostDecimals(currency)
  if (countDecimals(Number(amount)) <= decimals) return []
  const message =
    decimals === 0 ? `must be an integer in ${currency}` : `must have at most ${decimals} decimals in ${currency}`
  return [{ path, message }]
}

function textAt(entry: Pick<PayoutEntry, 'destination' | 'source'>, path: EntryPath): string {
  if (path === 'source.mobileNumber') return entry.source.mobileNumber
  return entry.destination[path.split('.')[1] as DestinationField] ?? ''
}

function inOrder(paths: readonly string[], broken: readonly RuleIssue[]): EntryIssues {
  const known = [...new Set([...paths, ...broken.map(({ path }) => path)])]
  return Object.fromEntries(
    known.flatMap((path) => {
      const messages = broken.filter((issue) => issue.path === path).map(({ message }) => message)
      return messages.length === 0 ? [] : [[path, [...new Set(messages)].join(', and ')]]
    }),
  )
}
