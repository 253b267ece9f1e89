import { isAlias, isMap, isNode, isSeq, LineCounter, parseDocument, type Document, type Node, type Pair } from 'yaml'
import type { z } from 'zod'
import { fail, ok, type Result } from '#lib/shared/result.ts'
import { matcherNames } from './compare.ts'
import { parseExpression, parseTemplate, rootsOf, type Expression } from './expressions.ts'
import { ScenarioFile, stepKinds, type Step, type StepKind } from './schema.ts'

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
    return fail(document.errors.map(({ pos, message }) => at(pos[0], `${message.replace(/\.$/, '')}.`)))
  }
  const value = toPlain(document)
  if (!value.ok) return fail([at(0, value.error)])
  const parsed = ScenarioFile.safeParse(value.value)
  if (!parsed.success) {
    const issues = parsed.error.issues.flatMap((issue) => leafIssues(issue, value.value))
    return fail(issues.map(({ path, message, key }) => at(offsetOf(document, path, key), message)))
  }
  const problems = checkReferences(parsed.data, fragments)
  if (problems.length > 0) {
    return fail(problems.map(({ path, message, key }) => at(offsetOf(document, path, key), message)))
  }
  const lines = new Map(
    stepPaths(parsed.data.steps).map((path) => [path.join('.'), at(offsetOf(document, path), '').line]),
  )
  return ok({ ...parsed.data, file, lines, fragments })
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
    const kinds = kindsOf(value)
    const isStep = path.at(-2) === 'steps'
    if (isStep && kinds.length !== 1) {
      const message = `A step must have one of ${stepKinds.join(', ')}${kinds.length > 1 ? `; this one has ${kinds.join(' and ')}` : ''}.`
      return [{ path, message }]
    }
    const branch = isStep ? branches[stepKinds.indexOf(kinds[0] as StepKind)] : undefined
    if (branch) return branch.flatMap((inner) => leafIssues(inner, root, path))
    return [{ path, message: sentence(path, issue.message) }]
  }
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], message: `${key} isn’t a field here.`, key: true }))
  }
  const isMissing = issue.code === 'invalid_type' && valueAt(root, path) === undefined
  return [
    { path, message: isMissing ? `${String(path.at(-1) ?? 'The file')} is missing.` : sentence(path, issue.message) },
  ]
}

function sentence(path: Path, message: string): string {
  const name = path.findLast((part) => typeof part === 'string') ?? 'The file'
  return `${name} ${message}.`
}

function kindsOf(value: unknown): StepKind[] {
  return typeof value === 'object' && value !== null ? stepKinds.filter((kind) => Object.hasOwn(value, kind)) : []
}

function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? (Reflect.get(value, key) as unknown) : undefined),
    root,
  )
}

/** The position of a value in the text, or with `isKey` of its key; where it is missing, of the nearest one above. */
function offsetOf(document: Document.Parsed, path: Path, isKey = false): number {
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

function stepPaths(steps: readonly Step[], above: Path = []): Path[] {
  return steps.flatMap((step, index) => {
    const path = [...above, 'steps', index]
    return 'repeat' in step ? [path, ...stepPaths(step.steps, path)] : [path]
  })
}

/** Expressions that can't be parsed, variables that aren't set yet, results that a step doesn't have, unknown fragments. */
function checkReferences(scenario: ScenarioFile, fragments: Fragments): Problem[] {
  const known = new Set<string>([...givenVariables, ...declaredVariables(scenario)])
  return checkSteps(scenario.steps, [], known, fragments)
}

/** The variables that a scenario declares: those of `vars` and of `matrix`. */
export function declaredVariables({ vars = {}, matrix = [] }: ScenarioFile): string[] {
  return [
    ...Object.keys(vars),
    ...(Array.isArray(matrix) ? matrix.flatMap((one) => Object.keys(one)) : Object.keys(matrix)),
  ]
}

function checkSteps(steps: readonly Step[], above: Path, known: Set<string>, fragments: Fragments): Problem[] {
  return steps.flatMap((step, index): Problem[] => {
    const path = [...above, 'steps', index]
    if ('repeat' in step) {
      return [...checkTexts(step.repeat, [...path, 'repeat'], known), ...checkSteps(step.steps, path, known, fragments)]
    }
    if ('use' in step) return checkUse(step, path, known, fragments)
    const { save = {}, expect = {}, ...rest } = { save: undefined, expect: undefined, ...step }
    const kind = kindsOf(step)[0] as keyof typeof resultFields
    const fields = resultFields[kind] ?? []
    const problems = [
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

function checkUse(
  step: { use: string; with?: Record<string, unknown> | undefined },
  path: Path,
  known: Set<string>,
  fragments: Fragments,
): Problem[] {
  const fragment = fragments.get(step.use)
  if (!fragment) {
    const message = `There is no fragment ${step.use}; there are ${[...fragments.keys()].join(', ')}.`
    return [{ path: [...path, 'use'], message }]
  }
  const declared = declaredVariables(fragment)
  const problems = checkTexts(step.with ?? {}, [...path, 'with'], known)
  for (const name of Object.keys(step.with ?? {}).filter((name) => !declared.includes(name))) {
    const message = `${name} isn’t a variable of ${step.use}; it has ${declared.join(', ')}.`
    problems.push({ path: [...path, 'with', name], message, key: true })
  }
  for (const name of savedBy(fragment.steps, fragment.fragments)) known.add(name)
  return problems
}

/** The variables that steps save. */
function savedBy(steps: readonly Step[], fragments: Fragments): string[] {
  return steps.flatMap((step) => {
    if ('repeat' in step) return savedBy(step.steps, fragments)
    if ('use' in step) return savedBy(fragments.get(step.use)?.steps ?? [], fragments)
    return Object.keys(('save' in step ? step.save : undefined) ?? {})
  })
}

function checkResultPath(key: string, path: Path, fields: readonly string[]): Problem[] {
  const parsed = parseExpression(key)
  if (parsed.ok && parsed.value.kind === 'path' && fields.includes(parsed.value.root)) return []
  const message = `${key} isn’t a path into the result; it must begin with ${fields.join(', ')}.`
  return [{ path, message, key: true }]
}

/** Keys that begin with $ are matchers, wherever they are. */
function checkMatchers(value: unknown, path: Path): Problem[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = [...path, Array.isArray(value) ? Number(key) : key]
    const isUnknown = key.startsWith('$') && !matcherNames.includes(key)
    const message = `${key} isn’t a matcher; there are ${matcherNames.join(', ')}.`
    return [...(isUnknown ? [{ path: at, message, key: true }] : []), ...checkMatchers(inner, at)]
  })
}

/** The texts of a value, checked as templates. */
function checkTexts(value: unknown, path: Path, known: ReadonlySet<string>): Problem[] {
  if (typeof value === 'string') {
    const parsed = parseTemplate(value)
    if (!parsed.ok) return [{ path, message: `The expression can’t be read: ${parsed.error.message}.` }]
    return parsed.value.flatMap((part) =>
      'expression' in part ? checkExpression(ok(part.expression), path, known) : [],
    )
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    checkTexts(inner, [...path, Array.isArray(value) ? Number(key) : key], known),
  )
}

function checkExpression(
  parsed: Result<Expression, { message: string }>,
  path: Path,
  known: ReadonlySet<string>,
): Problem[] {
  if (!parsed.ok) return [{ path, message: `The expression can’t be read: ${parsed.error.message}.` }]
  const missing = rootsOf(parsed.value).filter((name) => !known.has(name))
  return [...new Set(missing)].map((name) => ({ path, message: `${name} isn’t set before it is used here.` }))
}

/** A mistake as one line: `file.yaml:3:9 message`. */
export function mistakeText(file: string, { line, column, message }: Mistake): string {
  return `${file}:${line}:${column} ${message}`
}
