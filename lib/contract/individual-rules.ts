import { hourMs } from '#lib/shared/time.ts'
import { isCountryCode } from './countries.ts'
import { e164Pattern } from './terms.ts'

export const genders = ['MALE', 'FEMALE'] as const
/** Decision: the document types of an identity. */
export const identityDocumentTypes = ['HKID', 'PASSPORT', 'NATIONAL_ID'] as const
/** Decision, but for the two sides of the travel permit, which the interface names. */
export const supportingDocumentTypes = [
  'PASSPORT',
  'VISA',
  'ADDRESS_PROOF',
  'TRAVEL_PERMIT_FRONT',
  'TRAVEL_PERMIT_BACK',
] as const
export type SupportingDocumentType = (typeof supportingDocumentTypes)[number]

/** Decision: a plausible e-mail address. */
export const emailPattern =
  /^(?!\.)(?!.*\.\.)([A-Za-z0-9_'+\-.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/

/** The fields of an individual that are text, by their path on the wire, in the order of a form. */
export const individualPaths = [
  'firstName',
  'lastName',
  'dateOfBirth',
  'gender',
  'nationality',
  'mobile',
  'email',
  'address',
  'occupation',
  'position',
  'document.type',
  'document.number',
  'document.country',
  'document.expiryDate',
] as const
export type IndividualPath = (typeof individualPaths)[number]

/** An individual as a person enters it: every field is text, and empty where nothing was entered. */
export type IndividualEntry = Readonly<Record<IndividualPath, string>>

type Rule = (text: string) => string | null

const chosen: Rule = (text) => (text === '' ? 'Select one.' : null)

function longest(length: number): Rule {
  return (text) => (text.length > length ? `Use at most ${length} characters.` : null)
}

const country: Rule = (code) => chosen(code) ?? (isCountryCode(code) ? null : 'Select a country of the list.')

const rules: Record<IndividualPath, Rule> = {
  firstName: longest(100),
  lastName: longest(100),
  dateOfBirth: (text) => dateProblem(text) ?? (isAhead(text) ? 'Enter a date in the past.' : null),
  gender: chosen,
  nationality: country,
  email: (text) =>
    longest(254)(text) ?? (emailPattern.test(text) ? null : 'Enter an email address, such as mei@example.com.'),
  mobile: phoneProblem,
  address: longest(500),
  occupation: chosen,
  position: chosen,
  'document.type': chosen,
  'document.number': longest(64),
  'document.country': country,
  'document.expiryDate': dateProblem,
}

/** The issue of a phone number as it is sent, or null. */
export function phoneProblem(text: string): string | null {
  return e164Pattern.test(text) ? null : 'Start with + and the country code, such as +852 9123 4567.'
}

function dateProblem(text: string): string | null {
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text) && toDay(text) === text
  return isDate ? null : 'Enter a date that exists, as YYYY-MM-DD.'
}

/** Whether the day is after today everywhere on earth. */
function isAhead(day: string): boolean {
  return day > new Date(Date.now() + 14 * hourMs).toISOString().slice(0, 10)
}

/** Whether the text is a day before today, everywhere on earth. */
export function isPastDay(text: string): boolean {
  return dateProblem(text) === null && text < new Date(Date.now() - 12 * hourMs).toISOString().slice(0, 10)
}

/** The day that a text names, in the form of the interface; another text where it names none. */
function toDay(text: string): string {
  const date = new Date(`${text}T00:00:00Z`)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10)
}

/** A phone number as it is sent: without the spaces, brackets and hyphens that people write. */
export function phoneText(text: string): string {
  return text.replaceAll(/[\s()-]/g, '')
}

/** The text of a field as it is sent. */
export function individualText(path: IndividualPath, text: string): string {
  return path === 'mobile' ? phoneText(text) : text.trim()
}

/**
 * The issues of the fields and documents of an individual, as sentences by path; `supportingDocuments` is about all of
 * them. These are the rules of the interface and the decisions of the contract: `Individual` accepts a value without
 * issues here.
 */
export function individualIssues(
  entry: IndividualEntry,
  documentTypes: readonly SupportingDocumentType[],
): Partial<Record<IndividualPath | 'supportingDocuments', string>> {
  const issues: Partial<Record<IndividualPath | 'supportingDocuments', string>> = {}
  for (const path of individualPaths) {
    const text = individualText(path, entry[path])
    const problem = text === '' && rules[path] !== chosen && rules[path] !== country ? 'Enter this.' : rules[path](text)
    if (problem !== null) issues[path] = problem
  }
  const problem = documentsProblem(entry.nationality, documentTypes)
  if (problem !== null) issues.supportingDocuments = problem
  return issues
}

function documentsProblem(nationality: string, types: readonly SupportingDocumentType[]): string | null {
  if (!hasBothSidesOrNone(new Set(types))) return 'Add both sides of the travel permit, or neither.'
  if (!needsDocuments(nationality) || types.length > 0) return null
  return 'Add a document: the nationality is not Hong Kong.'
}

/** The interface: supporting documents are required when the nationality is not HK. */
export function needsDocuments(nationality: unknown): boolean {
  return typeof nationality === 'string' && nationality !== 'HK' && nationality !== ''
}

/** The interface: one side of the travel permit alone is rejected. */
export function hasBothSidesOrNone(types: ReadonlySet<unknown>): boolean {
  return types.has('TRAVEL_PERMIT_FRONT') === types.has('TRAVEL_PERMIT_BACK')
}

/** Decision of the console: the files that it sends as documents. */
export const documentFileTypes = ['image/jpeg', 'image/png', 'application/pdf'] as const
/** Decision of the built-in service: a request has at most 1 MiB, of which the files' base64 is the most. */
export const longestFilesBytes = 700_000

/** How the base64 of a file of each type begins. */
const beginnings: Record<(typeof documentFileTypes)[number], string> = {
  'image/jpeg': '/9j/',
  'image/png': 'iVBORw0KGgo',
  'application/pdf': 'JVBERi0',
}

/** Whether a data URI holds a file of a type that is accepted, by its name and by its first bytes. */
export function isDocumentFile(dataUri: string): boolean {
  return documentFileTypes.some((type) => dataUri.startsWith(`data:${type};base64,${beginnings[type]}`))
}

/** The size of the files of data URIs, in bytes. */
export function filesBytes(dataUris: readonly string[]): number {
  return dataUris.reduce((bytes, uri) => bytes + Math.floor((uri.length - uri.indexOf(',') - 1) * 0.75), 0)
}
