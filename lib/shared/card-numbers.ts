const uuids = /(\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b)/gi
const shortestNumber = /\d(?:[\s-]*\d){12}/
const digitRuns = /\d(?:[\s-]*\d)*/g

/** The first digits of the numbers of payment cards (ISO/IEC 7812-1). A time in milliseconds, and most ids made of one, begin with 1. */
const firstDigits = '2345689'

/**
 * Whether a text holds what may be a card number: 13 to 19 digits with the first digit of a payment card and a right check digit
 * (Luhn), spaces and hyphens between them allowed; a UUID is none, whatever its digits. Such a text is never searched for,
 * stored, logged or put in a URL.
 */
export function holdsCardNumber(text: string): boolean {
  return maskCardNumbers(text) !== text
}

/** Parameters that a service makes up: ids and tokens of pages. Some are long numbers; none has a space. */
const madeByService = /^(?:ids?|about|pageToken)$|Ids?$/

/** Whether a parameter of an address holds what may be a card number that somebody typed. */
export function isCardNumberTyped(name: string, text: string): boolean {
  return (!madeByService.test(name) || /\s/.test(text)) && holdsCardNumber(text)
}

/** The text with only the last four digits of each possible card number: `•••• 4242`. */
export function maskCardNumbers(text: string): string {
  // Most texts hold no such number, and this runs on every text of every record that is read.
  if (text.length < 13 || !shortestNumber.test(text)) return text
  // A split by a pattern in brackets has the UUIDs themselves at its odd places.
  return text
    .split(uuids)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(digitRuns, maskRun)))
    .join('')
}

/**
 * A run may hold other digits beside the number, such as `12 4242 4242 4242 4242`: every sequence of its groups is tried, each of at
 * most 19 digits, so that the time grows with the length of the run and no faster.
 */
function maskRun(run: string): string {
  let masked = ''
  let rest = 0
  for (let start = 0; start < run.length; start += 1) {
    const end = isDigit(run, start) && !isDigit(run, start - 1) ? findNumberEnd(run, start) : null
    if (end === null) continue
    masked += `${run.slice(rest, start)}•••• ${run.slice(start, end).replaceAll(/\D/g, '').slice(-4)}`
    rest = end
    start = end - 1
  }
  return masked + run.slice(rest)
}

/** The end of the shortest sequence of whole groups from `start` on that may be a card number; null: there is none. */
function findNumberEnd(run: string, start: number): number | null {
  if (!firstDigits.includes(run.charAt(start))) return null
  // The sums of Luhn where the digit read last has the weight 1, and where it has the weight 2: each digit swaps them.
  let sum = 0
  let doubledSum = 0
  let count = 0
  for (let at = start; at < run.length && count < 19; at += 1) {
    if (!isDigit(run, at)) continue
    const digit = Number(run[at])
    const before = sum
    sum = doubledSum + digit
    doubledSum = before + (digit > 4 ? digit * 2 - 9 : digit * 2)
    count += 1
    if (count >= 13 && sum % 10 === 0 && !isDigit(run, at + 1)) return at + 1
  }
  return null
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 48 && code <= 57
}

/**
 * JSON text with every card number masked: in strings, in keys and in numbers, which become text then, at any depth. The rest of
 * the text stays as it is, byte by byte, and so does a value under a name that `keptNames` matches.
 */
export function maskCardNumbersInJson(json: string, keptNames?: RegExp): string {
  let keptAt = -1
  return json.replaceAll(literals, (literal, at: number) => {
    if (at === keptAt) return literal
    const isText = literal.startsWith('"')
    const text = isText ? (JSON.parse(literal) as string) : expandDigits(literal)
    if (isText && keptNames?.test(text)) keptAt = valueStart(json, at + literal.length)
    const masked = maskCardNumbers(text)
    return masked === text ? literal : JSON.stringify(masked)
  })
}

/** Where the value begins of the name that ends at `end`; -1: it is no name. */
function valueStart(json: string, end: number): number {
  const colon = /\s*:\s*/y
  colon.lastIndex = end
  return colon.test(json) ? colon.lastIndex : -1
}

/** String and number literals of valid JSON. */
const literals = /(?<!\\)"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** `4.2e15` is a whole number of 16 digits too; one with more digits than a double has is read as it is written. */
function expandDigits(literal: string): string {
  if (/^-?\d+$/.test(literal)) return literal.replace('-', '')
  const value = Math.abs(Number(literal))
  return Number.isInteger(value) && value < 1e21 ? String(value) : ''
}

const digitRun = /\d(?:[\s-]*\d){11,}/g

/**
 * A message of the service without what may be a card number, and without the number that was sent, `sent`: of each
 * the last four digits are left.
 */
export function withoutCardNumbers(message: string, sent = ''): string {
  const bare = sent.replaceAll(/[\s-]/g, '')
  if (bare.length < 12) return maskCardNumbers(message)
  const withoutSent = message.replaceAll(digitRun, (run) => {
    const digits = run.replaceAll(/\D/g, '')
    return digits.includes(bare) || bare.includes(digits) ? `•••• ${digits.slice(-4)}` : run
  })
  return maskCardNumbers(withoutSent)
}
