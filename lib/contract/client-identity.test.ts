import { describe, expect, test } from 'vitest'
import { Individual } from './client-identity.ts'
import { isCountryCode } from './countries.ts'
import { countryNames } from './country-names.ts'
import { supportingDocumentTypes } from './individual-rules.ts'
import { occupations, positions } from './occupations.ts'

const file = 'data:image/png;base64,iVBORw0KGgo='
const documents = (...types: string[]) => types.map((documentType) => ({ documentType, file }))

const individual = {
  firstName: 'Siu Ming',
  lastName: 'Wong',
  dateOfBirth: '1990-02-28',
  email: 'siu.ming@example.com',
  mobile: '+85251234567',
  occupation: occupations[0]?.code,
  position: positions[0]?.code,
  gender: 'MALE',
  nationality: 'HK',
  address: 'Flat 5, 12 Queen’s Road Central, Hong Kong',
  document: { type: 'HKID', number: 'A1234563', country: 'HK', expiryDate: '2035-01-31' },
}

/** What is wrong, by field. */
function problemsOf(more: Record<string, unknown>): Record<string, string> {
  const { error } = Individual.safeParse({ ...individual, ...more })
  return Object.fromEntries(error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? [])
}

test('an individual with every mandatory field is accepted', () => {
  expect(problemsOf({})).toEqual({})
})

test.each(Object.keys(individual))('%s is mandatory', (field) => {
  expect(Object.keys(problemsOf({ [field]: undefined }))).toContain(field)
})

test('every wrong field is named at once, rules over several fields among them', () => {
  const problems = problemsOf({
    gender: 'male',
    mobile: '5123 4567',
    dateOfBirth: '1990-02-29',
    email: 'siu.ming',
    nationality: 'CN',
    occupation: 'astronaut',
    document: { ...individual.document, type: 'LICENCE', country: 'UK' },
  })
  expect(Object.keys(problems).sort()).toEqual([
    'dateOfBirth',
    'document.country',
    'document.type',
    'email',
    'gender',
    'mobile',
    'occupation',
    'supportingDocuments',
  ])
})

describe('supporting documents', () => {
  test('are required when the nationality is not HK', () => {
    expect(problemsOf({ nationality: 'CN' })).toHaveProperty('supportingDocuments')
    expect(problemsOf({ nationality: 'CN', supportingDocuments: [] })).toHaveProperty('supportingDocuments')
    expect(problemsOf({ nationality: 'CN', supportingDocuments: documents('PASSPORT') })).toEqual({})
  })

  test.each([['TRAVEL_PERMIT_FRONT'], ['TRAVEL_PERMIT_BACK']])('%s alone is refused', (side) => {
    expect(problemsOf({ nationality: 'CN', supportingDocuments: documents('VISA', side) })).toEqual({
      supportingDocuments: 'must have TRAVEL_PERMIT_FRONT and TRAVEL_PERMIT_BACK together, or neither',
    })
  })

  test('both sides of the travel permit are accepted', () => {
    const both = documents('TRAVEL_PERMIT_BACK', 'TRAVEL_PERMIT_FRONT')
    expect(problemsOf({ nationality: 'CN', supportingDocuments: both })).toEqual({})
  })

  test('TRAVEL_PERMIT is refused with a message that names its replacement', () => {
    const problems = problemsOf({ supportingDocuments: documents('TRAVEL_PERMIT') })
    expect(problems['supportingDocuments.0.documentType']).toMatch(/TRAVEL_PERMIT_FRONT and TRAVEL_PERMIT_BACK/)
  })

  test.each(supportingDocumentTypes.filter((type) => !type.startsWith('TRAVEL_PERMIT')))('%s is accepted', (type) => {
    expect(problemsOf({ supportingDocuments: documents(type) })).toEqual({})
  })

  test.each(['', 'https://example.com/a.png', 'data:', 'data:image/png;base64,', 'data:image/png;base64,a b'])(
    'a file that is no data URI is refused: "%s"',
    (wrong) => {
      const problems = problemsOf({ supportingDocuments: [{ documentType: 'VISA', file: wrong }] })
      expect(Object.keys(problems)).toEqual(['supportingDocuments.0.file'])
    },
  )
})

test.each(['2026-02-30', '2026-13-01', '26-01-01', '2026-1-1', '01/02/2026', ''])(
  '%s is no date that exists',
  (date) => {
    expect(Object.keys(problemsOf({ dateOfBirth: date }))).toEqual(['dateOfBirth'])
  },
)

test('countries are the 249 assigned ISO 3166-1 alpha-2 codes, in upper case', () => {
  expect(countryNames.size).toBe(249)
  expect(['HK', 'CN', 'GB', 'AX'].every(isCountryCode)).toBe(true)
  expect(['UK', 'XX', 'hk', 'HKG', ''].some(isCountryCode)).toBe(false)
})
