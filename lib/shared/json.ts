/** Whether a value is an object of JSON: neither null nor a list. */
export function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The fields of an object of JSON; none of anything else. */
export function asFields(value: unknown): Record<string, unknown> {
  return isFields(value) ? value : {}
}

/** The fields of an object, or of the only item of a list. */
export function firstFields(value: unknown): Record<string, unknown> {
  return asFields(Array.isArray(value) && value.length === 1 ? value[0] : value)
}

/** The text in a field; null where the value is no object, or the field holds no text. */
export function textIn(value: unknown, field: string): string | null {
  const found = isFields(value) && Object.hasOwn(value, field) ? value[field] : null
  return typeof found === 'string' ? found : null
}

/** The value of a JSON text, whole numbers that a script would round as the text of their digits; `otherwise` where it is none. */
export function parseJson(text: string, otherwise?: unknown): unknown {
  try {
    return JSON.parse(text, longDigits.test(text) ? withExactNumber : undefined) as unknown
  } catch {
    return otherwise
  }
}

/** `\d{16}` written out: V8 tries a counted pattern at each place, and of this one passes over most. */
const longDigits = new RegExp(String.raw`\d`.repeat(16))

/** A rounded id may be that of another record. A browser that does not tell the source text rounds. */
function withExactNumber(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source
  const isRounded = typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source ?? '')
  return isRounded ? source : value
}

/** Levels of objects and lists in each other. What walks a value calls itself for each level, and ends at some thousands. */
export const deepestLevels = 200

/** Whether a value of JSON has at most this many levels. */
export function isWithinLevels(value: unknown, levels: number = deepestLevels): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((part) => isWithinLevels(part, levels - 1))
}

/**
 * JSON with line breaks and indents, for reading. Text that is no JSON, is too deep, or has numbers a script cannot hold, stays as it
 * is.
 */
export function indentedJson(text: string): string {
  const value = parseJson(text)
  if (!isWithinLevels(value)) return text
  const compact = text.replaceAll(/((?<!\\)"(?:[^"\\]|\\.)*")|\s+/g, '$1')
  return JSON.stringify(value) === compact ? JSON.stringify(value, null, 2) : text
}

/** JSON with the keys of every object in order, so that the same content is the same text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value ?? null, (_key, part: unknown) =>
    isFields(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  )
}
