import { parseJson } from '#lib/shared/json.ts'
import type { Permission } from './permissions.ts'

/** How a value is hidden while enough remains to recognise it. */
type Mask = (value: string, parent: Readonly<Record<string, unknown>>) => string

type MaskRow = {
  shape: string
  /** The last segments of the field's path, without list positions: `account.phoneNumber`. */
  paths: readonly string[]
  mask: Mask
  /** The permission to read the value in full. */
  needs: Extract<Permission, 'personal-data.read' | 'bank-accounts.read'>
}

const rowOf =
  (needs: MaskRow['needs']) =>
  (shape: string, mask: Mask, ...paths: string[]): MaskRow => ({ shape, paths, mask, needs })
const personal = rowOf('personal-data.read')
const bank = rowOf('bank-accounts.read')

/** Every masked field, by the shape that has it. Applied wherever data leave lib/console. */
export const maskTable: readonly MaskRow[] = [
  personal('card account', maskPhone, 'phoneNumber'),
  personal('card', maskPhone, 'mobile', 'mobileNumber'),
  personal('card', maskEmail, 'cardEmail'),
  personal(
    'parties of a payout, client identity',
    maskEmail,
    'destination.email',
    'source.email',
    'data.email',
    'account.email',
    'card.email',
  ),
  personal('client identity', maskEmail, 'individual.email'),
  personal('client identity', hide, 'individual.dateOfBirth', 'individual.address'),
  personal('client identity', maskAccountNumber, 'document.number'),
  personal('client identity', maskText, 'rejectionAdditionalInfo'),
  personal('beneficiary', hide, 'accountHolderAddress'),
  bank('beneficiary, ledger entry', maskAccountNumber, 'accountNumber', 'fromAccountNumber', 'toAccountNumber'),
  bank('funding account of a fee', maskAccountNumber, 'account.number'),
  bank('fields that the interface does not name', hide, 'otherFields'),
  personal('references', maskText, 'xmetadata', 'Xmetadata', 'group'),
  personal('note', maskText, 'notes.text', 'items.text'),
  bank('event payload', maskPayload, 'body'),
  bank('logged request', maskJson, 'requestBody', 'responseBody'),
  bank('request of an audit entry', maskJson, 'request.body'),
]

/** A copy of the value in which every field of the table is masked that these permissions do not show in full. */
export function masked<Value>(value: Value, permissions: readonly Permission[]): Value {
  const rows = maskTable.filter(({ needs }) => !permissions.includes(needs))
  if (rows.length === 0) return value
  const masks = new Map(rows.flatMap(({ paths, mask }) => paths.map((path) => [path, mask] as const)))
  return copy(value, '', '', {}, masks) as Value
}

function copy(
  value: unknown,
  parentKey: string,
  key: string,
  parent: Readonly<Record<string, unknown>>,
  masks: ReadonlyMap<string, Mask>,
): unknown {
  const mask = masks.get(`${parentKey}.${key}`) ?? masks.get(key)
  if (typeof value === 'string') return mask ? mask(value, parent) : value
  if (typeof value === 'number' && mask) {
    const text = mask(String(value), parent)
    return text === String(value) ? value : text
  }
  if (Array.isArray(value)) return value.map((item) => copy(item, parentKey, key, parent, masks))
  if (typeof value !== 'object' || value === null) return value
  // Free JSON, such as metadata: each text in it by the name of its key.
  if (mask) return mask === hide ? hidden(value) : maskFree(value)
  const fields = value as Record<string, unknown>
  return Object.fromEntries(Object.entries(fields).map(([name, item]) => [name, copy(item, key, name, fields, masks)]))
}

/** `+85291234567` → `•••• 4567`. */
function maskPhone(value: string): string {
  const digits = value.replaceAll(/\D/g, '')
  if (digits === '') return hide(value)
  return digits.length > 4 ? `•••• ${digits.slice(-4)}` : '••••'
}

/** `olive@example.com` → `o•••@example.com`. */
function maskEmail(value: string): string {
  const at = value.lastIndexOf('@')
  return at > 0 ? `${[...value][0]}•••${value.slice(at)}` : hide(value)
}

/** `004-123456-789` → `•••• 6789`. Four characters are the end of a number already. */
function maskAccountNumber(value: string): string {
  const bare = value.replaceAll(/[^\p{L}\p{N}]/gu, '')
  return bare.length > 4 ? `•••• ${bare.slice(-4)}` : value
}

function hide(value: string): string {
  return value === '' ? '' : '•••'
}

const emails = /[^\s@<>"',;:]+@[^\s@<>"',;:]+\.[^\s@<>"',;:]+/g
const internationalPhones = /\+\d(?:[\s().-]*\d){7,14}/g

/** E-mail addresses and international phone numbers of a free text. */
function maskText(value: string): string {
  return value.replaceAll(emails, maskEmail).replaceAll(internationalPhones, maskPhone)
}

/** Names that other systems give to personal data. */
const names: readonly [RegExp, (value: string) => string][] = [
  [/e-?mail/i, maskEmail],
  [/phone|mobile|msisdn|whatsapp/i, maskPhone],
  [/iban|account_?-?(?:no|num)|bank_?-?account/i, maskAccountNumber],
  [/address|passport|identity_?-?(?:no|num)|birth|verification_?-?code|\botp\b/i, hide],
]

/** Whether a key of free JSON names personal data. */
export function namesPersonalData(key: string): boolean {
  return names.some(([pattern]) => pattern.test(key))
}

function maskNamed(name: string, value: string): string {
  const [, mask] = names.find(([pattern]) => pattern.test(name)) ?? []
  return mask ? mask(value) : maskText(value)
}

function maskFree(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return maskNamed(key, value)
  if (typeof value === 'number') return namesPersonalData(key) ? maskNamed(key, String(value)) : value
  if (Array.isArray(value)) return value.map((item) => maskFree(item, key))
  if (typeof value !== 'object' || value === null) return value
  // All that is within an address is the address.
  const nameFor = (name: string) => (namesPersonalData(key) && !namesPersonalData(name) ? key : name)
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [maskText(name), maskFree(item, nameFor(name))]),
  )
}

/** JSON as text, such as the request of an operation. */
function maskJson(text: string): string {
  const value = parseJson(text)
  return value === undefined ? maskText(text) : JSON.stringify(maskFree(value))
}

/** The payload of an event. Of an unknown event, whose fields may hold anything, no text is shown. */
function maskPayload(text: string, { isKnown, event }: Readonly<Record<string, unknown>>): string {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null) return hide(text)
  const isOpen = isKnown !== true || String(event).endsWith('verification-code-delivered')
  if (!isOpen) return JSON.stringify(maskFree(value))
  const { id, event: name, time, ...rest } = value as Record<string, unknown>
  return JSON.stringify({ id, event: name, ...(hidden(rest) as object), time })
}

function hidden(value: unknown): unknown {
  if (typeof value === 'string') return hide(value)
  if (typeof value === 'number') return '•••'
  if (Array.isArray(value)) return value.map(hidden)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [maskText(name), hidden(item)]))
}
