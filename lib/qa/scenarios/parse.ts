import { isAlias, isMap, isNode, isSeq, LineCounter, parseDocument, type Document, type Node, type Pair } from 'yaml'
import type { z } from 'zod'
import { fieldIssues } from '#lib/contract/describe-issues.ts'
import { endpointRow } from '#lib/contract/endpoints.ts'
import { eventNames } from '#lib/contract/terms.ts'
import { closestName, didYouMean } from '#lib/shared/closest-name.ts'
import { asFields } from '#lib/shared/json.ts'
import { fail, ok, type Result } from '#lib/shared/result.ts'
import { controlCalls, endpointCalls } from './calls.ts'
import { matcherNames } from './compare.ts'
import { parseExpression, parseTemplate, type Expression } from './expressions.ts'
import { fieldsOfKind, ScenarioFile, stepKinds, type Step, type StepKind } from './schema.ts'
import { savedNames } from './steps.ts'

/** A mistake in a scenario file and its position. Lines and columns count from 1. */
export type Mistake = { line: number; column: number; message: string }

/** A scenario that can be run. `lines` are those of its steps, by the step's path (`steps.0.steps.1`). */
export type Scenario = ScenarioFile & { file: string; lines: ReadonlyMap<string, number>; fragments: Fragments }

/** The fragments that `use` may name. */
export type Fragments = ReadonlyMap<string, Scenario>

const longestFile = 200_000

/** Variables that every scenario has: its run's id, the number of a repetition, its webhook. */
const givenVariables = ['run', 'repeat', 'receiver'] as const

/** The fields of a step's result: the beginnings of the paths of `expect` and `save`. */
const resultFields: Record<Exclude<StepKind, 'use' | 'repeat' | 'receiver'>, readonly string[]> = {
  call: ['status', 'code', 'message', 'body', 'replayed', 'dropped'],
  control: ['status', 'code', 'message', 'body'],
  event: ['event', 'id', 'time', 'data', 'signature'],
  deliveries: ['events', 'count', 'attempts', 'refused', 'pings', 'invalidSignatures', 'last'],
  open: ['status', 'last6'],
}

type Path = readonly (string | number)[]

/**
 * Reads a scenario file. `file` is its name in messages. Otherwise all of its mistakes with their lines and columns: YAML
 * that can't be read, wrong fields, expressions that can't be parsed, variables that nothing sets before they are used.
 */
export function parseScenario(
  text: string,
  file: string,
  fragments: Fragments = new Map(),
): Result<Scenario, Mistake[]> {
  if (text.length > longestFile) {
    return fail([{ line: 1, column: 1, message: `The file must be at most ${longestFile} characters long.` }])
  }
  const counter = new LineCounter()
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false, stringKeys: true })
  const at = (offset: number, message: string): Mistake => {
    const { line, col } = counter.linePos(offset)
    return { line: Math.max(1, line), column: Math.max(1, col), message }
  }
  if (document.errors.length > 0) {
    const unquoted = unquotedExpression(text)
    if (unquoted) return fail([unquoted])
    if (document.errors.some(({ code }) => code === 'MULTIPLE_DOCS')) {
      return fail([at(document.errors[0]?.pos[0] ?? 0, 'A file has one scenario: --- may not stand between two.')])
    }
    return fail(document.errors.map(({ pos, message }) => at(pos[0], `${message.replace(/\.$/, '')}.`)))
  }
  const value = toPlain(document)
  if (!value.ok) return fail([at(0, value.error)])
  const parsed = ScenarioFile.safeParse(value.value)
  if (!parsed.success) {
    const issues = parsed.error.issues.flatMap((issue) => leafIssues(issue, value.value))
    return fail(issues.map(({ path, message, key }) => at(findOffset(document, path, key), message)))
  }
  const problems = checkReferences(parsed.data, fragments)
  if (problems.length > 0) {
    return fail(problems.map(({ path, message, key }) => at(findOffset(document, path, key), message)))
  }
  const lines = new Map(
    [...stepPaths(parsed.data.steps), ...stepPaths(parsed.data.finally ?? [], [], 'finally')].map((path) => [
      path.join('.'),
      at(findOffset(document, path), '').line,
    ]),
  )
  return ok({ ...parsed.data, file, lines, fragments })
}

/** An expression in { } or [ ] of YAML that isn’t quoted, which the parser meets as a brace too many. */
function unquotedExpression(text: string): Mistake | null {
  for (const [index, line] of text.split('\n').entries()) {
    const column = unquotedColumn(line)
    if (column === null) continue
    const message = "An expression within { } or [ ] has to be quoted, such as '${cardId}'."
    return { line: index + 1, column, message }
  }
  return null
}

/** Where in the line it is, from 1; null for none, and where a text is not ended. */
function unquotedColumn(line: string): number | null {
  let isWithin = false
  let before = ''
  for (const { 0: part, index } of line.matchAll(/'[^']*'|"[^"]*"|\$\{|\S/g)) {
    const isQuote = /^['"]/.test(part)
    if (isWithin ? isQuote && part.length === 1 : isQuote || part === '#') return null
    if (isWithin && part === '${' && ':,{['.includes(before)) return index + 1
    isWithin ||= part === '{' || part === '['
    before = part
  }
  return null
}

/** The JSON value of a document; aliases may not multiply it beyond reason. */
function toPlain(document: Document.Parsed): Result<unknown, string> {
  try {
    return ok(document.toJS({ maxAliasCount: 50 }) as unknown)
  } catch (error) {
    return fail(`${(error as Error).message}.`)
  }
}

type Problem = { path: Path; message: string; key?: boolean }
type Issue = z.core.$ZodIssue

/** The issues of the branch that was meant, where a union has several. */
function leafIssues(issue: Issue, root: unknown, above: Path = []): Problem[] {
  const path = [...above, ...issue.path] as Path
  if (issue.code === 'invalid_union') {
    const branches = issue.errors
    const value = valueAt(root, path)
    const kinds = stepKindsIn(value)
    const isStep = path.at(-2) === 'steps' || path.at(-2) === 'finally'
    if (isStep && kinds.length !== 1) {
      const several = kinds.length > 1 ? `; this one has ${kinds.join(' and ')}` : ''
      const meant = kinds.length > 1 ? null : Object.keys(asFields(value)).find((key) => closestName(key, stepKinds))
      const message = `A step must have one of ${stepKinds.join(', ')}${several}.${meant ? didYouMean(meant, stepKinds) : ''}`
      return [{ path, message }]
    }
    const branch = isStep ? branches[stepKinds.indexOf(kinds[0] as StepKind)] : undefined
    if (branch) return branch.flatMap((inner) => leafIssues(inner, root, path))
    return [{ path, message: `${sentence(path, issue.message)}${callHint(path, value)}` }]
  }
  if (issue.code === 'unrecognized_keys') {
    const known = fieldsOfKind(stepKindsIn(valueAt(root, path))[0] ?? null)
    return issue.keys.map((key) => ({
      path: [...path, key],
      message: `${key} isn’t a field here.${didYouMean(key, known)}`,
      key: true,
    }))
  }
  if (path.length === 0) return [{ path, message: 'The file must be a map with scenario and steps.' }]
  const isMissing = issue.code === 'invalid_type' && valueAt(root, path) === undefined
  return [
    {
      path,
      message: isMissing
        ? `${String(path.at(-1))} is missing.`
        : `${sentence(path, plainMessage({ ...issue, path: [...path] }, root))}${callHint(path, valueAt(root, path))}`,
    },
  ]
}

/** The message of an issue; in our words where its schema has none of its own. */
function plainMessage(issue: Issue, root: unknown): string {
  return fieldIssues([issue], root, 'body')[0]?.message ?? issue.message
}

/** Suggestion for a wrong call. */
function callHint(path: Path, value: unknown): string {
  if (typeof value !== 'string') return ''
  if (path.at(-1) === 'control') return didYouMean(value, controlCalls)
  if (path.at(-1) !== 'call') return ''
  const [method = '', target = ''] = value.split(' ')
  const known = [...endpointCalls.keys()].map((call) => ({ call, path: call.split(' ')[1] ?? '' }))
  const others = known.filter((one) => one.path === target)
  if (others.length > 0) return ` ${target} takes ${others.map(({ call }) => call.split(' ')[0]).join(' and ')}.`
  const pattern = known.find(
    (one) => one.path.includes('{') && new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(target),
  )
  if (pattern) {
    const names = [...pattern.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}: …`)
    return ` Write ${pattern.call} with params: { ${names.join(', ')} }.`
  }
  return didYouMean(`${method.toUpperCase()} ${target}`, endpointCalls.keys())
}

function sentence(path: Path, message: string): string {
  const name = path.findLast((part) => typeof part === 'string') ?? 'The file'
  return `${name} ${message}.`
}

function stepKindsIn(value: unknown): StepKind[] {
  return typeof value === 'object' && value !== null ? stepKinds.filter((kind) => Object.hasOwn(value, kind)) : []
}

function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? (Reflect.get(value, key) as unknown) : undefined),
    root,
  )
}

/** The position of a value in the text, or with `isKey` of its key; where it is missing, of the nearest one above. */
function findOffset(document: Document.Parsed, path: Path, isKey = false): number {
  let node: Node | null = document.contents
  let offset = node?.range?.[0] ?? 0
  for (const [depth, part] of path.entries()) {
    if (isAlias(node)) node = node.resolve(document) ?? null
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isNode(key) && key.toJSON() === part) as
        | Pair<Node, Node | null>
        | undefined
      if (!pair) return offset
      const isLast = depth === path.length - 1
      node = pair.value
      offset = (isLast && isKey ? null : node?.range?.[0]) ?? pair.key.range?.[0] ?? offset
    } else if (isSeq(node)) {
      const item: unknown = node.items[Number(part)]
      if (!isNode(item)) return offset
      node = item
      offset = item.range?.[0] ?? offset
    } else return offset
  }
  return offset
}

function stepPaths(steps: readonly Step[], above: Path = [], field: 'steps' | 'finally' = 'steps'): Path[] {
  return steps.flatMap((step, index) => {
    const path = [...above, field, index]
    return 'repeat' in step ? [path, ...stepPaths(step.steps, path)] : [path]
  })
}

/** Expressions that can't be parsed, variables that aren't set yet, results that a step doesn't have, unknown fragments. */
function checkReferences(scenario: ScenarioFile, fragments: Fragments): Problem[] {
  const known = new Set<string>([...givenVariables, ...declaredVariables(scenario)])
  return [
    ...checkSteps(scenario.steps, [], known, fragments),
    ...checkSteps(scenario.finally ?? [], [], known, fragments, 'finally'),
  ]
}

/** The variables that a scenario declares: those of `vars` and of `matrix`. */
export function declaredVariables({ vars = {}, matrix = [] }: ScenarioFile): string[] {
  return [
    ...Object.keys(vars),
    ...(Array.isArray(matrix) ? matrix.flatMap((one) => Object.keys(one)) : Object.keys(matrix)),
  ]
}

function checkSteps(
  steps: readonly Step[],
  above: Path,
  known: Set<string>,
  fragments: Fragments,
  field: 'steps' | 'finally' = 'steps',
): Problem[] {
  return steps.flatMap((step, index): Problem[] => {
    const path = [...above, field, index]
    if ('repeat' in step) {
      return [...checkTexts(step.repeat, [...path, 'repeat'], known), ...checkSteps(step.steps, path, known, fragments)]
    }
    if ('use' in step) return checkUse(step, path, known, fragments)
    const { save = {}, expect = {}, ...rest } = { save: undefined, expect: undefined, ...step }
    const kind = stepKindsIn(step)[0] as keyof typeof resultFields
    const fields = resultFields[kind] ?? []
    const problems = [
      ...checkCall(step, path),
      ...checkTexts(rest, path, known),
      ...checkTexts(expect, [...path, 'expect'], known),
      ...Object.keys(expect).flatMap((key) => checkResultPath(key, [...path, 'expect', key], fields)),
      ...checkMatchers(expect, [...path, 'expect']),
      ...Object.entries(save).flatMap(([name, source]) =>
        checkExpression(parseExpression(source), [...path, 'save', name], new Set([...known, ...fields])),
      ),
    ]
    if (kind === 'event' && 'where' in step) {
      for (const key of Object.keys(step.where ?? {}))
        problems.push(...checkResultPath(key, [...path, 'where', key], fields))
    }
    if (kind === 'deliveries' && 'deliveries' in step) {
      for (const key of Object.keys(step.deliveries)) {
        problems.push(...checkResultPath(key, [...path, 'deliveries', key], resultFields.event))
      }
    }
    for (const name of Object.keys(save)) known.add(name)
    return problems
  })
}

/** Fields that a call would ignore, and the name of an event that is misspelt. */
function checkCall(step: Step, path: Path): Problem[] {
  const problem = (field: string, message: string) => [{ path: [...path, field], message, key: true }]
  if ('event' in step) {
    const meant = eventNames.some((name) => name === step.event) ? null : closestName(step.event, eventNames, 2)
    return meant === null ? [] : problem('event', `${step.event} is no event. Did you mean ${meant}?`)
  }
  const endpoint = 'call' in step ? endpointCalls.get(step.call) : undefined
  if (!endpoint || !('call' in step)) return []
  const { method, query, body } = endpointRow(endpoint)
  return [
    ...(method === 'POST' && step.within !== undefined
      ? problem('within', 'within is for a GET: a POST is sent once.')
      : []),
    ...(!query && step.query !== undefined ? problem('query', `${step.call} takes no query.`) : []),
    ...(!body && step.body !== undefined ? problem('body', `${step.call} takes no body.`) : []),
  ]
}

function checkUse(
  step: { use: string; with?: Record<string, unknown> | undefined },
  path: Path,
  known: Set<string>,
  fragments: Fragments,
): Problem[] {
  const fragment = fragments.get(step.use)
  if (!fragment) {
    const names = [...fragments.keys()]
    const message = `There is no fragment ${step.use}; there are ${names.join(', ')}.${didYouMean(step.use, names)}`
    return [{ path: [...path, 'use'], message }]
  }
  const declared = declaredVariables(fragment)
  const problems = checkTexts(step.with ?? {}, [...path, 'with'], known)
  for (const name of Object.keys(step.with ?? {}).filter((name) => !declared.includes(name))) {
    const message = `${name} isn’t a variable of ${step.use}; it has ${declared.join(', ') || 'none'}.${didYouMean(name, declared)}`
    problems.push({ path: [...path, 'with', name], message, key: true })
  }
  for (const name of savedNames(fragment)) known.add(name)
  return problems
}

function checkResultPath(key: string, path: Path, fields: readonly string[]): Problem[] {
  const parsed = parseExpression(key)
  if (parsed.ok && parsed.value.path && fields.includes(String(parsed.value.path[0]))) return []
  const [root = ''] = key.split(/[.[]/)
  const message = fields.includes(root)
    ? `${key} isn’t a path into the result: only fields and numbers can stand in it.`
    : `${key} isn’t a path into the result; it must begin with ${fields.join(', ')}.${didYouMean(root, fields)}`
  return [{ path, message, key: true }]
}

/** Keys that begin with $ are matchers, wherever they are. */
function checkMatchers(value: unknown, path: Path): Problem[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = [...path, Array.isArray(value) ? Number(key) : key]
    const isUnknown = key.startsWith('$') && !matcherNames.includes(key)
    const message = `${key} isn’t a matcher; there are ${matcherNames.join(', ')}.${isUnknown ? didYouMean(key, matcherNames) : ''}`
    return [...(isUnknown ? [{ path: at, message, key: true }] : []), ...checkMatchers(inner, at)]
  })
}

/** The texts of a value, checked as templates. */
function checkTexts(value: unknown, path: Path, known: ReadonlySet<string>): Problem[] {
  if (typeof value === 'string') {
    const parsed = parseTemplate(value)
    if (!parsed.ok) return [{ path, message: `The expression can’t be read: ${parsed.error}.` }]
    return parsed.value.flatMap((part) => (typeof part === 'string' ? [] : checkExpression(ok(part), path, known)))
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    checkTexts(inner, [...path, Array.isArray(value) ? Number(key) : key], known),
  )
}

function checkExpression(parsed: Result<Expression, string>, path: Path, known: ReadonlySet<string>): Problem[] {
  if (!parsed.ok) return [{ path, message: `The expression can’t be read: ${parsed.error}.` }]
  const missing = parsed.value.roots.filter((name) => !known.has(name))
  return [...new Set(missing)].map((name) => ({
    path,
    message: `${name} isn’t set before it is used here.${didYouMean(name, known)}`,
  }))
}

/** Whether every variable in the texts of a value is among those that are set. */
export function isResolvable(value: unknown, set: Iterable<string>): boolean {
  return checkTexts(value, [], new Set(set)).length === 0
}

/** A mistake as one line: `file.yaml:3:9 message`. */
export function mistakeText(file: string, { line, column, message }: Mistake): string {
  return `${file}:${line}:${column} ${message}`
}
