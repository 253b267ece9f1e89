import { expect, test } from 'vitest'
import { dayMs } from '#lib/shared/time.ts'
import { Individual } from './client-identity.ts'
import {
  filesBytes,
  individualIssues,
  isPastDay,
  individualPaths,
  individualText,
  isDocumentFile,
  type IndividualEntry,
  type IndividualPath,
  type SupportingDocumentType,
} from './individual-rules.ts'

const png = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUg=='

const entered: IndividualEntry = {
  firstName: 'Mei',
  lastName: 'Chan',
  dateOfBirth: '1990-02-03',
  gender: 'FEMALE',
  nationality: 'HK',
  email: 'mei@example.com',
  mobile: '+852 9123 4567',
  address: '1 Queen’s Road Central',
  occupation: 'engineer',
  position: 'manager',
  'document.type': 'HKID',
  'document.number': 'A1234567',
  'document.country': 'HK',
  'document.expiryDate': '2031-01-01',
}

/** The same as it is sent. */
function sent(entry: IndividualEntry, documents: readonly SupportingDocumentType[]) {
  const text = (path: IndividualPath) => individualText(path, entry[path])
  const part = (prefix: string) =>
    Object.fromEntries(
      individualPaths
        .filter((path) => path.startsWith(prefix) && (prefix !== '' || !path.includes('.')))
        .map((path) => [path.slice(prefix.length), text(path)]),
    )
  const supportingDocuments = documents.map((documentType) => ({ documentType, file: png }))
  return { ...part(''), document: part('document.'), ...(documents.length > 0 ? { supportingDocuments } : {}) }
}

const cases: [string, Partial<IndividualEntry>, SupportingDocumentType[], string | null][] = [
  ['a complete individual of Hong Kong', {}, [], null],
  ['another nationality without a document', { nationality: 'SG' }, [], 'supportingDocuments'],
  ['another nationality with a document', { nationality: 'SG' }, ['PASSPORT'], null],
  ['both sides of a travel permit', { nationality: 'CN' }, ['TRAVEL_PERMIT_FRONT', 'TRAVEL_PERMIT_BACK'], null],
  ['the front of a travel permit', { nationality: 'CN' }, ['TRAVEL_PERMIT_FRONT'], 'supportingDocuments'],
  ['the back of a travel permit, of Hong Kong', {}, ['VISA', 'TRAVEL_PERMIT_BACK'], 'supportingDocuments'],
  ['a day that does not exist', { dateOfBirth: '1990-02-30' }, [], 'dateOfBirth'],
  ['a leap day', { dateOfBirth: '1992-02-29' }, [], null],
  ['a day in another form', { 'document.expiryDate': '01/02/2031' }, [], 'document.expiryDate'],
  ['a mobile without its country', { mobile: '9123 4567' }, [], 'mobile'],
  ['an e-mail without a domain', { email: 'mei@example' }, [], 'email'],
  ['an e-mail of two dots', { email: 'mei..chan@example.com' }, [], 'email'],
  ['a blank name', { lastName: '  ' }, [], 'lastName'],
  ['a name of 101 characters', { firstName: 'x'.repeat(101) }, [], 'firstName'],
  ['an address of 501 characters', { address: 'x'.repeat(501) }, [], 'address'],
  ['a number of 65 characters', { 'document.number': 'x'.repeat(65) }, [], 'document.number'],
  ['no gender', { gender: '' }, [], 'gender'],
  ['a country that is none', { 'document.country': 'XX' }, [], 'document.country'],
]

test.each(cases)('%s: the form and the interface agree', (_, change, documents, issue) => {
  const entry = { ...entered, ...change }
  expect(Object.keys(individualIssues(entry, documents))).toEqual(issue === null ? [] : [issue])
  const parsed = Individual.safeParse(sent(entry, documents))
  expect(parsed.error?.issues.map(({ path }) => path.join('.')) ?? []).toEqual(issue === null ? [] : [issue])
})

test('a birthday that is still to come is refused, and an expiry that is past is told', () => {
  const day = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10)
  expect(individualIssues({ ...entered, dateOfBirth: day(-1) }, [])).toEqual({})
  expect(individualIssues({ ...entered, dateOfBirth: day(2) }, [])).toEqual({
    dateOfBirth: 'Enter a date in the past.',
  })
  expect([day(-2), day(0), day(2), 'soon', ''].map(isPastDay)).toEqual([true, false, false, false, false])
})

test('every field that is left empty is named', () => {
  const empty = Object.fromEntries(individualPaths.map((path) => [path, ''])) as IndividualEntry
  expect(Object.keys(individualIssues(empty, []))).toEqual([...individualPaths])
})

test.each([
  [png, true],
  ['data:image/jpeg;base64,/9j/4AAQSkZJRg==', true],
  ['data:application/pdf;base64,JVBERi0xLjc=', true],
  ['data:image/png;base64,/9j/4AAQSkZJRg==', false],
  ['data:image/gif;base64,R0lGODlh', false],
  ['data:image/svg+xml;base64,PHN2Zz4=', false],
  ['data:text/html;base64,PHNjcmlwdD4=', false],
])('a file is validated by its type and its first bytes: %s', (file, isAccepted) => {
  expect(isDocumentFile(file)).toBe(isAccepted)
})

test('the size of files is that of their bytes', () => {
  expect(filesBytes([`data:image/png;base64,${Buffer.alloc(3000).toString('base64')}`])).toBe(3000)
})
