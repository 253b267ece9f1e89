import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addressIssue,
  countryIssues,
  countDecimals,
  destinationAmountIssues,
  isCardAccountNumber,
  isChineseName,
  minimumDestinationAmount,
  pairIssues,
  payoutIssues,
  payoutMethods,
  payoutPairs,
  type PayoutFacts,
} from './payout-rules.ts'
import { bankCountries } from './terms.ts'

const card: PayoutFacts = {
  method: 'NETWORK_CARD',
  destinationCountry: 'CN',
  destinationCurrency: 'CNY',
  destinationAmount: 100.5,
  destination: {
    accountNumber: '6222020200012345678',
    firstName: 'San',
    firstNameCN: '三',
    surname: 'Zhang',
    surnameCN: '张',
    address: '88 Century Avenue, Pudong, Shanghai',
  },
}
const korea: PayoutFacts = {
  method: 'BANK_TRANSFER',
  destinationCountry: 'KR',
  destinationCurrency: 'KRW',
  destinationAmount: 5,
  destination: {
    accountNumber: '110-123-456789',
    firstName: 'Minji',
    surname: 'Kim',
    address: '26 Eulji-ro, Jung-gu, Seoul 04533',
    mobileNumber: '+821012345678',
  },
}
const indonesia: PayoutFacts = {
  method: 'BANK_TRANSFER',
  destinationCountry: 'ID',
  destinationCurrency: 'IDR',
  destinationAmount: 50_000,
  destination: {
    accountNumber: '1234567890',
    firstName: 'Budi',
    surname: 'Santoso',
    address: 'Jalan Sudirman 52, Jakarta',
  },
  source: { mobileNumber: '+85291234567' },
}

const paths = (facts: PayoutFacts) => payoutIssues(facts).map(({ path }) => path)

test.each([
  ['a card payout', card],
  ['a Korean bank transfer', korea],
  ['an Indonesian bank transfer', indonesia],
])('%s that keeps every rule has no issue', (_, facts) => {
  expect(payoutIssues(facts)).toEqual([])
})

test('every broken rule is named at once', () => {
  const broken = payoutIssues({
    ...card,
    destinationCurrency: 'USD',
    destinationAmount: 0.004,
    destination: { accountNumber: '12345', firstNameCN: 'San', address: 'short' },
  })
  expect(broken.map(({ path }) => path)).toEqual([
    'destinationCurrency',
    'destinationAmount',
    'destination.firstName',
    'destination.surname',
    'destination.surnameCN',
    'destination.accountNumber',
    'destination.firstNameCN',
    'destination.address',
  ])
  expect(broken.filter(({ code }) => code).map(({ path }) => path)).toEqual(['destination.accountNumber'])
})

describe('pairs', () => {
  const supported = payoutMethods.flatMap((method) =>
    Object.entries(payoutPairs[method]).flatMap(([country, currencies]) =>
      currencies.map((currency) => `${method} ${country} ${currency}`),
    ),
  )

  test('the supported pairs are those of the interface, and CN in CNY by card', () => {
    expect(supported.sort()).toEqual([
      'BANK_TRANSFER HK CNH',
      'BANK_TRANSFER HK HKD',
      'BANK_TRANSFER ID IDR',
      'BANK_TRANSFER IN INR',
      'BANK_TRANSFER KR KRW',
      'BANK_TRANSFER PH PHP',
      'NETWORK_CARD CN CNY',
    ])
  })

  test('every other combination of method, country and currency is refused', () => {
    const currencies = ['CNH', 'HKD', 'PHP', 'INR', 'IDR', 'KRW', 'CNY', 'USD']
    for (const method of payoutMethods) {
      for (const destinationCountry of [...bankCountries, 'US', 'constructor']) {
        for (const destinationCurrency of currencies) {
          const isSupported = supported.includes(`${method} ${destinationCountry} ${destinationCurrency}`)
          expect(pairIssues({ method, destinationCountry, destinationCurrency }).length === 0).toBe(isSupported)
        }
      }
    }
  })
})

describe('Korea', () => {
  test('requires a mobile number in E.164 format', () => {
    expect(paths({ ...korea, destination: { ...korea.destination, mobileNumber: undefined } })).toEqual([
      'destination.mobileNumber',
    ])
    expect(paths({ ...korea, destination: { ...korea.destination, mobileNumber: '010-1234-5678' } })).toEqual([
      'destination.mobileNumber',
    ])
  })

  test('requires an e-mail address when the mobile number is not Korean', () => {
    const abroad = { ...korea.destination, mobileNumber: '+85291234567' }
    expect(paths({ ...korea, destination: abroad })).toEqual(['destination.email'])
    expect(paths({ ...korea, destination: { ...abroad, email: 'minji@example.com' } })).toEqual([])
    expect(paths({ ...korea, destination: { ...abroad, email: 'minji' } })).toEqual(['destination.email'])
    expect(paths({ ...korea, destination: { ...abroad, email: ' ' } })).toEqual(['destination.email'])
  })

  test.each(['minji', '', ' ', undefined])('the e-mail address %j is not enough for a quote either', (email) => {
    const destination = { mobileNumber: '+85291234567', email }
    expect(countryIssues({ ...korea, destination }).map(({ path }) => path)).toEqual(['destination.email'])
  })

  test('an empty e-mail address is none where none is needed', () => {
    expect(paths({ ...korea, destination: { ...korea.destination, email: '' } })).toEqual([])
    expect(paths({ ...korea, destination: { ...korea.destination, email: 'minji' } })).toEqual(['destination.email'])
  })

  test('requires 5 won or more as given, whole or not', () => {
    expect(paths({ ...korea, destinationAmount: 4 })).toEqual(['destinationAmount'])
    expect(paths({ ...korea, destinationAmount: 4.6 })).toEqual(['destinationAmount'])
    expect(paths({ ...korea, destinationAmount: 5.5 })).toEqual([])
  })
})

describe('Indonesia', () => {
  test('requires the sender’s mobile number in E.164 format', () => {
    expect(paths({ ...indonesia, source: undefined })).toEqual(['source.mobileNumber'])
    expect(paths({ ...indonesia, source: { mobileNumber: '0812 3456' } })).toEqual(['source.mobileNumber'])
  })

  test('requires 50,000 rupiah or more, in whole rupiah', () => {
    expect(paths({ ...indonesia, destinationAmount: 49_999 })).toEqual(['destinationAmount'])
    expect(paths({ ...indonesia, destinationAmount: 50_000.5 })).toEqual(['destinationAmount'])
  })

  test('does not apply to other countries', () => {
    expect(countryIssues({ method: 'BANK_TRANSFER', destinationCountry: 'PH', destinationCurrency: 'PHP' })).toEqual([])
  })
})

test('a wrong mobile number is reported with an example of the field’s own country', () => {
  const messages = (facts: PayoutFacts) => payoutIssues(facts).map(({ message }) => message)
  expect(messages({ ...indonesia, source: { mobileNumber: '0812 3456' } })).toEqual([
    'must be in E.164 format, such as +85261234567',
  ])
  expect(messages({ ...korea, destination: { ...korea.destination, mobileNumber: '010-1234-5678' } })).toEqual([
    'must be in E.164 format, such as +821012345678',
  ])
})

test('an amount is accepted exactly where it is something once rounded, not below the minimum, and whole in rupiah', () => {
  const pairs = [
    ['ID', 'IDR', 0],
    ['KR', 'KRW', 0],
    ['HK', 'HKD', 2],
    ['IN', 'INR', 2],
  ] as const
  fc.assert(
    fc.property(
      fc.constantFrom(...pairs),
      fc.bigInt(1n, 10n ** 12n),
      fc.integer({ min: 0, max: 4 }),
      (pair, digits, scale) => {
        const [destinationCountry, destinationCurrency, minorDigits] = pair
        const text = digits.toString().padStart(scale + 1, '0')
        const decimal = scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`
        const isWhole = destinationCountry !== 'ID' || digits % 10n ** BigInt(scale) === 0n
        const isSomething = 2n * digits >= 10n ** BigInt(Math.max(0, scale - minorDigits))
        const minimum = BigInt(minimumDestinationAmount(destinationCountry, destinationCurrency) ?? 0)
        const issues = destinationAmountIssues({
          method: 'BANK_TRANSFER',
          destinationCountry,
          destinationCurrency,
          destinationAmount: Number(decimal),
        })
        expect(issues.length === 0).toBe(isWhole && isSomething && digits >= minimum * 10n ** BigInt(scale))
      },
    ),
    { numRuns: 10_000 },
  )
})

test('decimals are counted in the amount’s decimal text', () => {
  expect([1, 0.1, 1.25, 1e21, 1e-7, 1.5e-7, 123456789.12345].map(countDecimals)).toEqual([0, 1, 2, 0, 7, 8, 5])
})

test('a card account number has 16 to 19 digits, as a text or a number', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 }), (length) => {
      expect(isCardAccountNumber('6'.repeat(length))).toBe(length >= 16 && length <= 19)
    }),
  )
  expect(isCardAccountNumber(6222020200012345)).toBe(true)
  expect(isCardAccountNumber('6222-0202-0001-2345')).toBe(false)
  expect(isCardAccountNumber('６２２２０２０２０００１２３４５')).toBe(false)
})

test('a card number is validated, also an empty or very long one; a missing one is required', () => {
  const of = (accountNumber: string | undefined) =>
    payoutIssues({ ...card, destination: { ...card.destination, accountNumber } })
  const wrong = { path: 'destination.accountNumber', message: 'must be 16 to 19 digits' }
  for (const number of ['', ' ', '6'.repeat(65), '6'.repeat(1_000)]) {
    expect(of(number)).toEqual([{ ...wrong, code: 'NETWORK_CARD_INVALID_BANK_ACCOUNT' }])
  }
  expect(of(undefined)).toEqual([{ ...wrong, message: 'is required for NETWORK_CARD' }])
})

test('without a method, the rules of all methods still apply', () => {
  expect(
    payoutIssues({ destinationCountry: 'US', destinationCurrency: 'USD', destination: { accountNumber: '12' } }),
  ).toEqual([
    { path: 'destinationCountry', message: 'must be one of HK, PH, IN, ID, KR, CN' },
    { path: 'destinationCurrency', message: 'must be one of CNH, HKD, PHP, INR, IDR, KRW, CNY' },
    { path: 'destination.firstName', message: 'is required' },
    { path: 'destination.surname', message: 'is required' },
    { path: 'destination.address', message: 'is required' },
  ])
  expect(pairIssues({ destinationCountry: 'CN', destinationCurrency: 'CNY' })).toEqual([])
})

test('a Chinese name has Chinese characters only', () => {
  expect(['张', '欧阳', '𠮷野'].map(isChineseName)).toEqual([true, true, true])
  expect(['', 'Zhang', '张 三', '张3', 'ザ', '김'].map(isChineseName)).toEqual(Array(6).fill(false))
})

test('an address is longer than 20 characters, with a space and a digit', () => {
  expect(addressIssue('1 Long Street, HK 000')).toBeNull()
  expect(addressIssue('1 Long Street, HK 00')).toBe('must be longer than 20 characters')
  expect(addressIssue('12345678901234567890X')).toBe('must have at least one space')
  expect(addressIssue(' 12345678901234567890')).toBeNull()
  expect(addressIssue('12345678901234567890\u3000')).toBeNull()
  expect(addressIssue('Long Street Number One, Hong Kong')).toBe('must have at least one digit')
  expect(addressIssue('上海市浦东新区世纪大道88号国金中心二期 十八楼')).toBeNull()
  expect(addressIssue('x')).toBe(
    'must be longer than 20 characters, and have at least one space, and have at least one digit',
  )
})

test('an address in Chinese passes as it is given or as it is sent in pinyin; otherwise the closer form’s issue is reported', () => {
  const sent = 'Bei Jing Shi Chao Yang Qu Jian Guo Lu 88 Hao'
  expect(addressIssue('北京市朝阳区建国路88号', sent)).toBeNull()
  expect(addressIssue('上海市浦东新区世纪大道88号国金中心二期 十八楼', 'too short')).toBeNull()
  expect(addressIssue('北京市朝阳区建国路', 'Bei Jing Shi Chao Yang Qu Jian Guo Lu')).toBe(
    'must have at least one digit, as typed or in pinyin',
  )
  expect(addressIssue('北京', 'Bei Jing')).toBe(
    'must be longer than 20 characters, and have at least one digit, as typed or in pinyin',
  )
})

test('pinyin counts only for an address in Chinese, and is not required where the service converts', () => {
  const issuesOf = (address: string, addressInPinyin?: string | null) =>
    payoutIssues({ ...card, destination: { ...card.destination, address }, addressInPinyin }).map(({ path }) => path)
  const long = 'a long text with a digit 1'
  expect(issuesOf('北京 8', long)).toEqual([])
  expect(issuesOf('北京 8', null)).toEqual([])
  expect(issuesOf('北京 8')).toEqual(['destination.address'])
  expect(issuesOf('Beijing 8', long)).toEqual(['destination.address'])
  expect(issuesOf('Beijing 8', null)).toEqual(['destination.address'])
  expect(issuesOf(' ', null)).toEqual(['destination.address'])
})
