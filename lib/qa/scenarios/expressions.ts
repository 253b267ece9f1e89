import { randomUUID } from 'node:crypto'
import { closestName } from '#lib/shared/closest-name.ts'
import { amount, toWire, type Amount } from '#lib/shared/money.ts'
import { fail, ok, type Result } from '#lib/shared/result.ts'

type Operator = '+' | '-' | '*' | '/'

/**
 * The expressions in `${…}` of a scenario: paths into variables (`account.cards[0].id`, `body['x-y']`), numbers, texts in
 * single quotes, + - * / in decimal arithmetic, and functions. There is nothing else, so a scenario cannot run code.
 */
export type Expression =
  | { kind: 'value'; value: string | number }
  | { kind: 'path'; root: string; keys: (string | number | Expression)[] }
  | { kind: 'call'; name: FunctionName; parts: Expression[]; keys: (string | number | Expression)[] }
  | { kind: 'arithmetic'; operator: Operator; left: Expression; right: Expression }

type FunctionName = keyof typeof functions

/** A problem of an expression at an offset into its text. */
type ExpressionProblem = { offset: number; message: string }

/** Thrown while an expression is evaluated; the message is for people. */
export class ExpressionError extends Error {}

export type Scope = Readonly<Record<string, unknown>>

/** The value of `omit()`: the field or item that has it is left out. */
const omitted = Symbol('omitted')

const functions = {
  omit: { arity: 0, run: () => omitted },
  uuid: { arity: 0, run: () => randomUUID() },
  length: { arity: 1, run: (value: unknown) => (Array.isArray(value) ? value.length : String(value).length) },
  last: { arity: 2, run: (value: unknown, count: unknown) => String(value).slice(-Number(count)) },
  upper: { arity: 1, run: (value: unknown) => String(value).toUpperCase() },
  lower: { arity: 1, run: (value: unknown) => String(value).toLowerCase() },
  /** Rounds half up to a number of decimals. */
  round: { arity: 2, run: (value: unknown, digits: unknown) => toWire(decimal(value).toDecimalPlaces(Number(digits))) },
  /** The first item of a list whose field has the value. */
  find: { arity: 3, run: findItem },
} satisfies Record<string, { arity: number; run: (...values: unknown[]) => unknown }>

function findItem(list: unknown, field: unknown, value: unknown): unknown {
  const found = (Array.isArray(list) ? list : []).find(
    (item: unknown) => typeof item === 'object' && item !== null && Reflect.get(item, String(field)) === value,
  ) as unknown
  if (found === undefined)
    throw new ExpressionError(`no item of the list has ${String(field)} ${JSON.stringify(value)}`)
  return found
}

function decimal(value: unknown): Amount {
  if (typeof value !== 'number' && typeof value !== 'string') {
    throw new ExpressionError(`${JSON.stringify(value)} is not a number`)
  }
  try {
    return amount(value)
  } catch {
    throw new ExpressionError(`${JSON.stringify(value)} is not a number`)
  }
}

const tokenPattern = /\s*(?:(\d+(?:\.\d+)?)|'([^']*)'|([A-Za-z_]\w*)|([-+*/().,[\]]))/y

type Token = { text: string; kind: 'number' | 'text' | 'name' | 'sign'; at: number }

class Unparsed extends Error {
  readonly at: number
  constructor(at: number, message: string) {
    super(message)
    this.at = at
  }
}

/** Parses an expression. A problem carries its offset into the text. */
export function parseExpression(source: string): Result<Expression, ExpressionProblem> {
  try {
    const tokens = tokenize(source)
    const parser = { tokens, index: 0, end: source.length }
    const expression = parseSum(parser)
    const rest = parser.tokens[parser.index]
    if (rest) throw new Unparsed(rest.at, `${rest.text} isn’t expected here`)
    return ok(expression)
  } catch (error) {
    if (!(error instanceof Unparsed)) throw error
    return fail({ offset: error.at, message: error.message })
  }
}

function tokenize(source: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (source.slice(at).trim() !== '') {
    tokenPattern.lastIndex = at
    const match = tokenPattern.exec(source)
    if (!match) throw new Unparsed(at, `${source.slice(at).trim()[0]} isn’t part of an expression`)
    const [whole, number, text, name, sign] = match
    const start = at + whole.length - whole.trimStart().length
    if (number !== undefined) tokens.push({ text: number, kind: 'number', at: start })
    else if (text !== undefined) tokens.push({ text, kind: 'text', at: start })
    else if (name !== undefined) tokens.push({ text: name, kind: 'name', at: start })
    else tokens.push({ text: sign ?? '', kind: 'sign', at: start })
    at += whole.length
  }
  return tokens
}

type Parser = { tokens: Token[]; index: number; end: number }

function peekSign(parser: Parser, ...signs: string[]): string | null {
  const token = parser.tokens[parser.index]
  return token?.kind === 'sign' && signs.includes(token.text) ? token.text : null
}

function takeSign(parser: Parser, sign: string): void {
  const token = parser.tokens[parser.index]
  if (peekSign(parser, sign) === null) throw new Unparsed(token?.at ?? parser.end, `${sign} is expected here`)
  parser.index += 1
}

const parseProduct = (parser: Parser) => parseOperators(parser, ['*', '/'], parseValue)
const parseSum = (parser: Parser) => parseOperators(parser, ['+', '-'], parseProduct)

/** Parts with operators of one rank between them, from left to right. */
function parseOperators(
  parser: Parser,
  operators: readonly Operator[],
  parsePart: (parser: Parser) => Expression,
): Expression {
  let left = parsePart(parser)
  for (let sign = peekSign(parser, ...operators); sign; sign = peekSign(parser, ...operators)) {
    parser.index += 1
    left = { kind: 'arithmetic', operator: sign as Operator, left, right: parsePart(parser) }
  }
  return left
}

function parseValue(parser: Parser): Expression {
  const token = parser.tokens[parser.index]
  if (!token) throw new Unparsed(parser.end, 'a value is expected here')
  parser.index += 1
  if (token.kind === 'number') return { kind: 'value', value: Number(token.text) }
  if (token.kind === 'text') return { kind: 'value', value: token.text }
  if (token.kind === 'name') return peekSign(parser, '(') ? parseCall(parser, token) : parsePath(parser, token.text)
  if (token.text === '-') {
    return { kind: 'arithmetic', operator: '-', left: { kind: 'value', value: 0 }, right: parseValue(parser) }
  }
  if (token.text !== '(') throw new Unparsed(token.at, `${token.text} isn’t expected here`)
  const inner = parseSum(parser)
  takeSign(parser, ')')
  return inner
}

function parseCall(parser: Parser, name: Token): Expression {
  if (!Object.hasOwn(functions, name.text)) {
    const names = Object.keys(functions)
    const closest = closestName(name.text, names)
    const meant = closest === null ? '' : `; ${closest} may be meant`
    throw new Unparsed(name.at, `${name.text} isn’t a function; there are ${names.join(', ')}${meant}`)
  }
  takeSign(parser, '(')
  const parts: Expression[] = []
  while (peekSign(parser, ')') === null) {
    if (parts.length > 0) takeSign(parser, ',')
    parts.push(parseSum(parser))
  }
  takeSign(parser, ')')
  const expected = functions[name.text as FunctionName].arity
  if (parts.length !== expected)
    throw new Unparsed(name.at, `${name.text} takes ${expected} values, not ${parts.length}`)
  return { kind: 'call', name: name.text as FunctionName, parts, keys: parseKeys(parser) }
}

function parsePath(parser: Parser, root: string): Expression {
  return { kind: 'path', root, keys: parseKeys(parser) }
}

/** The fields and indexes behind a value: `.cards[0].id`. */
function parseKeys(parser: Parser): (string | number | Expression)[] {
  const keys: (string | number | Expression)[] = []
  for (let sign = peekSign(parser, '.', '['); sign; sign = peekSign(parser, '.', '[')) {
    parser.index += 1
    if (sign === '[') {
      const key = parseSum(parser)
      keys.push(key.kind === 'value' ? key.value : key)
      takeSign(parser, ']')
    } else {
      const key = parser.tokens[parser.index]
      if (key?.kind !== 'name') throw new Unparsed(key?.at ?? parser.end, 'a field is expected here')
      parser.index += 1
      keys.push(key.text)
    }
  }
  return keys
}

/** The variables that an expression reads. */
export function rootsOf(expression: Expression): string[] {
  switch (expression.kind) {
    case 'value':
      return []
    case 'path':
      return [expression.root, ...expression.keys.flatMap((key) => (typeof key === 'object' ? rootsOf(key) : []))]
    case 'call':
      return [...expression.parts, ...expression.keys.filter((key) => typeof key === 'object')].flatMap(rootsOf)
    case 'arithmetic':
      return [...rootsOf(expression.left), ...rootsOf(expression.right)]
  }
}

/** The value of an expression. Throws `ExpressionError` for a path that leads nowhere and for arithmetic with no numbers. */
export function evaluate(expression: Expression, scope: Scope): unknown {
  switch (expression.kind) {
    case 'value':
      return expression.value
    case 'path':
      return valueAt(scope, expression.root, keysOf(expression.keys, scope))
    case 'call': {
      const { run } = functions[expression.name] as { run: (...values: unknown[]) => unknown }
      const value = run(...expression.parts.map((part) => evaluate(part, scope)))
      return valueAt({ [expression.name]: value }, expression.name, keysOf(expression.keys, scope))
    }
    case 'arithmetic': {
      const [left, right] = [expression.left, expression.right].map((side) => decimal(evaluate(side, scope)))
      return left && right ? calculate(left, expression.operator, right) : null
    }
  }
}

function calculate(left: Amount, operator: '+' | '-' | '*' | '/', right: Amount): number {
  if (operator === '/' && right.isZero()) throw new ExpressionError('a number can’t be divided by 0')
  const results = { '+': () => left.plus(right), '-': () => left.minus(right), '*': () => left.times(right) }
  return Number((operator === '/' ? left.div(right) : results[operator]()).toSignificantDigits(15).toString())
}

/** The keys of a path, with those that are expressions evaluated. Throws `ExpressionError` for one that is no key. */
function keysOf(keys: readonly (string | number | Expression)[], scope: Scope): (string | number)[] {
  return keys.map((key) => {
    const value = typeof key === 'object' ? evaluate(key, scope) : key
    if (typeof value === 'string' || typeof value === 'number') return value
    throw new ExpressionError(`${JSON.stringify(value)} is neither a field nor an index`)
  })
}

/** The value of a path without variables in it; undefined for any other text and where it leads nowhere. */
export function lookUpPath(value: Scope, path: string): unknown {
  const parsed = parseExpression(path)
  if (!parsed.ok || parsed.value.kind !== 'path') return undefined
  const keys = parsed.value.keys.filter((key) => typeof key !== 'object')
  return keys.length === parsed.value.keys.length ? lookUp(value, [parsed.value.root, ...keys]) : undefined
}

function valueAt(scope: Scope, root: string, keys: readonly (string | number)[]): unknown {
  if (!Object.hasOwn(scope, root)) throw new ExpressionError(`there is no value ${root}`)
  const found = lookUp(scope[root], keys)
  if (found === undefined) throw new ExpressionError(`${pathText([root, ...keys])} has no value`)
  return found
}

/** The value at a path; undefined where a step of it leads nowhere. */
function lookUp(value: unknown, keys: readonly (string | number)[]): unknown {
  let found = value
  for (const key of keys) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = Reflect.get(found, key)
  }
  return found
}

/** `body.cards[0].status` from its keys. */
function pathText(keys: readonly (string | number)[]): string {
  return keys.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`
    if (!/^[A-Za-z_]\w*$/.test(key)) return `${text}['${key}']`
    return text === '' ? key : `${text}.${key}`
  }, '')
}

/** Texts and expressions of a template, in turn; offsets are into the template. */
type TemplatePart = { text: string } | { expression: Expression }

const placeholder = /\$\{([^}]*)(?:\}|$)/g

/** Parses a text with `${…}` in it. */
export function parseTemplate(template: string): Result<TemplatePart[], ExpressionProblem> {
  const parts: TemplatePart[] = []
  let at = 0
  for (const match of template.matchAll(placeholder)) {
    if (match.index > at) parts.push({ text: template.slice(at, match.index) })
    if (!match[0].endsWith('}')) return fail({ offset: match.index, message: '${ isn’t closed by }' })
    const parsed = parseExpression(match[1] ?? '')
    if (!parsed.ok) return fail({ offset: match.index + 2 + parsed.error.offset, message: parsed.error.message })
    parts.push({ expression: parsed.value })
    at = match.index + match[0].length
  }
  if (at < template.length) parts.push({ text: template.slice(at) })
  return ok(parts)
}

/**
 * A JSON value with every `${…}` of its texts replaced. A text that is one expression becomes its value, with its type.
 * What is `omit()` is left out, unless `keepsOmitted`: a fragment's variable may be. Throws `ExpressionError`.
 */
export function resolve(value: unknown, scope: Scope, keepsOmitted = false): unknown {
  if (typeof value === 'string') return resolveText(value, scope)
  const isKept = (inner: unknown) => keepsOmitted || inner !== omitted
  if (Array.isArray(value)) return value.map((item) => resolve(item, scope, keepsOmitted)).filter(isKept)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, inner]) => [key, resolve(inner, scope, keepsOmitted)] as const)
      .filter(([, inner]) => isKept(inner)),
  )
}

function resolveText(template: string, scope: Scope): unknown {
  if (!template.includes('${')) return template
  const parsed = parseTemplate(template)
  if (!parsed.ok) throw new ExpressionError(parsed.error.message)
  const values = parsed.value.map((part) => ('text' in part ? part.text : evaluate(part.expression, scope)))
  if (values.length === 1) return values[0]
  const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  return values.map((value) => (value === omitted ? '' : textOf(value))).join('')
}
