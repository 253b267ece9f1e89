import { consoleSettings } from '#lib/settings/console-settings.ts'
import { isFields, parseJson } from '#lib/shared/json.ts'
import { type Permission, unmaskingPermissions } from './permissions.ts'

/** How a value is hidden while enough remains to recognise it. */
type Mask = (value: string, parent: Readonly<Record<string, unknown>>, openKeys: readonly string[]) => string

type MaskRow = {
  shape: string
  /** The last segments of the field's path, without list positions: `account.phoneNumber`. */
  paths: readonly string[]
  mask: Mask
  /** The permission to read the value in full. */
  needs: (typeof unmaskingPermissions)[number]
}

const maskRow =
  (needs: MaskRow['needs']) =>
  (shape: string, mask: Mask, ...paths: string[]): MaskRow => ({ shape, paths, mask, needs })
const personal = maskRow('personal-data.read')
const bank = maskRow('bank-accounts.read')

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
  personal('references', maskMetadataText, 'xmetadata', 'Xmetadata'),
  personal('value of metadata by which accounts are grouped', maskText, 'group'),
  personal('note', maskText, 'notes.text', 'items.text'),
  personal('what a person wrote about an action', maskText, 'comment', 'reason', 'decisionReason'),
  bank('event payload', maskPayload, 'body'),
  bank('logged request', maskJson, 'requestBody', 'responseBody'),
  bank('request of an audit entry', maskJson, 'request.body'),
]

/**
 * The value with every field of the table masked that these permissions do not show in full; what holds none of them is the same object.
 * Metadata has keys of anybody's choice: only the values of `openKeys` are shown.
 */
export function masked<Value>(
  value: Value,
  permissions: readonly Permission[],
  openKeys: readonly string[] = consoleSettings().openMetadataKeys,
): Value {
  const lacking = unmaskingPermissions.filter((permission) => !permissions.includes(permission))
  if (lacking.length === 0) return value
  return mask(value, '', '', {}, { masks: masksFor(lacking), openKeys }) as Value
}

/** By the last segment of a field's path, the masks by the segment before it; '' is any. */
type Masks = ReadonlyMap<string, ReadonlyMap<string, Mask>>
const masksByLacking = new Map<string, Masks>()

/** Every response is masked: the table is arranged once for those who lack the same permissions. */
function masksFor(lacking: readonly MaskRow['needs'][]): Masks {
  const made = masksByLacking.get(lacking.join()) ?? arrange(maskTable.filter((row) => lacking.includes(row.needs)))
  masksByLacking.set(lacking.join(), made)
  return made
}

const masksOfAll = () => masksFor(unmaskingPermissions)

function arrange(rows: readonly MaskRow[]): Masks {
  const masks = new Map<string, Map<string, Mask>>()
  for (const { paths, mask } of rows) {
    for (const path of paths) {
      const [key = '', parentKey = ''] = path.split('.').toReversed()
      masks.set(key, (masks.get(key) ?? new Map<string, Mask>()).set(parentKey, mask))
    }
  }
  return masks
}

function mask(
  value: unknown,
  parentKey: string,
  key: string,
  parent: Readonly<Record<string, unknown>>,
  by: { masks: Masks; openKeys: readonly string[] },
): unknown {
  const { masks, openKeys } = by
  const ofKey = masks.get(key)
  const own = ofKey && (ofKey.get(parentKey) ?? ofKey.get(''))
  if (typeof value === 'string') return own ? own(value, parent, openKeys) : value
  if (typeof value === 'number' && own) {
    const text = own(String(value), parent, openKeys)
    return text === String(value) ? value : text
  }
  if (own === maskMetadataText) return maskMetadata(value, openKeys)
  if (Array.isArray(value)) {
    const items = value.map((item) => mask(item, parentKey, key, parent, by))
    return items.some((item, at) => item !== value[at]) ? items : value
  }
  if (typeof value !== 'object' || value === null) return value
  // Free JSON: each text in it by the name of its key.
  if (own) return own === hide ? hidden(value) : maskFree(value, openKeys)
  const fields = value as Record<string, unknown>
  let copy: Record<string, unknown> | undefined
  for (const name of Object.keys(fields)) {
    const shown = mask(fields[name], key, name, fields, by)
    if (shown !== fields[name]) (copy ??= { ...fields })[name] = shown
  }
  return copy ?? value
}

/** `+85291234567` → `•••• 4567`. */
function maskPhone(value: string): string {
  // Of a number that the service masked, only what follows its mask is the end: `+852***33`.
  const digits = (value.split(/[*•]/).at(-1) ?? '').replaceAll(/\D/g, '')
  if (digits === '') return hide(value)
  if (/[*•]/.test(value)) return `•••• ${digits.slice(-4)}`
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

// It begins where a word begins: within one, each place would be tried in vain.
const emails = /(?<![^\s@<>"',;:])[^\s@<>"',;:]+@[^\s@<>"',;:]+\.[^\s@<>"',;:]+/g
const internationalPhones = /\+\d(?:[\s().-]*\d){7,14}/g
/** With the country's code, or a mobile number as people write it, in two groups: eight digits alone may be an amount or an id. */
const hongKongPhones =
  /(?<![\p{L}\p{N}_+.,-]|\p{N}\s)(?:(?:00)?852[\s-]?[2-9]\d{3}[\s-]?\d{4}|[5679]\d{3}\s\d{4})(?![\p{L}\p{N}_-]|[\s.,]\p{N})/gu

/** E-mail addresses, international phone numbers and those of Hong Kong in a free text. */
function maskText(value: string): string {
  return value
    .replaceAll(emails, maskEmail)
    .replaceAll(internationalPhones, maskPhone)
    .replaceAll(hongKongPhones, maskPhone)
}

/** Metadata of which only the open keys are shown; an e-mail address or a phone number is masked there, too. */
function maskMetadata(value: unknown, openKeys: readonly string[]): unknown {
  if (!isFields(value)) return hidden(value)
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      maskText(key),
      openKeys.includes(key) ? maskFree(item, openKeys) : hidden(item),
    ]),
  )
}

/** Metadata as the text of JSON, as in a file; any other text is hidden. */
function maskMetadataText(text: string, _: unknown, openKeys: readonly string[]): string {
  const value = parseJson(text)
  return isFields(value) ? JSON.stringify(maskMetadata(value, openKeys)) : hide(text)
}

/** Names that other systems give to personal data in a body of a request or an event. */
const names: readonly [RegExp, (value: string) => string][] = [
  [/e-?mail/i, maskEmail],
  [/phone|mobile|msisdn|whatsapp/i, maskPhone],
  [/iban|account_?-?(?:no|num)|bank_?-?account/i, maskAccountNumber],
  [/address|passport|identity_?-?(?:no|num)|birth|verification_?-?code|\botp\b/i, hide],
]

function namesPersonalData(key: string): boolean {
  return names.some(([pattern]) => pattern.test(key))
}

function maskNamed(name: string, value: string): string {
  const [, mask] = names.find(([pattern]) => pattern.test(name)) ?? []
  return mask ? mask(value) : maskText(value)
}

/** JSON of another shape: by the table where the parent's name tells what a field is (`document.number`), else by the field's name. */
function maskFree(value: unknown, openKeys: readonly string[], key = '', parentKey = ''): unknown {
  if (key === 'xmetadata') return maskMetadata(value, openKeys)
  const own = parentKey === '' ? undefined : masksOfAll().get(key)?.get(parentKey)
  if (own && (typeof value === 'string' || typeof value === 'number')) return own(String(value), {}, openKeys)
  if (typeof value === 'string') return maskNamed(key, value)
  if (typeof value === 'number') return namesPersonalData(key) ? maskNamed(key, String(value)) : value
  if (Array.isArray(value)) return value.map((item) => maskFree(item, openKeys, key, parentKey))
  if (typeof value !== 'object' || value === null) return value
  // All that is within an address is the address.
  const nameFor = (name: string) => (namesPersonalData(key) && !namesPersonalData(name) ? key : name)
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [maskText(name), maskFree(item, openKeys, nameFor(name), key)]),
  )
}

/** JSON as text, such as the request of an operation. */
function maskJson(text: string, _: unknown, openKeys: readonly string[]): string {
  const value = parseJson(text)
  return value === undefined ? maskText(text) : JSON.stringify(maskFree(value, openKeys))
}

/** The payload of an event. Of an unknown event, whose fields may hold anything, no text is shown. */
function maskPayload(
  text: string,
  { isKnown, event }: Readonly<Record<string, unknown>>,
  openKeys: readonly string[],
): string {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null) return hide(text)
  const isOpen = isKnown !== true || String(event).endsWith('verification-code-delivered')
  if (!isOpen) return JSON.stringify(maskFree(value, openKeys))
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
