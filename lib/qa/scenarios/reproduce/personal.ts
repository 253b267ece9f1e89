import { asFields } from '#lib/shared/json.ts'

/**
 * Texts that may leave a case: values of the interface's closed sets, codes, amounts, and the names of merchants. Everything else in a
 * record is left out or invented; these functions look at the two kinds of text that stay.
 */

/** Fields of records, at any depth, whose texts are about a person or an account, or name a record. */
const personalFields = new Set([
  'name',
  'phoneNumber',
  'embossedName',
  'cardEmbossedName',
  'mobile',
  'cardEmail',
  'xid',
  'xmetadata',
  'Xmetadata',
  'individual',
  'accountNumber',
  'accountHolderName',
  'accountHolderAddress',
  'bankAddress',
  'rejectionAdditionalInfo',
])
/** Records whose `name` is no person's. */
const namedThings = new Set(['merchant', 'product'])

/** The personal texts of records: names of people apart, since a part of a name says who it is. */
type PersonalTexts = { names: readonly string[]; others: readonly string[] }

function personalTexts(records: unknown): PersonalTexts {
  const names = new Set<string>()
  const others = new Set<string>()
  const collect = (value: unknown, isPersonal: boolean, isName: boolean) => {
    if (typeof value === 'string') {
      if (isPersonal && value.trim().length > 1) (isName ? names : others).add(value.trim())
    } else if (Array.isArray(value)) {
      for (const item of value) collect(item, isPersonal, isName)
    } else {
      for (const [key, inner] of Object.entries(asFields(value))) {
        if (isPersonal && key.trim().length > 1) others.add(key.trim())
        if (!namedThings.has(key)) collect(inner, isPersonal || personalFields.has(key), /name$/i.test(key))
      }
    }
  }
  collect(records, false, false)
  return { names: [...names], others: [...others] }
}

export type PersonalCheck = (text: string) => boolean

/** Shorter texts, such as a department, are words of a language as well. */
const shortestUnlike = 8

/**
 * Whether a text may hold something personal of these records: an e-mail address, a long number, one of their texts, or two words
 * of a name.
 */
export function personalCheck(records: unknown): PersonalCheck {
  const { names, others } = personalTexts(records)
  const texts = [...names, ...others].map(plain)
  const long = texts.filter((text) => text.length >= shortestUnlike)
  const single = new Set(texts.filter((text) => !text.includes(' ')))
  const nameWords = names.map(splitWords).filter((words) => words.length > 1)
  return (text) => {
    if (text.includes('@') || /\d(?:[ -]?\d){6}/.test(text)) return true
    const own = plain(text)
    const words = new Set(splitWords(text))
    return (
      single.has(own) ||
      long.some((one) => own.includes(one)) ||
      nameWords.some((name) => name.filter((word) => words.has(word)).length > 1)
    )
  }
}

function plain(text: string): string {
  return splitWords(text).join(' ')
}

function splitWords(text: string): string[] {
  return (
    text
      .toLowerCase()
      .normalize('NFKD')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
}

const codePattern = /^(?:[a-z]{1,30}(?:[-_][a-z0-9]{1,30}){0,8}|[A-Z]{1,30}(?:_[A-Z0-9]{1,30}){0,8})$/

/** A code of the service, such as `late-payment-fee`; null for any other text, and for one that may hold something personal. */
export function safeCode(text: string | null, isPersonal: PersonalCheck): string | null {
  return text !== null && codePattern.test(text) && !/\d{4}/.test(text) && !isPersonal(text) ? text : null
}

/** The name or category of a merchant as a scenario may have it; null for one that may hold something personal. */
export function merchantText(text: string | null, isPersonal: PersonalCheck): string | null {
  const cleaned = (text ?? '').replaceAll(/[\p{Cc}\p{Cf}]/gu, '').trim()
  return cleaned === '' || cleaned.length > 100 || cleaned.includes('${') || isPersonal(cleaned) ? null : cleaned
}
