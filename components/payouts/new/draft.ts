import { parseAsString, parseAsStringLiteral } from 'nuqs/server'
import { parseAsServiceId } from '#components/filters/filter-values.ts'
import { metadataText, type XmetadataDraft } from '#components/references/xmetadata-draft.ts'
import type { PayoutToRepeat } from '#lib/console/payouts/types.ts'
import {
  beneficiaryPaths,
  destinationFields,
  type EntryPath,
  type PayoutDetails,
  type PayoutEntry,
  payoutCountries,
  payoutCurrencies,
  type AmountSide,
} from '#lib/contract/payout-entry.ts'
import { payoutMethods, type PayoutMethod } from '#lib/contract/payout-rules.ts'

/** The choices that the URL holds: none of them names the beneficiary. */
export const choiceParams = {
  method: parseAsStringLiteral(payoutMethods),
  country: parseAsString,
  currency: parseAsString,
  account: parseAsServiceId,
  fix: parseAsStringLiteral(['source', 'destination'] as const),
}

type ChoiceParams = {
  method: PayoutMethod | null
  country: string | null
  currency: string | null
  account: string | null
  fix: AmountSide | null
}

/** The selected values; empty where one is not selected yet. Only valid combinations can be selected. */
export type Choices = { method: PayoutMethod; country: string; currency: string; side: AmountSide }

/** The choices of a URL: invalid combinations are left out, and the only possible choice is made. */
export function toChoices(params: Omit<ChoiceParams, 'account'>): Choices {
  const method = params.method ?? 'BANK_TRANSFER'
  const country = possible(payoutCountries(method), params.country)
  const currency = possible(payoutCurrencies(method, country), params.currency)
  return { method, country, currency, side: params.fix ?? 'source' }
}

function possible(options: readonly string[], wanted: string | null): string {
  if (wanted !== null && options.includes(wanted)) return wanted
  return options.length === 1 ? (options[0] ?? '') : ''
}

/** The typed entries by their path on the wire; `amount` is the one that is entered. Never in a URL or a cache. */
export type Draft = Record<string, string>

const paths = [
  ...destinationFields.map((field) => `destination.${field}`),
  'source.mobileNumber',
  'amount',
  'purpose',
  'sourceOfFunds',
  'remarks',
  'xid',
]

export const emptyDraft: Draft = Object.fromEntries(paths.map((path) => [path, '']))

export function isEmptyDraft(draft: Draft): boolean {
  return paths.every((path) => (draft[path] ?? '').trim() === '')
}

/** These entries are not part of a quote: changing them leaves the quote valid. */
export const detailPaths: readonly string[] = ['purpose', 'sourceOfFunds', 'remarks', 'xid', 'xmetadata']

export function toPayoutEntry(choices: Choices, draft: Draft, sourceCurrency: string): PayoutEntry {
  return {
    method: choices.method,
    destinationCountry: choices.country,
    destinationCurrency: choices.currency,
    sourceCurrency,
    side: choices.side,
    amount: draft.amount ?? '',
    destination: Object.fromEntries(
      destinationFields.map((field) => [field, draft[`destination.${field}`] ?? '']),
    ) as PayoutEntry['destination'],
    source: { mobileNumber: draft['source.mobileNumber'] ?? '' },
  }
}

export function toPayoutDetails(draft: Draft, metadata: XmetadataDraft | null): PayoutDetails {
  const { purpose = '', sourceOfFunds = '', remarks = '', xid = '' } = draft
  return { purpose, sourceOfFunds, remarks, xid, xmetadata: metadataText(metadata) ?? '' }
}

type Chosen = Choices & { sourceCurrency: string }

/**
 * The draft after method, country, currency or side changed: removes and names the entries that no longer apply, such as a
 * hidden field, a bank of another country, an account number of another type or an amount of another currency or side.
 */
export function fitDraft(before: Chosen, after: Chosen, draft: Draft): { draft: Draft; cleared: string[] } {
  const shown = beneficiaryPaths(toPayoutPair(after))
  const gone = (Object.keys(draft) as EntryPath[]).filter(
    (path) => /^(?:destination|source)\./.test(path) && !shown.includes(path),
  )
  const lost = [
    ...gone,
    ...(before.country === after.country ? [] : ['destination.bankCode']),
    ...(before.method === after.method ? [] : ['destination.accountNumber']),
    ...(before.side === after.side && givenCurrency(before) === givenCurrency(after) ? [] : ['amount']),
  ]
  const cleared = [...new Set(lost)].filter((path) => (draft[path] ?? '') !== '')
  if (cleared.length === 0) return { draft, cleared }
  return { draft: { ...draft, ...Object.fromEntries(cleared.map((path) => [path, ''])) }, cleared }
}

/**
 * The entry of a payout to repeat, as far as it fits the choices of the URL: a form that opens again, by a reload or by Back, has
 * those that were made last.
 */
export function fitRepeated(
  choices: Choices,
  { method, country, currency, fields, sourceCurrency }: PayoutToRepeat,
): { draft: Draft; cleared: string[] } {
  const own = toChoices({ method: choiceParams.method.parse(method ?? ''), country, currency, fix: 'source' })
  const before = { ...own, sourceCurrency: sourceCurrency ?? '' }
  const { draft } = fitDraft(before, before, { ...emptyDraft, ...fields })
  return fitDraft(before, { ...before, ...choices }, draft)
}

function toPayoutPair({ method, country, currency }: Choices) {
  return { method, destinationCountry: country, destinationCurrency: currency }
}

function givenCurrency({ side, currency, sourceCurrency }: Chosen): string {
  return side === 'source' ? sourceCurrency : currency
}
