import { deepestLevels } from '#lib/shared/json.ts'
import { fail, ok, type Result } from '#lib/shared/result.ts'

/** Where a text stops being JSON that can be sent unchanged, and why. Lines and columns count from 1. */
type JsonProblem = { line: number; column: number; problem: string }

/**
 * Reads JSON that people write. Beyond what JSON.parse refuses, it refuses what would silently become something else: a key
 * that occurs twice, the key `__proto__`, a number with more digits than a JSON number carries, NUL and half a character.
 */
export function readJsonText(text: string): Result<unknown, JsonProblem> {
  const reader = { text, at: 0 }
  try {
    readValue(reader, 0)
    skipSpace(reader)
    if (reader.at < text.length) stop(reader, 'Nothing may follow the value')
    return ok(JSON.parse(text) as unknown)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    const before = text.slice(0, error.at).split('\n')
    return fail({ line: before.length, column: (before.at(-1) ?? '').length + 1, problem: error.message })
  }
}

class Unreadable extends Error {
  readonly at: number
  constructor(at: number, problem: string) {
    super(problem)
    this.name = 'Unreadable'
    this.at = at
  }
}

type Reader = { readonly text: string; at: number }

function stop(reader: Reader, problem: string, at = reader.at): never {
  throw new Unreadable(at, at >= reader.text.length ? `The text ends too early. ${problem}` : problem)
}

function skipSpace(reader: Reader): void {
  while (/[ \t\n\r]/.test(reader.text[reader.at] ?? '')) reader.at += 1
}

/** Takes what a pattern (sticky) matches here, or null. */
function take(reader: Reader, pattern: RegExp): string | null {
  pattern.lastIndex = reader.at
  const [found] = pattern.exec(reader.text) ?? []
  if (found === undefined) return null
  reader.at += found.length
  return found
}

function readValue(reader: Reader, depth: number): void {
  if (depth > deepestLevels) stop(reader, `Values can be nested ${deepestLevels} deep at most`)
  skipSpace(reader)
  const first = reader.text[reader.at]
  if (first === '{') return readObject(reader, depth)
  if (first === '[') return readArray(reader, depth)
  if (first === '"') return void readString(reader)
  if (first === "'") stop(reader, 'Text needs double quotes')
  const start = reader.at
  const number = take(reader, /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y)
  if (number !== null) return requireCarried(reader, number, start)
  if (take(reader, /true|false|null/y) === null) {
    stop(reader, 'Expected a value: text in double quotes, a number, true, false, null, [ or {')
  }
}

/** A JSON number is read as a double by nearly everybody: 15 digits always survive that, more only by chance. */
function requireCarried(reader: Reader, number: string, start: number): void {
  const digits = number
    .replace(/[eE].*$/, '')
    .replace(/\D/g, '')
    .replace(/^0+/, '')
  const isCarried = Number.isFinite(Number(number)) && (digits.length <= 15 || String(Number(number)) === number)
  if (!isCarried)
    stop(reader, 'This number has more digits than a JSON number carries: write it as text in quotes', start)
}

function readString(reader: Reader): string {
  const start = reader.at
  const literal = take(reader, /"(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy)
  if (literal === null) {
    take(reader, /"(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/uy)
    const isEscape = reader.text[reader.at] === '\\'
    stop(
      reader,
      isEscape ? 'This is no escape of JSON' : 'Text ends with a double quote, and a line break in it is \\n',
    )
  }
  const text = JSON.parse(literal) as string
  if (/[\0\p{Cs}]/u.test(text)) stop(reader, 'This text holds NUL or half a character, which cannot be stored', start)
  return text
}

function readObject(reader: Reader, depth: number): void {
  const keys = new Set<string>()
  reader.at += 1
  skipSpace(reader)
  if (reader.text[reader.at] === '}') return void (reader.at += 1)
  for (;;) {
    skipSpace(reader)
    const start = reader.at
    if (reader.text[start] !== '"') stop(reader, 'Expected a key in double quotes')
    const key = readString(reader)
    if (keys.has(key)) stop(reader, `The key “${key}” occurs twice`, start)
    if (key === '__proto__') stop(reader, 'The key “__proto__” cannot be sent', start)
    keys.add(key)
    skipSpace(reader)
    if (reader.text[reader.at] !== ':') stop(reader, 'Expected a colon between key and value')
    reader.at += 1
    readValue(reader, depth + 1)
    if (endsHere(reader, '}')) return
  }
}

function readArray(reader: Reader, depth: number): void {
  reader.at += 1
  skipSpace(reader)
  if (reader.text[reader.at] === ']') return void (reader.at += 1)
  do readValue(reader, depth + 1)
  while (!endsHere(reader, ']'))
}

/** Takes the end, or the comma that another entry follows. */
function endsHere(reader: Reader, end: '}' | ']'): boolean {
  skipSpace(reader)
  const found = reader.text[reader.at]
  if (found !== end && found !== ',') stop(reader, `Expected a comma or ${end}`)
  reader.at += 1
  return found === end
}
