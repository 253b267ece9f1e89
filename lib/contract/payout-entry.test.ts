import { describe, expect, test } from 'vitest'
import {
  beneficiaryPaths,
  payoutCountries,
  payoutCurrencies,
  destinationFields,
  detailIssues,
  entryIssues,
  toParties,
  partyIssues,
  type PayoutEntry,
} from './payout-entry.ts'

const nobody = Object.fromEntries(destinationFields.map((field) => [field, ''])) as PayoutEntry['destination']

function entry(base: Omit<PayoutEntry, 'destination'>, destination: Partial<PayoutEntry['destination']>): PayoutEntry {
  return { ...base, destination: { ...nobody, ...destination } }
}

const bank = {
  accountNumber: '001230456789',
  firstName: 'Maria',
  surname: 'Santos',
  address: '6780 Ayala Avenue, Makati 1226',
}
const hongKong = entry(
  {
    method: 'BANK_TRANSFER',
    destinationCountry: 'HK',
    destinationCurrency: 'HKD',
    sourceCurrency: 'USD',
    side: 'source',
    amount: '1,000.00',
    source: { mobileNumber: '' },
  },
  bank,
)
const korea = entry(
  { ...hongKong, destinationCountry: 'KR', destinationCurrency: 'KRW', side: 'destination', amount: '5' },
  { ...bank, mobileNumber: '+82 10-1234-5678' },
)
const indonesia: PayoutEntry = {
  ...entry(
    { ...hongKong, destinationCountry: 'ID', destinationCurrency: 'IDR', side: 'destination', amount: '50,000' },
    bank,
  ),
  source: { mobileNumber: '+852 9123 4567' },
}
const card = entry(
  { ...hongKong, method: 'NETWORK_CARD', destinationCountry: 'CN', destinationCurrency: 'CNY' },
  {
    accountNumber: '6222 0202 0001 2345 678',
    firstName: 'San',
    surname: 'Zhang',
    firstNameCN: '三',
    surnameCN: '张',
    address: '上海市浦东新区世纪大道88号国金中心二期 18楼',
  },
)

type Change = Partial<Omit<PayoutEntry, 'destination'>> & { destination?: Partial<PayoutEntry['destination']> }
const changed = (base: PayoutEntry, { destination, ...rest }: Change): PayoutEntry => ({
  ...base,
  ...rest,
  destination: { ...base.destination, ...destination },
})

test.each([
  ['Hong Kong', hongKong],
  ['Korea', korea],
  ['Indonesia', indonesia],
  ['a card in mainland China', card],
])('a payout to %s that keeps every rule has no issue', (_, whole) => {
  expect(entryIssues(whole, null)).toEqual({})
})

/** Every rule of the interface, the change that breaks it, and the one field that says so. */
const rules: [string, PayoutEntry, Change, string, RegExp][] = [
  ['the country is chosen', hongKong, { destinationCountry: '' }, 'destinationCountry', /^is required$/],
  ['the currency is chosen', hongKong, { destinationCurrency: '' }, 'destinationCurrency', /^is required$/],
  [
    'the method pays to the country',
    hongKong,
    { destinationCountry: 'CN' },
    'destinationCountry',
    /must be one of HK, PH, IN, ID, KR/,
  ],
  ['a card payout goes to China', card, { destinationCountry: 'HK' }, 'destinationCountry', /must be one of CN/],
  ['the currency is paid there', hongKong, { destinationCurrency: 'PHP' }, 'destinationCurrency', /must be CNH or HKD/],
  ['a card payout is paid in CNY', card, { destinationCurrency: 'CNH' }, 'destinationCurrency', /must be CNY/],
  ['an amount is given', hongKong, { amount: ' ' }, 'sourceAmount', /^is required$/],
  ['an amount is above zero', hongKong, { amount: '0' }, 'sourceAmount', /greater than 0/],
  ['an amount is a number', hongKong, { amount: '1,5' }, 'sourceAmount', /must be a number/],
  [
    'a sent amount has the decimals of its currency',
    hongKong,
    { amount: '1.005' },
    'sourceAmount',
    /at most 2 decimals/,
  ],
  [
    'a received amount has the decimals of its currency',
    hongKong,
    { side: 'destination', amount: '1.005' },
    'destinationAmount',
    /at most 2 decimals in HKD/,
  ],
  ['rupiah are whole', indonesia, { amount: '50,000.5' }, 'destinationAmount', /must be an integer in IDR/],
  ['at least 50,000 rupiah arrive', indonesia, { amount: '49,999' }, 'destinationAmount', /at least 50000 IDR/],
  ['won are whole', korea, { amount: '5.5' }, 'destinationAmount', /must be an integer in KRW/],
  ['at least 5 won arrive', korea, { amount: '4' }, 'destinationAmount', /at least 5 KRW/],
  [
    'Korea wants a mobile number',
    korea,
    { destination: { mobileNumber: '' } },
    'destination.mobileNumber',
    /is required/,
  ],
  [
    'Korea wants it in E.164',
    korea,
    { destination: { mobileNumber: '010-1234-5678' } },
    'destination.mobileNumber',
    /E\.164/,
  ],
  [
    'Korea wants an e-mail where the number is not Korean',
    korea,
    { destination: { mobileNumber: '+85291234567' } },
    'destination.email',
    /is required when/,
  ],
  [
    'a Korean e-mail looks like one',
    korea,
    { destination: { mobileNumber: '+85291234567', email: 'minji' } },
    'destination.email',
    /e-mail address/,
  ],
  [
    'Indonesia wants the sender’s mobile number',
    indonesia,
    { source: { mobileNumber: '' } },
    'source.mobileNumber',
    /is required/,
  ],
  [
    'Indonesia wants it in E.164',
    indonesia,
    { source: { mobileNumber: '0812 3456' } },
    'source.mobileNumber',
    /E\.164/,
  ],
  [
    'an account number is given',
    hongKong,
    { destination: { accountNumber: '' } },
    'destination.accountNumber',
    /required/,
  ],
  [
    'an account number is plausible',
    hongKong,
    { destination: { accountNumber: '!!' } },
    'destination.accountNumber',
    /4 to 34/,
  ],
  ['a first name is given', hongKong, { destination: { firstName: ' ' } }, 'destination.firstName', /is required/],
  ['a surname is given', hongKong, { destination: { surname: '' } }, 'destination.surname', /is required/],
  ['an address is given', hongKong, { destination: { address: '' } }, 'destination.address', /is required/],
  [
    'an address is longer than 20 characters',
    hongKong,
    { destination: { address: '1 Long Street, HK 00' } },
    'destination.address',
    /longer than 20/,
  ],
  [
    'an address has a space',
    hongKong,
    { destination: { address: '12345678901234567890X' } },
    'destination.address',
    /at least one space/,
  ],
  [
    'an address has a digit',
    hongKong,
    { destination: { address: 'Long Street Number One, Hong Kong' } },
    'destination.address',
    /at least one digit/,
  ],
  ['a card number is given', card, { destination: { accountNumber: '' } }, 'destination.accountNumber', /required/],
  [
    'a card number has 16 digits or more',
    card,
    { destination: { accountNumber: '622202020001234' } },
    'destination.accountNumber',
    /16 to 19 digits/,
  ],
  [
    'a card number has 19 digits or fewer',
    card,
    { destination: { accountNumber: '62220202000123456789' } },
    'destination.accountNumber',
    /16 to 19 digits/,
  ],
  [
    'a card wants a first name in Chinese',
    card,
    { destination: { firstNameCN: '' } },
    'destination.firstNameCN',
    /required/,
  ],
  ['a card wants a surname in Chinese', card, { destination: { surnameCN: '' } }, 'destination.surnameCN', /required/],
  [
    'a first name in Chinese is Chinese only',
    card,
    { destination: { firstNameCN: '三 San' } },
    'destination.firstNameCN',
    /Chinese characters only/,
  ],
  [
    'a surname in Chinese is Chinese only',
    card,
    { destination: { surnameCN: 'Zhang' } },
    'destination.surnameCN',
    /Chinese characters only/,
  ],
  ['a name is bounded', hongKong, { destination: { surname: 'x'.repeat(101) } }, 'destination.surname', /at most 100/],
  [
    'an address is bounded',
    hongKong,
    { destination: { address: `1 ${'x'.repeat(500)}` } },
    'destination.address',
    /at most 500/,
  ],
  [
    'an amount with a lone comma is asked about in a currency of three decimals',
    hongKong,
    { side: 'source', sourceCurrency: 'KWD', amount: '1,234' },
    'sourceAmount',
    /two ways/,
  ],
  [
    'a name holds no card number',
    hongKong,
    { destination: { firstName: '4242 4242 4242 4242' } },
    'destination.firstName',
    /card number/,
  ],
]

test.each(rules)('%s: only its own field has the issue', (_, base, change, field, message) => {
  const issues = entryIssues(changed(base, change), null)
  expect(Object.keys(issues)).toEqual([field])
  expect(issues[field]).toMatch(message)
})

test('an address in Chinese is validated with its pinyin, or by the service where the pinyin is unknown', () => {
  const of = (address: string, pinyin: string | null) =>
    entryIssues(changed(card, { destination: { address } }), pinyin)['destination.address']
  expect(of('北京市朝阳区建国路88号', 'Bei Jing Shi Chao Yang Qu Jian Guo Lu 88 Hao')).toBeUndefined()
  expect(of('北京市 8', 'Bei Jing Shi 8')).toBe('must be longer than 20 characters, as typed or in pinyin')
  expect(of('北京市 8', null)).toBeUndefined()
  expect(of('Beijing 8', null)).toBe('must be longer than 20 characters')
  expect(partyIssues(changed(card, { destination: { address: '北京市 8' } }))).toEqual({})
})

test('everything that is wrong is reported together, in the order of the fields', () => {
  const empty = changed(card, {
    amount: '',
    destination: { ...nobody, accountNumber: '12', firstNameCN: 'San', address: 'short' },
  })
  expect(Object.keys(entryIssues(empty, null))).toEqual([
    'destination.accountNumber',
    'destination.firstName',
    'destination.surname',
    'destination.firstNameCN',
    'destination.surnameCN',
    'destination.address',
    'sourceAmount',
  ])
})

describe('what is sent', () => {
  test('has the fields that method and country require, and no hidden ones', () => {
    const hidden = { ...card.destination, mobileNumber: '+821012345678', email: 'a@b.c', bankCode: '004' }
    expect(toParties({ ...hongKong, destination: hidden, source: { mobileNumber: '+85291234567' } })).toEqual({
      destination: {
        bankCode: '004',
        accountNumber: '6222 0202 0001 2345 678',
        firstName: 'San',
        surname: 'Zhang',
        address: '上海市浦东新区世纪大道88号国金中心二期 18楼',
      },
    })
  })

  test('has numbers without the spaces and hyphens that people type', () => {
    expect(toParties(card).destination.accountNumber).toBe('6222020200012345678')
    expect(toParties(korea).destination.mobileNumber).toBe('+821012345678')
    expect(toParties(indonesia).source).toEqual({ mobileNumber: '+85291234567' })
  })
})

test('the Korea and Indonesia fields are there for their pairs alone', () => {
  const added = (method: PayoutEntry['method']) =>
    payoutCountries(method).flatMap((destinationCountry) =>
      payoutCurrencies(method, destinationCountry).map((destinationCurrency) => [
        `${destinationCountry} ${destinationCurrency}`,
        beneficiaryPaths({ method, destinationCountry, destinationCurrency }).filter((one) => /mobile|email/.test(one)),
      ]),
    )
  expect(Object.fromEntries([...added('BANK_TRANSFER'), ...added('NETWORK_CARD')])).toEqual({
    'HK CNH': [],
    'HK HKD': [],
    'PH PHP': [],
    'IN INR': [],
    'ID IDR': ['source.mobileNumber'],
    'KR KRW': ['destination.mobileNumber', 'destination.email'],
    'CN CNY': [],
  })
})

test('purpose and source of funds are chosen, remarks and external ID are bounded and hold no card number', () => {
  expect(detailIssues({ purpose: 'salary', sourceOfFunds: 'business', remarks: '', xid: '', xmetadata: '' })).toEqual(
    {},
  )
  const issues = detailIssues({
    purpose: '',
    sourceOfFunds: '',
    remarks: 'x'.repeat(501),
    xid: '4242424242424242',
    xmetadata: '',
  })
  expect(Object.keys(issues)).toEqual(['purpose', 'sourceOfFunds', 'remarks', 'xid'])
  expect(issues.xid).toMatch(/card number/)
})
