import { randomUUID } from 'node:crypto'
import { closestName } from '#lib/shared/closest-name.ts'
import { amount, type Amount } from '#lib/shared/money.ts'
import { fail, ok, type Result } from '#lib/shared/result.ts'

/**
 * An expression in `${…}` of a scenario: paths into variables (`account.cards[0].id`, `body['x-y']`), numbers, texts in
 * single quotes, + and - in decimal arithmetic, and four functions. There is nothing else, so a scenario cannot run code.
 */
export type Expression = {
  /** The variables that it reads. */
  roots: readonly string[]
  /** The keys of a path without variables in it; null for every other expression. */
  path: Path | null
  /** Throws `ExpressionError` for a path that leads nowhere and for arithmetic with no numbers. */
  evaluate: (scope: Scope) => unknown
}

/** Thrown while an expression is parsed or evaluated; the message is for people. */
export class ExpressionError extends Error {}

export type Scope = Readonly<Record<string, unknown>>

/** The fields and indexes that lead to a value: `['body', 'cards', 0]`. */
export type Path = readonly (string | number)[]

/** The value of `omit()`: the field or item that has it is left out. */
const omitted = Symbol('omitted')

type ScenarioFunction = { arity: number; run: (...parts: unknown[]) => unknown }

const functions: Readonly<Record<string, ScenarioFunction>> = {
  omit: { arity: 0, run: () => omitted },
  uuid: { arity: 0, run: () => randomUUID() },
  length: { arity: 1, run: (value) => (Array.isArray(value) ? value.length : String(value).length) },
  /** The first item of a list whose field has the value. */
  find: { arity: 3, run: findItem },
}

function findItem(list: unknown, field: unknown, value: unknown): unknown {
  const found = (Array.isArray(list) ? list : []).find(
    (item: unknown) => typeof item === 'object' && item !== null && Reflect.get(item, String(field)) === value,
  ) as unknown
  if (found === undefined)
    throw new ExpressionError(`no item of the list has ${String(field)} ${JSON.stringify(value)}`)
  return found
}

function decimal(value: unknown): Amount {
  try {
    if (typeof value === 'number' || typeof value === 'string') return amount(value)
  } catch {
    // Not a number either.
  }
  throw new ExpressionError(`${JSON.stringify(value)} is not a number`)
}

/** Parses an expression. The problem is a text for people, without a full stop. */
export function parseExpression(source: string): Result<Expression, string> {
  try {
    const tokens = tokenize(source)
    const expression = parseSum(tokens)
    const [rest] = tokens
    return rest === undefined ? ok(expression) : fail(`${rest} isn’t expected here`)
  } catch (error) {
    if (error instanceof ExpressionError) return fail(error.message)
    throw error
  }
}

/** Numbers, texts with their quotes, names and signs, in order. The parsers below take theirs from the front. */
function tokenize(source: string): string[] {
  const pattern = /\s*(\d+(?:\.\d+)?|'[^']*'|[A-Za-z_]\w*|[-+(),.[\]])/y
  const tokens: string[] = []
  for (let at = 0; source.slice(at).trim() !== ''; at = pattern.lastIndex) {
    pattern.lastIndex = at
    const token = pattern.exec(source)?.[1]
    if (token === undefined) throw new ExpressionError(`${source.slice(at).trim()[0]} isn’t part of an expression`)
    tokens.push(token)
  }
  return tokens
}

const isName = (token: string) => /^[A-Za-z_]/.test(token)

function takeSign(tokens: string[], sign: string): void {
  if (tokens.shift() !== sign) throw new ExpressionError(`${sign} is missing`)
}

/** Values with + and - between them, from left to right. */
function parseSum(tokens: string[]): Expression {
  let sum = parseValue(tokens)
  while (tokens[0] === '+' || tokens[0] === '-') {
    const isPlus = tokens.shift() === '+'
    const [left, right] = [sum, parseValue(tokens)]
    const add = (scope: Scope) => {
      const [first, second] = [decimal(left.evaluate(scope)), decimal(right.evaluate(scope))]
      return Number((isPlus ? first.plus(second) : first.minus(second)).toSignificantDigits(15).toString())
    }
    sum = { roots: [...left.roots, ...right.roots], path: null, evaluate: add }
  }
  return sum
}

function parseValue(tokens: string[]): Expression {
  const token = tokens.shift()
  if (token === undefined) throw new ExpressionError('a value is expected here')
  if (isName(token)) return tokens[0] === '(' ? parseCall(token, tokens) : parsePath(token, tokens)
  if (!/^['\d]/.test(token)) throw new ExpressionError(`${token} isn’t expected here`)
  const value = token.startsWith("'") ? token.slice(1, -1) : Number(token)
  return { roots: [], path: null, evaluate: () => value }
}

function parseCall(name: string, tokens: string[]): Expression {
  const called = Object.hasOwn(functions, name) ? functions[name] : undefined
  if (!called) {
    const names = Object.keys(functions)
    const closest = closestName(name, names)
    const meant = closest === null ? '' : `; ${closest} may be meant`
    throw new ExpressionError(`${name} isn’t a function; there are ${names.join(', ')}${meant}`)
  }
  takeSign(tokens, '(')
  const parts: Expression[] = []
  while (tokens[0] !== ')') {
    if (parts.length > 0) takeSign(tokens, ',')
    parts.push(parseSum(tokens))
  }
  takeSign(tokens, ')')
  if (parts.length !== called.arity) {
    throw new ExpressionError(`${name} takes ${called.arity} values, not ${parts.length}`)
  }
  const keys = parseKeys(tokens)
  return {
    roots: [...parts.flatMap(({ roots }) => roots), ...rootsIn(keys)],
    path: null,
    evaluate: (scope) => {
      const value = called.run(...parts.map((part) => part.evaluate(scope)))
      return valueAt({ [name]: value }, name, evaluateKeys(keys, scope))
    },
  }
}

function parsePath(root: string, tokens: string[]): Expression {
  const keys = parseKeys(tokens)
  const fixed = keys.filter((key) => typeof key !== 'object')
  return {
    roots: [root, ...rootsIn(keys)],
    path: fixed.length === keys.length ? [root, ...fixed] : null,
    evaluate: (scope) => valueAt(scope, root, evaluateKeys(keys, scope)),
  }
}

type Key = string | number | Expression

/** The fields and indexes behind a value: `.cards[0].id`. */
function parseKeys(tokens: string[]): Key[] {
  const keys: Key[] = []
  while (tokens[0] === '.' || tokens[0] === '[') {
    if (tokens.shift() === '.') {
      const field = tokens.shift()
      if (field === undefined || !isName(field)) throw new ExpressionError('a field is expected here')
      keys.push(field)
    } else {
      const key = parseSum(tokens)
      keys.push(key.roots.length === 0 ? asKey(key.evaluate({})) : key)
      takeSign(tokens, ']')
    }
  }
  return keys
}

const rootsIn = (keys: readonly Key[]) => keys.flatMap((key) => (typeof key === 'object' ? key.roots : []))

const evaluateKeys = (keys: readonly Key[], scope: Scope) =>
  keys.map((key) => (typeof key === 'object' ? asKey(key.evaluate(scope)) : key))

function asKey(value: unknown): string | number {
  if (typeof value === 'string' || typeof value === 'number') return value
  throw new ExpressionError(`${JSON.stringify(value)} is neither a field nor an index`)
}

/** The value of a path without variables in it; undefined for any other text and where it leads nowhere. */
export function lookUpPath(value: Scope, path: string): unknown {
  const parsed = parseExpression(path)
  return parsed.ok && parsed.value.path ? lookUp(value, parsed.value.path) : undefined
}

function valueAt(scope: Scope, root: string, keys: Path): unknown {
  if (!Object.hasOwn(scope, root)) throw new ExpressionError(`there is no value ${root}`)
  const found = lookUp(scope[root], keys)
  if (found === undefined) throw new ExpressionError(`${pathText([root, ...keys])} has no value`)
  return found
}

/** The value at a path; undefined where a step of it leads nowhere. */
export function lookUp(value: unknown, keys: Path): unknown {
  let found = value
  for (const key of keys) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = Reflect.get(found, key)
  }
  return found
}

/** `body.cards[0].status` from its keys. */
function pathText(keys: Path): string {
  return keys.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`
    if (!/^[A-Za-z_]\w*$/.test(key)) return `${text}['${key}']`
    return text === '' ? key : `${text}.${key}`
  }, '')
}

/** Parses a text with `${…}` in it: its texts and expressions, in turn. The problem is a text without a full stop. */
export function parseTemplate(template: string): Result<(string | Expression)[], string> {
  const parts: (string | Expression)[] = []
  let at = 0
  for (const match of template.matchAll(/\$\{([^}]*)(?:\}|$)/g)) {
    if (match.index > at) parts.push(template.slice(at, match.index))
    if (!match[0].endsWith('}')) return fail('${ isn’t closed by }')
    const parsed = parseExpression(match[1] ?? '')
    if (!parsed.ok) return parsed
    parts.push(parsed.value)
    at = match.index + match[0].length
  }
  if (at < template.length) parts.push(template.slice(at))
  return ok(parts)
}

/**
 * A JSON value with every `${…}` of its texts replaced. A text that is one expression becomes its value, with its type.
 * Values that are `omit()` are left out, unless `keepsOmitted`: a fragment's variable may be one. Throws `ExpressionError`.
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
  if (!parsed.ok) throw new ExpressionError(parsed.error)
  const values = parsed.value.map((part) => (typeof part === 'string' ? part : part.evaluate(scope)))
  if (values.length === 1) return values[0]
  const toText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  return values.map((value) => (value === omitted ? '' : toText(value))).join('')
}
