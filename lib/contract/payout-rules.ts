import { minorUnitDigits } from '#lib/shared/currency.ts'
import { e164Pattern } from './e164.ts'

/**
 * The rules of payouts as data and pure functions, for the service and for forms alike: nothing here needs a rate, a
 * bank list or a package.
 */

export const payoutMethods = ['NETWORK_CARD', 'BANK_TRANSFER'] as const
export type PayoutMethod = (typeof payoutMethods)[number]

/** Country to currencies. BANK_TRANSFER is the interface's list; NETWORK_CARD to CN in CNY is decided. */
export const payoutPairs: Record<PayoutMethod, Record<string, readonly string[]>> = {
  BANK_TRANSFER: { HK: ['CNH', 'HKD'], PH: ['PHP'], IN: ['INR'], ID: ['IDR'], KR: ['KRW'] },
  NETWORK_CARD: { CN: ['CNY'] },
}

/** Decision: the countries with a bank list. */
export const payoutCountries = ['HK', 'PH', 'IN', 'ID', 'KR', 'CN'] as const
export type PayoutCountry = (typeof payoutCountries)[number]

/** The least that can be received, by country and currency: the interface's Indonesia and Korea rules. */
const minimumAmounts: Record<string, number> = { 'ID IDR': 50_000, 'KR KRW': 5 }

/** What a method asks of its destination. NETWORK_CARD is the interface's, BANK_TRANSFER is decided. */
export const requiredDestinationFields = {
  NETWORK_CARD: ['accountNumber', 'firstName', 'firstNameCN', 'surname', 'surnameCN', 'address'],
  BANK_TRANSFER: ['accountNumber', 'firstName', 'surname', 'address'],
} as const satisfies Record<PayoutMethod, readonly (keyof PayoutDestinationFacts)[]>

export type PayoutDestinationFacts = {
  accountNumber?: string | number | undefined
  firstName?: string | undefined
  firstNameCN?: string | undefined
  surname?: string | undefined
  surnameCN?: string | undefined
  address?: string | undefined
  mobileNumber?: string | undefined
  email?: string | undefined
}

/** What the rules look at. Whatever is left out is judged only where a rule requires it. */
export type PayoutFacts = {
  method: PayoutMethod
  destinationCountry?: string | undefined
  destinationCurrency?: string | undefined
  destinationAmount?: number | undefined
  destination?: PayoutDestinationFacts | undefined
  source?: { mobileNumber?: string | undefined } | undefined
}

/** A broken rule, at the field that breaks it. `code` where it is not INVALID_PARAMETERS. */
export type RuleIssue = { path: string; message: string; code?: 'NETWORK_CARD_INVALID_BANK_ACCOUNT' }

const chineseName = /^\p{Script=Han}+$/u
const cardAccountNumber = /^\d{16,19}$/
/** Decision: letters, digits, spaces and hyphens, as account numbers are printed. */
const bankAccountNumber = /^(?=.*\d)[A-Za-z0-9][A-Za-z0-9 -]{3,33}$/
/** Decision: one `@`, a name before it and a domain with a dot after it. */
const plausibleEmail = /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/

/** Decision: the length is counted in characters as given, before Chinese characters are converted to pinyin. */
export const minimumAddressLength = 21

/** The least amount that can be received, or null where there is no rule. */
export function minimumDestinationAmount(country: string, currency: string): number | null {
  return minimumAmounts[`${country} ${currency}`] ?? null
}

/** One or more Chinese characters and nothing else. */
export function isChineseName(text: string): boolean {
  return chineseName.test(text)
}

/** The interface: 16 to 19 digits. */
export function isCardAccountNumber(accountNumber: string | number): boolean {
  return cardAccountNumber.test(String(accountNumber))
}

/** What is wrong with an address: longer than 20 characters, at least one space and one digit. */
export function addressIssue(address: string): string | null {
  const wrong = [
    ...([...address].length < minimumAddressLength ? ['be longer than 20 characters'] : []),
    ...(/\s/.test(address.trim()) ? [] : ['have at least one space']),
    ...(/\d/.test(address) ? [] : ['have at least one digit']),
  ]
  return wrong.length > 0 ? `must ${wrong.join(', and ')}` : null
}

/** Whether a method pays to this country in this currency. */
export function pairIssues(facts: PayoutFacts): RuleIssue[] {
  const { method, destinationCountry: country, destinationCurrency: currency } = facts
  const pairs = payoutPairs[method]
  const issues: RuleIssue[] = []
  if (country === undefined) issues.push({ path: 'destinationCountry', message: 'is required' })
  if (currency === undefined) issues.push({ path: 'destinationCurrency', message: 'is required' })
  if (country === undefined) return issues
  const currencies = Object.hasOwn(pairs, country) ? (pairs[country] ?? []) : null
  if (currencies === null) {
    issues.push({
      path: 'destinationCountry',
      message: `must be one of ${Object.keys(pairs).join(', ')} for ${method}`,
    })
  } else if (currency !== undefined && !currencies.includes(currency)) {
    issues.push({
      path: 'destinationCurrency',
      message: `must be ${currencies.join(' or ')} for ${method} to ${country}`,
    })
  }
  return issues
}

/**
 * Rules of a given destination amount: above zero, no more decimals than the currency has (IDR and KRW: whole), and the
 * country's minimum.
 */
export function destinationAmountIssues(facts: PayoutFacts): RuleIssue[] {
  const { destinationCountry: country, destinationCurrency: currency, destinationAmount: amount } = facts
  if (amount === undefined || currency === undefined) return []
  const issues: RuleIssue[] = []
  const decimals = minorUnitDigits(currency)
  if (decimalsOf(amount) > decimals) {
    issues.push({
      path: 'destinationAmount',
      message:
        decimals === 0 ? `must be an integer in ${currency}` : `must have at most ${decimals} decimals in ${currency}`,
    })
  }
  const minimum = country === undefined ? null : minimumDestinationAmount(country, currency)
  if (minimum !== null && amount < minimum) {
    issues.push({ path: 'destinationAmount', message: `must be at least ${minimum} ${currency}` })
  }
  return issues
}

/** How many decimals the amount has in its decimal text. */
export function decimalsOf(amount: number): number {
  const [, fraction = '', exponent = '0'] = /^-?\d+(?:\.(\d+))?(?:e(.+))?$/.exec(String(amount)) ?? []
  return Math.max(0, fraction.length - Number(exponent))
}

type CountryRule = (facts: PayoutFacts) => RuleIssue[]

/** What a country's bank transfer adds. The Korea and Indonesia rules of the interface. */
const countryRules: Record<string, CountryRule> = {
  'BANK_TRANSFER KR KRW': ({ destination }) => {
    const mobile = phoneIssues('destination.mobileNumber', destination?.mobileNumber)
    if (mobile.length > 0 || destination?.mobileNumber?.startsWith('+82') || destination?.email !== undefined)
      return mobile
    return [{ path: 'destination.email', message: 'is required when destination.mobileNumber does not start with +82' }]
  },
  'BANK_TRANSFER ID IDR': ({ source }) => phoneIssues('source.mobileNumber', source?.mobileNumber),
}

function phoneIssues(path: string, phone: string | undefined): RuleIssue[] {
  if (phone === undefined) return [{ path, message: 'is required' }]
  return e164Pattern.test(phone) ? [] : [{ path, message: 'must be in E.164 format, such as +821012345678' }]
}

/** The country's own rules, which a quote has to meet already. */
export function countryIssues(facts: PayoutFacts): RuleIssue[] {
  const rule = countryRules[`${facts.method} ${facts.destinationCountry} ${facts.destinationCurrency}`]
  return rule ? rule(facts) : []
}

/** The rules of a destination: what the method requires, names, address, account number. */
export function destinationIssues(facts: PayoutFacts): RuleIssue[] {
  const destination = facts.destination ?? {}
  const missing = requiredDestinationFields[facts.method]
    .filter((field) => isBlank(destination[field]))
    .map((field) => ({ path: `destination.${field}`, message: `is required for ${facts.method}` }))
  return [...missing, ...accountNumberIssues(facts.method, destination), ...givenFieldIssues(destination)]
}

function isBlank(value: string | number | undefined): boolean {
  return value === undefined || (typeof value === 'string' && value.trim() === '')
}

function accountNumberIssues(method: PayoutMethod, { accountNumber }: PayoutDestinationFacts): RuleIssue[] {
  if (accountNumber === undefined || isBlank(accountNumber)) return []
  const path = 'destination.accountNumber'
  if (method === 'NETWORK_CARD') {
    if (isCardAccountNumber(accountNumber)) return []
    return [{ path, message: 'must be 16 to 19 digits', code: 'NETWORK_CARD_INVALID_BANK_ACCOUNT' }]
  }
  if (bankAccountNumber.test(String(accountNumber))) return []
  return [{ path, message: 'must be 4 to 34 letters, digits, spaces or hyphens, with at least one digit' }]
}

function givenFieldIssues(destination: PayoutDestinationFacts): RuleIssue[] {
  const issues: RuleIssue[] = []
  for (const field of ['firstNameCN', 'surnameCN'] as const) {
    const name = destination[field]
    if (!isBlank(name) && !isChineseName(name ?? '')) {
      issues.push({ path: `destination.${field}`, message: 'must be Chinese characters only' })
    }
  }
  const address = isBlank(destination.address) ? null : addressIssue(destination.address ?? '')
  if (address !== null) issues.push({ path: 'destination.address', message: address })
  if (destination.email !== undefined && !plausibleEmail.test(destination.email)) {
    issues.push({ path: 'destination.email', message: 'must be an e-mail address' })
  }
  return issues
}

/** Every rule of a payout that can be judged without a rate or a bank list. */
export function payoutIssues(facts: PayoutFacts): RuleIssue[] {
  return [...pairIssues(facts), ...destinationAmountIssues(facts), ...destinationIssues(facts), ...countryIssues(facts)]
}
