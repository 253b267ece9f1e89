import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { isFields } from '#lib/shared/json.ts'
import { parseScenario } from '../parse.ts'
import type { Case } from './case.ts'
import { reproduce } from './reproduce.ts'
import { caseState } from './state.ts'
import {
  canary,
  canaryParts,
  exampleCard,
  exampleCase,
  exampleEntry,
  exampleFee,
  examplePayout,
  otherEntry,
} from './testing.ts'

type Fields = Record<string, unknown>

const schemaUrl = 'schema.json'
const made = (original: Case) => reproduce(original, schemaUrl)
const stepsOf = (original: Case) => (parse(made(original).text) as { steps: Fields[] }).steps
const bodies = (original: Case, call: string) =>
  stepsOf(original).flatMap((step) => (step.control === call || step.call === call ? [step.body as Fields] : []))

/** All that a person sees of a case. */
function outputOf(original: Case): string {
  const { text, title, notBuilt } = made(original)
  return [text, title, ...notBuilt, JSON.stringify(caseState(original))].join('\n').toLowerCase()
}

const foundIn = (output: string) => canaryParts.filter((part) => output.includes(part))

/** The paths of all texts of a value. */
function textPaths(value: unknown, above: readonly string[] = []): string[][] {
  if (typeof value === 'string') return [[...above]]
  if (value instanceof Date) return []
  if (Array.isArray(value)) return value.flatMap((item, index) => textPaths(item, [...above, String(index)]))
  return isFields(value) ? Object.entries(value).flatMap(([key, inner]) => textPaths(inner, [...above, key])) : []
}

function planted(original: Case, path: readonly string[], text: string): Case {
  const copy = structuredClone(original)
  const [last = ''] = path.slice(-1)
  const owner = path.slice(0, -1).reduce<unknown>((value, key) => Reflect.get(Object(value), key) as unknown, copy)
  Reflect.set(Object(owner), last, text)
  return copy
}

/** What says which kind of case it is, for us and not of a service. */
const ownFields = new Set(['kind', 'transactionId'])

test.each([
  ['an account', exampleCase()],
  ['a transaction', exampleCase({ transactionId: exampleEntry().id })],
  ['a payout', examplePayout()],
])('nothing personal leaves %s, whichever field it is planted in', (_, original) => {
  expect(foundIn(outputOf(original))).toEqual([])
  const paths = textPaths(original).filter(([root = '']) => !ownFields.has(root))
  expect(paths.length).toBeGreaterThan(10)
  const texts = [...Object.values(canary), `PAYPAL *${canary.embossed}`, '9876 1234']
  const leaks = paths.flatMap((path, index) =>
    [index, index + 3].flatMap((place) => {
      const text = texts[place % texts.length] ?? ''
      return foundIn(outputOf(planted(original, path, text))).map((part) => `${path.join('.')}: ${text}: ${part}`)
    }),
  )
  for (const text of texts) {
    const everywhere = paths.reduce((copy, path) => planted(copy, path, text), original)
    leaks.push(...foundIn(outputOf(everywhere)).map((part) => `everywhere: ${text}: ${part}`))
  }
  expect(leaks).toEqual([])
})

test('the canary is found where it is', () => {
  const merchant = { name: 'Bäckerei Quellenberg', mcc: '5812', category: 'Restaurants', country: 'HK' }
  expect(foundIn(outputOf(exampleCase({ transactions: [exampleEntry({ merchant })] })))).toEqual(['quellenberg'])
})

test('a merchant that shares words with metadata stays', () => {
  const merchant = { name: 'Deliveroo Hong Kong', mcc: '5814', category: 'Restaurants', country: 'HK' }
  const original = exampleCase({ transactions: [exampleEntry({ merchant })] })
  original.account.xmetadata = { region: 'Hong Kong Island' }
  expect(bodies(original, 'POST /charges')).toMatchObject([{ merchant }])
})

test('an expression in a merchant’s name is no expression of the scenario', () => {
  const merchant = { name: 'Shop ${uuid()}', mcc: '5812', category: 'Restaurants', country: 'HK' }
  expect(made(exampleCase({ transactions: [exampleEntry({ merchant })] })).text).not.toContain('Shop')
})

test('the merchant stays, and so do amounts', () => {
  expect(bodies(exampleCase(), 'POST /charges')).toMatchObject([
    { amount: 80.5, currency: 'HKD', merchant: { name: 'Tim Ho Wan', mcc: '5812', country: 'HK' }, forced: true },
  ])
})

test('a charge abroad has the amount and the currency that were authorized, and the account’s amount', () => {
  const { authorization } = exampleEntry()
  const entry = exampleEntry({ authorization: authorization && { ...authorization, currency: 'JPY', amount: 1600 } })
  expect(bodies(exampleCase({ transactions: [entry] }), 'POST /charges')).toMatchObject([
    { amount: 1600, currency: 'JPY', accountAmount: 80.5 },
  ])
})

test('the clock moves as far as the original’s records are apart', () => {
  const steps = stepsOf(exampleCase())
  const moves = steps.flatMap(({ control, body }) => (control === 'POST /clock' ? [(body as Fields).advance] : []))
  expect(moves).toEqual(['P16DT16H2S', 'P75D', 'P4DT4H', 'PT10H', 'P3DT18H'])
})

test('every file is a scenario that the parser takes', () => {
  for (const original of [exampleCase(), examplePayout(), examplePayout({ destinationCurrency: 'KRW' })]) {
    const parsed = parseScenario(made(original).text, 'reproduced.yaml')
    expect(parsed.ok ? [] : parsed.error).toEqual([])
  }
})

test('what can’t be built is named in the head of the file, each once', () => {
  const original = exampleCase({
    account: { ...exampleCase().account, identityType: 'business', currency: 'XAU', clientIdentityStatus: 'on-hold' },
    cards: [exampleCard({ status: 'frozen' })],
    transactions: [
      exampleEntry({ status: 'settling' }),
      exampleEntry({ status: 'settling' }),
      exampleEntry({ disputeStatus: 'arbitration' }),
      otherEntry({ intent: 'topup', status: 'void' }),
      otherEntry({ intent: 'rebate', entryType: 'DEBIT' }),
    ],
  })
  const { notBuilt, text } = made(original)
  expect(notBuilt).toEqual([
    'The sandbox has no accounts in the currency of the original (XAU); here it is HKD.',
    'A transaction has a status that the sandbox doesn’t know: settling. (2 times)',
    'A dispute has a status that the sandbox doesn’t know: arbitration.',
    'A transaction of the intent topup is void; in the sandbox only charges and fees become void.',
    'An intent that the sandbox doesn’t have, rebate, is other here.',
    'The account is no individual’s; the sandbox opens accounts for individuals alone.',
    'The identity has a status that the sandbox doesn’t know: on-hold.',
    'What other transactions left of the balance is one entry: Balance brought forward.',
    'A card has a status that the sandbox doesn’t know: frozen.',
  ])
  for (const note of notBuilt) expect(text).toContain(`# - ${note}\n`)
})

test('a long history becomes the newest transactions and what they leave of the balance', () => {
  const hours = (count: number) => new Date(Date.parse('2026-11-20T12:00:00.000Z') - count * 3_600_000).toISOString()
  const transactions = Array.from({ length: 150 }, (_, index) =>
    otherEntry({ id: `entry-${index}`, intent: 'topup', entryType: 'DEBIT', amount: 10, createdAt: hours(index * 20) }),
  )
  const original = exampleCase({ transactions, fees: [] })
  original.account.balance = 1500
  const credits = bodies(original, 'POST /credits')
  expect(credits).toHaveLength(100)
  expect(credits[0]).toMatchObject({ intent: 'other', amount: 510, entryType: 'DEBIT' })
  expect(made(original).notBuilt).toContain('51 older transactions are in the balance that is brought forward.')
})

test('a scenario has no more steps than a file may have', () => {
  const disputed = Array.from({ length: 99 }, (_, index) =>
    exampleEntry({
      id: `entry-${index}`,
      disputeStatus: 'pending',
      createdAt: `2026-11-1${index % 9}T0${index % 7}:${10 + (index % 50)}:00.000Z`,
      postedAt: null,
    }),
  )
  const cards = Array.from({ length: 20 }, (_, index) => exampleCard({ id: `card-${index}` }))
  const original = exampleCase({ transactions: disputed.map((one) => ({ ...one, cardId: 'card-0' })), cards, fees: [] })
  expect(stepsOf(original).length).toBeLessThanOrEqual(500)
})

test('a refund gives back the charge that it is of', () => {
  const charge = exampleEntry()
  const refund = otherEntry({
    id: 'refund',
    intent: 'refund',
    entryType: 'DEBIT',
    cardId: charge.cardId,
    amount: 30,
    description: `Refund · ${charge.description}`,
    createdAt: '2026-11-19T12:00:00.000Z',
  })
  const original = exampleCase({ transactions: [refund, charge] })
  expect(bodies(original, 'POST /reversals')).toEqual([{ transactionId: '${entry1}', amount: 30 }])
  // The case of either transaction has both.
  for (const transactionId of ['refund', charge.id])
    expect(bodies(exampleCase({ transactions: [refund, charge], transactionId }), 'POST /reversals')).toHaveLength(1)
})

test('a fee’s intent that is no code is replaced', () => {
  const fee = otherEntry({ intent: 'fee', entryType: 'CREDIT' })
  const original = exampleCase({ transactions: [fee], fees: [exampleFee(fee, { intent: canary.name })] })
  expect(bodies(original, 'POST /fees')).toMatchObject([{ intent: 'other-fee' }])
})

test.each([
  ['requested', 'ORDER_UNDER_AML_REVIEW', '123456789003'],
  ['processing', 'ORDER_SENT_TO_BANK', '123456786789'],
  ['cancelled', 'ORDER_CANCELLED', '123456789001'],
  ['under-recall', 'ORDER_SENT_TO_BANK', '123456786789'],
])('a payout that is %s ends by its account number', (status, subStatus, accountNumber) => {
  const original = examplePayout({ status, subStatus })
  expect(bodies(original, 'POST /payouts')).toMatchObject([{ destination: { accountNumber } }])
  const isNamed = made(original).notBuilt.some((note) => note.includes('under-recall'))
  expect(isNamed).toBe(status === 'under-recall')
})
