import { minorUnitDigits } from '#lib/shared/currency.ts'
import { e164Pattern } from './terms.ts'

/**
 * The rules of payouts as data and pure functions, for the service and for forms alike: nothing here needs a rate, a
 * bank list or a package.
 */

export const payoutMethods = ['NETWORK_CARD', 'BANK_TRANSFER'] as const
export type PayoutMethod = (typeof payoutMethods)[number]

type Paid = { method: string | null; destination: { type: string | null } | null }

/** Whether a payout is to a card, as far as its record says so. */
export function isToCard({ method, destination }: Paid): boolean {
  return method === 'NETWORK_CARD' || destination?.type === 'CARD_ACCOUNT'
}

/** Country to currencies. BANK_TRANSFER is the interface's list; NETWORK_CARD to CN in CNY is decided. */
export const payoutPairs: Record<PayoutMethod, Record<string, readonly string[]>> = {
  BANK_TRANSFER: { HK: ['CNH', 'HKD'], PH: ['PHP'], IN: ['INR'], ID: ['IDR'], KR: ['KRW'] },
  NETWORK_CARD: { CN: ['CNY'] },
}

/** The least that can be received, by country and currency: the interface's Indonesia and Korea rules. */
const minimumAmounts: Record<string, number> = { 'ID IDR': 50_000, 'KR KRW': 5 }

/** The destination fields that a method requires. NETWORK_CARD is the interface's, BANK_TRANSFER is decided. */
const requiredDestinationFields = {
  NETWORK_CARD: ['accountNumber', 'firstName', 'firstNameCN', 'surname', 'surnameCN', 'address'],
  BANK_TRANSFER: ['accountNumber', 'firstName', 'surname', 'address'],
} as const satisfies Record<PayoutMethod, readonly (keyof PayoutDestinationFacts)[]>

type PayoutDestinationFacts = {
  accountNumber?: string | number | undefined
  firstName?: string | undefined
  firstNameCN?: string | undefined
  surname?: string | undefined
  surnameCN?: string | undefined
  address?: string | undefined
  mobileNumber?: string | undefined
  email?: string | undefined
}

/**
 * The input of the rules. A missing field is reported only where a rule requires it; without a method, the rules of
 * every method apply.
 */
export type PayoutFacts = {
  method?: PayoutMethod | undefined
  destinationCountry?: string | undefined
  destinationCurrency?: string | undefined
  destinationAmount?: number | undefined
  destination?: PayoutDestinationFacts | undefined
  source?: { mobileNumber?: string | undefined } | undefined
  /**
   * The address in pinyin, which is checked besides an address with Chinese characters. Null: it is unknown here, and
   * the code that converts such an address checks it.
   */
  addressInPinyin?: string | null | undefined
}

/** A broken rule, at the field that breaks it. `code` where it is not INVALID_PARAMETERS. */
export type RuleIssue = { path: string; message: string; code?: 'NETWORK_CARD_INVALID_BANK_ACCOUNT' }

const chineseName = /^\p{Script=Han}+$/u
const chinese = /\p{Script=Han}/u
const cardAccountNumber = /^\d{16,19}$/
/** Decision: letters, digits, spaces and hyphens, as account numbers are printed. */
const bankAccountNumber = /^(?=.*\d)[A-Za-z0-9][A-Za-z0-9 -]{3,33}$/
/** Decision: one `@`, a name before it and a domain with a dot after it. */
const plausibleEmail = /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/

/** The interface: longer than 20 characters. Decision: of the text as given, or of its pinyin. */
export const minimumAddressLength = 21

/** The least amount that can be received, or null where there is no rule. */
export function minimumDestinationAmount(country: string, currency: string): number | null {
  return minimumAmounts[`${country} ${currency}`] ?? null
}

/** One or more Chinese characters only. */
export function isChineseName(text: string): boolean {
  return chineseName.test(text)
}

/** Whether an address has Chinese characters, which become pinyin before it is sent on. */
export function hasChinese(text: string): boolean {
  return chinese.test(text)
}

/** The interface: 16 to 19 digits. */
export function isCardAccountNumber(accountNumber: string | number): boolean {
  return cardAccountNumber.test(String(accountNumber))
}

/**
 * The issue of an address: it must be longer than 20 characters, with at least one space and one digit. Decision: this
 * applies to the address as given or in pinyin; one of the two must meet all three, otherwise the issue of the nearer
 * one is reported.
 */
export function addressIssue(address: string, pinyin?: string): string | null {
  const given = missingFromAddress(address)
  if (pinyin === undefined) return formatMissing(given)
  const sent = missingFromAddress(pinyin)
  const nearer = sent.length <= given.length ? sent : given
  return nearer.length === 0 ? null : `${formatMissing(nearer)}, as typed or in pinyin`
}

function missingFromAddress(address: string): string[] {
  return [
    ...([...address].length < minimumAddressLength ? ['be longer than 20 characters'] : []),
    ...(/\s/.test(address) ? [] : ['have at least one space']),
    ...(/\d/.test(address) ? [] : ['have at least one digit']),
  ]
}

function formatMissing(missing: readonly string[]): string | null {
  return missing.length > 0 ? `must ${missing.join(', and ')}` : null
}

/** Whether a method pays to this country in this currency. */
export function pairIssues(facts: PayoutFacts): RuleIssue[] {
  const { method, destinationCountry: country, destinationCurrency: currency } = facts
  const pairs =
    method === undefined ? { ...payoutPairs.BANK_TRANSFER, ...payoutPairs.NETWORK_CARD } : payoutPairs[method]
  const forMethod = method === undefined ? '' : ` for ${method}`
  const currencies = country !== undefined && Object.hasOwn(pairs, country) ? (pairs[country] ?? []) : null
  const issues: RuleIssue[] = []
  const isRequired = method !== undefined
  if (country === undefined) {
    if (isRequired) issues.push({ path: 'destinationCountry', message: 'is required' })
  } else if (currencies === null) {
    issues.push({ path: 'destinationCountry', message: `must be one of ${Object.keys(pairs).join(', ')}${forMethod}` })
  }
  if (currency === undefined) {
    if (isRequired) issues.push({ path: 'destinationCurrency', message: 'is required' })
  } else if (currencies === null && !Object.values(pairs).flat().includes(currency)) {
    const message = `must be one of ${Object.values(pairs).flat().join(', ')}${forMethod}`
    issues.push({ path: 'destinationCurrency', message })
  } else if (currencies !== null && !currencies.includes(currency)) {
    issues.push({
      path: 'destinationCurrency',
      message: `must be ${currencies.join(' or ')}${forMethod} to ${country}`,
    })
  }
  return issues
}

/** The interface's Indonesia rule; every other amount is rounded half up to its currency's minor unit. */
const wholeAmounts: readonly string[] = ['ID IDR']

/**
 * Rules of a destination amount as given: above zero once rounded, whole where the country requires it, and at least
 * the country's minimum.
 */
export function destinationAmountIssues(facts: PayoutFacts): RuleIssue[] {
  const { destinationCountry: country = '', destinationCurrency: currency, destinationAmount: amount } = facts
  if (amount === undefined || currency === undefined) return []
  const path = 'destinationAmount'
  const minimum = minimumDestinationAmount(country, currency)
  return [
    ...(wholeAmounts.includes(`${country} ${currency}`) && countDecimals(amount) > 0
      ? [{ path, message: `must be an integer in ${currency}` }]
      : []),
    ...(minimum !== null && amount < minimum ? [{ path, message: `must be at least ${minimum} ${currency}` }] : []),
    ...(minimum === null && isNothing(amount, currency) ? [nothingIssue(path, currency)] : []),
  ]
}

/** Whether an amount is 0 once it is rounded half up to its currency's minor unit: less than half of that unit. */
export function isNothing(amount: number, currency: string): boolean {
  return amount < Number(`5e-${minorUnitDigits(currency) + 1}`)
}

/** The issue of an amount of zero. */
export function nothingIssue(path: string, currency: string): RuleIssue {
  return { path, message: `is less than the smallest amount of ${currency}` }
}

/** How many decimals the amount has in its decimal text. */
export function countDecimals(amount: number): number {
  const [, fraction = '', exponent = '0'] = /^-?\d+(?:\.(\d+))?(?:e(.+))?$/.exec(String(amount)) ?? []
  return Math.max(0, fraction.length - Number(exponent))
}

type CountryRule = (facts: PayoutFacts) => RuleIssue[]

/** The additional rules of a country's bank transfers. The Korea and Indonesia rules of the interface. */
const countryRules: Record<string, CountryRule> = {
  'BANK_TRANSFER KR KRW': ({ destination = {} }) => {
    const { mobileNumber, email } = destination
    const mobile = phoneIssues('destination.mobileNumber', mobileNumber)
    const needsEmail = mobile.length === 0 && !mobileNumber?.startsWith('+82')
    if (!needsEmail || !isBlank(email)) return [...mobile, ...emailIssues(destination)]
    return [{ path: 'destination.email', message: 'is required when destination.mobileNumber does not start with +82' }]
  },
  'BANK_TRANSFER ID IDR': ({ source }) => phoneIssues('source.mobileNumber', source?.mobileNumber),
}

/** Made-up numbers of the people whose number is required: a beneficiary in Korea, a sender in Hong Kong. */
export const phoneExamples = {
  'destination.mobileNumber': '+821012345678',
  'source.mobileNumber': '+85261234567',
} as const

function phoneIssues(path: keyof typeof phoneExamples, phone: string | undefined): RuleIssue[] {
  if (phone === undefined) return [{ path, message: 'is required' }]
  return e164Pattern.test(phone) ? [] : [{ path, message: `must be in E.164 format, such as ${phoneExamples[path]}` }]
}

/** The country's own rules, which a quote has to meet already. */
export function countryIssues(facts: PayoutFacts): RuleIssue[] {
  const { method = 'BANK_TRANSFER', destinationCountry, destinationCurrency } = facts
  const rule = countryRules[`${method} ${destinationCountry} ${destinationCurrency}`]
  return rule ? rule(facts) : []
}

/** The rules of a destination: what the method requires, names, address, account number. */
export function destinationIssues({ method, destination = {}, addressInPinyin }: PayoutFacts): RuleIssue[] {
  const forMethod = method === undefined ? '' : ` for ${method}`
  const missing = requiredDestinationFields[method ?? 'BANK_TRANSFER']
    .filter((field) => (field === 'accountNumber' ? destination[field] === undefined : isBlank(destination[field])))
    .map((field) => ({ path: `destination.${field}`, message: `is required${forMethod}` }))
  return [
    ...missing,
    ...accountNumberIssues(method, destination),
    ...givenNameIssues(destination),
    ...addressIssues(destination, addressInPinyin),
    ...emailIssues(destination),
  ]
}

/** A text of nothing but spaces is as good as none. */
function isBlank(value: string | number | undefined): boolean {
  return value === undefined || (typeof value === 'string' && value.trim() === '')
}

function accountNumberIssues(method: PayoutMethod | undefined, { accountNumber }: PayoutDestinationFacts): RuleIssue[] {
  if (accountNumber === undefined || method === undefined) return []
  const path = 'destination.accountNumber'
  if (method === 'NETWORK_CARD') {
    if (isCardAccountNumber(accountNumber)) return []
    return [{ path, message: 'must be 16 to 19 digits', code: 'NETWORK_CARD_INVALID_BANK_ACCOUNT' }]
  }
  if (isBlank(accountNumber)) return [{ path, message: `is required for ${method}` }]
  if (bankAccountNumber.test(String(accountNumber))) return []
  return [{ path, message: 'must be 4 to 34 letters, digits, spaces or hyphens, with at least one digit' }]
}

function givenNameIssues(destination: PayoutDestinationFacts): RuleIssue[] {
  const issues: RuleIssue[] = []
  for (const field of ['firstNameCN', 'surnameCN'] as const) {
    const name = destination[field]
    if (!isBlank(name) && !isChineseName(name ?? '')) {
      issues.push({ path: `destination.${field}`, message: 'must be Chinese characters only' })
    }
  }
  return issues
}

function addressIssues({ address = '' }: PayoutDestinationFacts, pinyin: PayoutFacts['addressInPinyin']): RuleIssue[] {
  if (isBlank(address) || (pinyin === null && hasChinese(address))) return []
  const message = addressIssue(address, hasChinese(address) ? (pinyin ?? undefined) : undefined)
  return message === null ? [] : [{ path: 'destination.address', message }]
}

function emailIssues({ email = '' }: PayoutDestinationFacts): RuleIssue[] {
  if (isBlank(email) || plausibleEmail.test(email)) return []
  return [{ path: 'destination.email', message: 'must be an e-mail address' }]
}

/** Every rule of a payout that needs no rate or bank list. */
export function payoutIssues(facts: PayoutFacts): RuleIssue[] {
  const issues = [
    ...pairIssues(facts),
    ...destinationAmountIssues(facts),
    ...destinationIssues(facts),
    ...countryIssues(facts),
  ]
  const first = new Map(issues.map((issue) => [`${issue.path} ${issue.message}`, issue]))
  return [...first.values()]
}
