import { payoutMethods, payoutPairs, phoneExamples, type PayoutMethod } from '#lib/contract/payout-rules.ts'
import { amount, roundToMinorUnit, toWire } from '#lib/shared/money.ts'
import { dayMs, minuteMs, secondMs } from '#lib/shared/time.ts'
import type { PayoutCase } from './case.ts'
import { named } from './entry.ts'
import type { Notes } from './notes.ts'
import type { PersonalCheck } from './personal.ts'
import { formatIsoDuration, type FileStep } from './timeline.ts'

/** How the built-in service is brought to a status: the last digits of the account number, and the waits until then. */
type Way = { status: string; subStatus: string; digits: string; waits: readonly number[] }

/** The way of a payout whose status the sandbox doesn't have. */
const usualWay: Way = {
  status: 'processing',
  subStatus: 'ORDER_SENT_TO_BANK',
  digits: '6789',
  waits: [2 * minuteMs],
}
const ways: readonly Way[] = [
  { status: 'requested', subStatus: 'ORDER_UNDER_AML_REVIEW', digits: '9003', waits: [] },
  usualWay,
  { status: 'completed', subStatus: 'ORDER_COMPLETED', digits: '6789', waits: [2 * minuteMs, 10 * minuteMs] },
  { status: 'cancelled', subStatus: 'ORDER_CANCELLED', digits: '9001', waits: [2 * minuteMs] },
  { status: 'failed', subStatus: 'ORDER_REJECTED_BY_BANK', digits: '9002', waits: [2 * minuteMs, 10 * minuteMs] },
]

/** The currencies of the sandbox's funding accounts. */
const fundingCurrencies = ['HKD', 'USD'] as const
const longestAgeMs = 366 * dayMs

/** The steps that bring a payout into the state of a case, from a funding account of the sandbox that has enough. */
export function payoutSteps(
  { payout, now }: PayoutCase,
  isPersonal: PersonalCheck,
  notes: Notes,
): { steps: FileStep[]; spanMs: number } {
  const { status, subStatus, digits, waits } = chooseWay(payout, isPersonal, notes)
  const route = chooseRoute(payout, isPersonal, notes)
  const { sourceCurrency, sourceAmount } = chooseSource(payout, notes)
  notes.add('The rate is the sandbox’s, and so is the amount that is received.')
  if (payout.cancellationReason !== null) notes.add('The text of the cancellation is the sandbox’s.')

  const passedMs = waits.reduce((total, wait) => total + wait, 0)
  const ageMs = Math.min(longestAgeMs, now.getTime() - Date.parse(payout.created ?? now.toISOString()))
  // A payout on its way would continue.
  const restMs = status === 'processing' ? 0 : Math.floor((ageMs - passedMs) / secondMs) * secondMs
  const moves = [...waits, ...(restMs > 0 ? [restMs] : [])]
  return {
    spanMs: moves.reduce((total, move) => total + move, 0),
    steps: [
      {
        name: 'The funding account',
        call: 'GET /accounts',
        save: { fundingAccountId: `find(body.accounts, 'currency', '${sourceCurrency}').id` },
      },
      {
        name: 'It has enough',
        control: 'POST /funding-accounts/top-up',
        body: { accountId: '${fundingAccountId}', amount: sourceAmount },
      },
      {
        call: 'POST /payouts/quote',
        body: { ...route.quote, accountId: '${fundingAccountId}', sourceCurrency, sourceAmount },
        save: { quoteId: 'body.id' },
      },
      {
        call: 'POST /payouts',
        key: 'reproduced-${run}',
        body: {
          quoteId: '${quoteId}',
          destination: { ...route.destination, accountNumber: `${route.numberBegins}${digits}` },
          // A copy: YAML would write the same object as an alias.
          source: route.source && { ...route.source },
          purpose: 'other',
          sourceOfFunds: 'other',
          ...(payout.xid === null ? {} : { xid: 'reproduced-${run}' }),
        },
        save: { payoutId: 'body.id' },
      },
      ...moves.map((move) => ({ control: 'POST /clock', body: { advance: formatIsoDuration(move) } })),
      {
        name: 'The payout',
        call: 'GET /payouts',
        query: { payoutId: '${payoutId}' },
        expect: { 'body.payouts[0]': { status, subStatus, sourceAmount, sourceCurrency, ...route.expected } },
      },
    ],
  }
}

/** The way to the status of a payout. */
function chooseWay({ status, subStatus }: PayoutCase['payout'], isPersonal: PersonalCheck, notes: Notes): Way {
  const way = ways.find((one) => one.status === status)
  if (way === undefined) {
    notes.add(
      `The status of the payout is one that the sandbox doesn’t have: ${named(status, isPersonal)}. Here it is ${usualWay.status}.`,
    )
    return usualWay
  }
  if (subStatus !== way.subStatus)
    notes.add(`The sub-status of the payout is ${named(subStatus, isPersonal)}; here it is ${way.subStatus}.`)
  return way
}

/** The currency and the amount that a payout takes from its funding account, as far as the sandbox has them. */
function chooseSource(payout: PayoutCase['payout'], notes: Notes) {
  const known = fundingCurrencies.find((one) => one === payout.sourceCurrency)
  if (known === undefined)
    notes.add('The sandbox has no funding account in the currency of the payout; here it is HKD.')
  const sourceCurrency = known ?? 'HKD'
  const given = roundToMinorUnit(amount(payout.sourceAmount ?? 0), sourceCurrency)
  if (given.gt(0)) return { sourceCurrency, sourceAmount: toWire(given) }
  notes.add('The payout has no amount; here it is 100,000.')
  return { sourceCurrency, sourceAmount: 100_000 }
}

/** Invented: nobody lives there. */
const person = { firstName: 'Siu Ming', surname: 'Wong', address: 'Flat 5, 12 Example Road Central, Hong Kong' }

/** Method, country and currency that the sandbox pays with, and an invented beneficiary that its rules accept. */
function chooseRoute(
  { method, destination, destinationCurrency }: PayoutCase['payout'],
  isPersonal: PersonalCheck,
  notes: Notes,
) {
  const country = destination?.country ?? null
  const hasPair = (one: PayoutMethod) =>
    country !== null && destinationCurrency !== null && (payoutPairs[one][country] ?? []).includes(destinationCurrency)
  const own = payoutMethods.find((one) => one === method)
  const possible = payoutMethods.findLast(hasPair)
  const used = own && hasPair(own) ? own : (possible ?? 'BANK_TRANSFER')
  if (used !== method) notes.add(`The method is ${named(method, isPersonal)}; here it is ${used}.`)
  if (possible === undefined)
    notes.add('The sandbox doesn’t pay to the country and currency of the payout; here it is HK and HKD.')
  const place =
    possible === undefined
      ? { destinationCountry: 'HK', destinationCurrency: 'HKD' }
      : { destinationCountry: country, destinationCurrency }
  const isCard = used === 'NETWORK_CARD'
  const { destination: beneficiary, source } = phonesNeededIn(place.destinationCountry)
  return {
    quote: { method: used, ...place, destination: beneficiary, source },
    numberBegins: isCard ? '622202123456' : '12345678',
    destination: {
      ...person,
      ...(isCard ? { firstNameCN: '小明', surnameCN: '王' } : {}),
      ...beneficiary,
    },
    source,
    expected: { method: used, destinationCurrency: place.destinationCurrency },
  }
}

/** The phone numbers that the interface's Korea and Indonesia rules need. A field that is undefined is in no file. */
function phonesNeededIn(country: string | null) {
  return {
    destination: country === 'KR' ? { mobileNumber: phoneExamples['destination.mobileNumber'] } : undefined,
    source: country === 'ID' ? { mobileNumber: phoneExamples['source.mobileNumber'] } : undefined,
  }
}
