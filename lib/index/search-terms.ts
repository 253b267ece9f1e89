import 'server-only'
import { getRoman } from 'cantonese-romanisation'
import { Converter } from 'opencc-js'
import { pinyin } from 'pinyin-pro'
import { editDistance } from '#lib/shared/edit-distance.ts'
import { isPhoneNumber, phoneDigits } from './phone-numbers.ts'

/*
 * Records are found by terms: words, Chinese characters, spellings, ends of ids. A row's terms are one `tsvector`; a search is a
 * `tsquery`. A term that is no word begins with the mark of its kind, so that no kind finds another.
 */
const marks = { end: '~', phone: '+', email: '@', misspelling: '?' } as const

// Half a second and 1.2 MB of dictionaries: read when the first Chinese name comes.
const converters = new Map<string, (text: string) => string>()

function converted(text: string, from: 'hk' | 'cn', to: 'hk' | 'cn'): string {
  if (!/\p{Script=Han}/u.test(text)) return text
  const convert = converters.get(from) ?? Converter({ from, to })
  converters.set(from, convert)
  return convert(text)
}

const notDecomposed: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ı: 'i' }

/** Lower case, without accents, Chinese in simplified characters. */
export function fold(text: string): string {
  const bare = text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .normalize('NFC')
    .toLowerCase()
  const plain = bare.replaceAll(/[ßæœøłđı]/g, (letter) => notDecomposed[letter] ?? letter)
  return converted(plain, 'hk', 'cn')
}

const wordPattern = /\p{Script=Han}+|(?:(?!\p{Script=Han})[\p{L}\p{N}])+/gu
const isHan = (word: string) => /^\p{Script=Han}/u.test(word)

/** The words of a folded text. A run of Chinese characters is one. */
function splitWords(text: string): string[] {
  return text.match(wordPattern)?.slice(0, 24) ?? []
}

/** Longer words are company names and ids, which nobody misspells in full. */
const longestMisspelled = 20
/** A name of more words is searched word by word only. */
const longestJoined = 5

/** The word, and the word without each one of its letters: two words have one in common if a slip of the finger is between them. */
function misspellings(word: string): string[] {
  const letters = [...word]
  if (letters.length < 3 || letters.length > longestMisspelled || /\d/.test(word)) return []
  return [word, ...letters.map((_, at) => letters.toSpliced(at, 1).join(''))].map((key) => marks.misspelling + key)
}

/** Neighbouring words in one, as in `taiman`, and all of them with the first one last. */
function joined(words: readonly string[]): string[] {
  if (words.length < 2 || words.length > longestJoined) return []
  const runs = words.flatMap((_, from) =>
    words.slice(from + 1).map((__, more) => words.slice(from, from + more + 2).join('')),
  )
  return [...runs, [...words.slice(1), words[0]].join('')]
}

/** Chinese names as they are written in Latin letters: Mandarin in pinyin, Cantonese as Hong Kong's documents have it. */
function romanisations(run: string): string[] {
  const mandarin = pinyin(run, { toneType: 'none', type: 'array', v: true, surname: 'head' })
  const withoutUmlaut = mandarin.some((syllable) => syllable.includes('v'))
    ? ['u', 'yu'].map((vowel) => mandarin.map((syllable) => syllable.replace('v', vowel)))
    : []
  const cantonese = combinations(
    getRoman(converted(run, 'cn', 'hk')).map((spellings, at) => spelledOr(spellings, run[at])),
  )
  return [mandarin, ...withoutUmlaut, ...cantonese].flatMap((syllables) => [...syllables, ...joined(syllables)])
}

/** 子 is Tsz in most names, which the table of spellings has for its homophones only. */
function spelledOr(spellings: readonly string[], character = ''): readonly string[] {
  if (spellings.length === 0) return [character]
  return spellings.includes('ji') && !spellings.includes('tsz') ? [...spellings, 'tsz'] : spellings
}

const mostCombinations = 24

/** One spelling of each character in every combination, up to a bound. */
function combinations(choices: readonly (readonly string[])[]): string[][] {
  let found: string[][] = [[]]
  for (const spellings of choices) {
    const longer = found.flatMap((row) => spellings.map((spelling) => [...row, spelling]))
    found = longer.length > mostCombinations ? found.map((row) => [...row, spellings[0] ?? '']) : longer
  }
  return found
}

const nameTerms = new Map<string, readonly string[]>()
const mostNames = 5000

/** Terms that find a name: its words in any order, joined, misspelled by a letter, and its Chinese part in Latin letters. */
export function termsOfName(name: string | null): readonly string[] {
  if (!name) return []
  const cached = nameTerms.get(name)
  if (cached) return cached
  const found = namesTerms(name.slice(0, 200))
  // Every reading brings the same names again.
  if (nameTerms.size >= mostNames) nameTerms.clear()
  nameTerms.set(name, found)
  return found
}

function namesTerms(name: string): string[] {
  const folded = fold(name)
  const words = splitWords(folded)
  // O'Brien is found by `o`, `brien` and `obrien`.
  const closed = splitWords(folded.replaceAll(/['’]/g, '')).filter((word) => !isHan(word))
  const latin = [...new Set([...words.filter((word) => !isHan(word)), ...closed])]
  const spelled = words.filter(isHan).slice(0, 4).flatMap(romanisations)
  const misspelled = latin.length > 0 ? latin : spelled
  return [
    ...latin,
    ...joined(closed),
    ...words.filter(isHan).flatMap((run) => [...run]),
    ...spelled,
    ...misspelled.flatMap(misspellings),
  ]
}

function compact(text: string): string {
  return splitWords(fold(text)).join('')
}

function reversed(text: string): string {
  return [...text].toReversed().join('')
}

/** Terms that find an id: all of it, its beginning and its end, with its separators or without. */
export function termsOfId(id: string | null): string[] {
  const whole = compact(id ?? '')
  return whole === '' ? [] : [whole, marks.end + reversed(whole)]
}

/** Terms that find an external id: those of an id, and its parts. */
export function termsOfXid(xid: string | null): string[] {
  return [...termsOfId(xid), ...splitWords(fold(xid ?? ''))]
}

/** A phone number is found by its end, so that the prefix of its country may be left out. */
export function termsOfPhone(phone: unknown): string[] {
  const digits = typeof phone === 'string' ? phoneDigits(phone) : ''
  return digits === '' ? [] : [marks.phone + reversed(digits)]
}

export function termsOfEmail(email: unknown): string[] {
  return typeof email === 'string' && email.includes('@') ? [marks.email + email.trim().toLowerCase()] : []
}

/** A `tsvector` as text. Terms of more than 200 characters cannot be stored beside others, and nobody types them. */
export function toTsvector(terms: readonly string[]): string {
  return [...new Set(terms)]
    .filter((term) => term.length > 0 && term.length <= 200 && !term.includes('\0'))
    .map(quoted)
    .join(' ')
}

function quoted(term: string): string {
  return `'${term.toWellFormed().replaceAll(/['\\]/g, '$&$&')}'`
}

/** How strictly a term has to match: as a whole word, as the beginning of one, or with a letter wrong. */
export type Strictness = 'whole' | 'beginning' | 'misspelled'
export const strictnesses: readonly Strictness[] = ['whole', 'beginning', 'misspelled']

export type SearchText = {
  /** Each is in the record: words, or one of several readings of the same text. */
  terms: readonly string[]
  /** Digits of a phone number, without the sign of the country. */
  phone: string | null
  email: string | null
  /** The last four digits of a card. */
  last4: string | null
  /** An id, or an end of one. */
  id: string | null
  /** Beginning and end of an id that was copied as the screen shortens it, such as `8d7b…e57a`. */
  shortenedId: readonly [beginning: string, end: string] | null
  /** Folded, with single spaces. */
  text: string
}

const mostTerms = 8

/** Prefixes that the screen puts before a card's last four digits: `•7554`, `**** 7554`, `Card ending 7554`. */
const beforeLast4 = /(?:^|(?<= ))(?:card )?(?:ending (?:in )?)?[•*]*(?=\d{4}(?: |$))/g

/** An id as `shortId` has it, folded. */
const shortened = /^([a-z0-9]{4})\.{3}([a-z0-9]{4})$/

/** Typed text as search terms. */
export function parseSearchText(q: string): SearchText {
  const text = fold(q.trim()).replaceAll(/\s+/g, ' ').replaceAll(beforeLast4, '')
  const parts = text.split(' ').filter(Boolean).slice(0, mostTerms)
  const compacted = compact(text)
  const [, beginning, end] = shortened.exec(text) ?? []
  return {
    terms: parts.flatMap((part) => {
      const words = splitWords(part)
      return words.length === 0 ? [] : [words.some(isHan) ? words.join(' ') : part]
    }),
    // Four digits may be the end of a number that the screen masks.
    phone: isPhoneNumber(text) ? phoneDigits(text) : /^\d{4}$/.test(text) ? text : null,
    email: /^\S+@\S*$/.test(text) ? text : null,
    last4: parts.find((part) => /^\d{4}$/.test(part)) ?? null,
    id: !/[ @]/.test(text) && compacted.length >= 4 && /^[a-z0-9]+$/.test(compacted) ? compacted : null,
    shortenedId: beginning !== undefined && end !== undefined ? [beginning, end] : null,
    text,
  }
}

/** The search without its last four digits. */
export function withoutLast4(search: SearchText): SearchText {
  const at = search.terms.indexOf(search.last4 ?? '')
  return at === -1 ? search : parseSearchText(search.terms.toSpliced(at, 1).join(' '))
}

/** A `tsquery` as text; null where nothing is searched. */
export function toTsquery({ terms, id, shortenedId }: SearchText, strictness: Strictness): string | null {
  if (terms.length === 0) return null
  if (shortenedId !== null) {
    const [beginning, end] = shortenedId
    return `${quoted(beginning)}:* & ${quoted(marks.end + reversed(end))}:*`
  }
  const words = terms
    .map((term, at) => alternatives(term, strictness, at === terms.length - 1))
    .map((any) => `(${any.join(' | ')})`)
    .join(' & ')
  return id === null || strictness === 'misspelled'
    ? words
    : `${words} | ${quoted(id)}:* | ${quoted(marks.end + reversed(id))}:*`
}

/** Beside a letter wrong, only the last term may be unfinished: each beginning is looked up in every term that has it. */
function alternatives(term: string, strictness: Strictness, isLast: boolean): string[] {
  const words = splitWords(term)
  if (words.some(isHan)) {
    return [
      words
        .flatMap((word) => (isHan(word) ? [...word] : [word]))
        .map(quoted)
        .join(' & '),
    ]
  }
  const end = strictness === 'beginning' || (strictness === 'misspelled' && isLast) ? ':*' : ''
  // Only the last word of a term may be unfinished.
  const all = words.map((word, at) => quoted(word) + (at === words.length - 1 ? end : '')).join(' & ')
  const whole = words.length > 1 ? [`(${all})`, quoted(words.join('')) + end] : [all]
  return strictness === 'misspelled' ? [...whole, ...misspellings(words.join('')).map(quoted)] : whole
}

/** A `tsquery` for a phone number or an e-mail address; null where neither was typed. */
export function toContactQuery({ phone, email }: SearchText): string | null {
  const found = [
    ...(phone === null ? [] : [marks.phone + reversed(phone)]),
    ...(email === null ? [] : [marks.email + email]),
  ]
  return found.length === 0 ? null : found.map((term) => `${quoted(term)}:*`).join(' | ')
}

/**
 * How far a record is from what was typed: 0 where each term is one of its words, and each of its name's words was typed. `found` are the
 * terms of the record.
 */
export function nameDistance({ terms }: SearchText, found: readonly string[], name: string): number {
  const words = found.filter((term) => !Object.values<string>(marks).includes(term.charAt(0)))
  const all = new Set(words)
  const typed = terms.reduce((sum, term) => sum + distanceOfTerm(term, all, words), 0)
  const left = splitWords(name).filter((word) => !isHan(word))
  for (const term of terms) {
    const at = left.findIndex((word) => word.startsWith(term) || editDistance(word, term) <= 1)
    if (at !== -1) left.splice(at, 1)
  }
  return typed + left.length * distanceOfMissing
}

/** Less than any letter that is wrong. */
const distanceOfMissing = 0.1

function distanceOfTerm(term: string, all: ReadonlySet<string>, words: readonly string[]): number {
  const parts = splitWords(term)
  const whole = parts.join('')
  if (all.has(whole) || parts.every((part) => (isHan(part) ? [...part].every((one) => all.has(one)) : all.has(part))))
    return 0
  if (words.some((word) => word.startsWith(whole))) return 0.5
  return 1 + Math.min(...words.map((word) => editDistance(whole, word)), whole.length)
}
