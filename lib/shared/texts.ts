/** The text as the beginning of a sentence. */
export function withCapital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** The text in the middle of a sentence. */
export function withoutCapital(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`
}

/** The text with a capital and a full stop, so that more sentences can follow it on the screen. */
export function asSentence(given: string): string {
  const text = given.trim()
  return `${withCapital(text)}${/[.!?…]$/.test(text) ? '' : '.'}`
}

/** `the bank`, `the bank and the amount`, `the bank, the address and the amount`. */
export function listed(nouns: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(nouns)
}

/** The text without what PostgreSQL cannot store: NUL, and halves of surrogate pairs. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd')
}

/** The value with each of its texts as PostgreSQL stores it, so that one bad text fails no reading and no writing. */
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  if (Array.isArray(value)) return value.map(storable)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value ?? null
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [storable(key), storable(item)]))
}

/** A URL, or the path of one, without slashes at its end. The lookbehind keeps the search linear. */
export function withoutTrailingSlashes(text: string): string {
  return text.replace(/(?<!\/)\/+$/, '')
}

/** Whether two texts are the same URL, which a service may keep as it is or in its normal form: `https://A.example` is `https://a.example/`. */
export function sameUrl(one: unknown, other: unknown): boolean {
  const form = (url: unknown) => (typeof url === 'string' && URL.canParse(url) ? new URL(url).href : url)
  return typeof one === 'string' && form(one) === form(other)
}

/** Text as it stands in HTML, also within a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}

/** The words of a name in any order, case and punctuation: `SANTOS/MARIA` is Maria Santos. */
export function nameWords(name: string): string {
  return (
    name
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.toSorted()
      .join(' ') ?? ''
  )
}
