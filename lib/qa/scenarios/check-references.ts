import { endpointRow } from '#lib/contract/endpoints.ts'
import { eventNames } from '#lib/contract/terms.ts'
import { closestName, didYouMean } from '#lib/shared/closest-name.ts'
import { ok, type Result } from '#lib/shared/result.ts'
import { endpointCalls } from './calls.ts'
import { checkBody } from './check-body.ts'
import { matcherNames } from './compare.ts'
import type { Problem } from './describe-issue.ts'
import { parseExpression, parseTemplate, type Expression, type Path } from './expressions.ts'
import {
  stepKindsIn,
  type CallStep,
  type Fragments,
  type ScenarioFile,
  type Step,
  type StepKind,
  type UseStep,
} from './schema.ts'
import { savedNames } from './steps.ts'

/** Variables that every scenario has: its run's id, the number of a repetition, its webhook. */
const givenVariables = ['run', 'repeat', 'receiver'] as const

const eventFields = ['event', 'id', 'time', 'data', 'signature']

/** The fields of a step's result: the beginnings of the paths of `expect` and `save`. */
const resultFields: Partial<Record<StepKind, readonly string[]>> = {
  call: ['status', 'code', 'message', 'body', 'replayed', 'dropped'],
  control: ['status', 'code', 'message', 'body'],
  event: eventFields,
  deliveries: ['events', 'count', 'attempts', 'refused', 'pings', 'invalidSignatures', 'last'],
  open: ['status', 'last6'],
}

/** Expressions that can't be parsed, variables that aren't set yet, results that a step doesn't have, unknown fragments. */
export function checkReferences(scenario: ScenarioFile, fragments: Fragments): Problem[] {
  const known = new Set<string>([...givenVariables, ...declaredVariables(scenario)])
  return [
    ...checkSteps(scenario.steps, ['steps'], known, fragments),
    ...checkSteps(scenario.finally ?? [], ['finally'], known, fragments),
  ]
}

/** The variables that a scenario declares: those of `vars` and of `matrix`. */
export function declaredVariables({ vars = {}, matrix = [] }: ScenarioFile): string[] {
  return [
    ...Object.keys(vars),
    ...(Array.isArray(matrix) ? matrix.flatMap((one) => Object.keys(one)) : Object.keys(matrix)),
  ]
}

/** Checks steps in turn, and adds what each saves to `known`. `list` is the path of their list. */
function checkSteps(steps: readonly Step[], list: Path, known: Set<string>, fragments: Fragments): Problem[] {
  return steps.flatMap((step, index): Problem[] => {
    const path = [...list, index]
    if ('repeat' in step) {
      return [
        ...checkTexts(step.repeat, [...path, 'repeat'], known),
        ...checkSteps(step.steps, [...path, 'steps'], known, fragments),
      ]
    }
    if ('use' in step) return checkUse(step, path, known, fragments)
    const { save = {}, expect = {}, ...rest } = { save: undefined, expect: undefined, ...step }
    const fields = stepKindsIn(step).flatMap((kind) => resultFields[kind] ?? [])
    const problems = [
      ...checkCall(step, path),
      ...checkTexts(rest, path, known),
      ...checkTexts(expect, [...path, 'expect'], known),
      ...checkResultPaths(expect, [...path, 'expect'], fields),
      ...checkMatchers(expect, [...path, 'expect']),
      ...Object.entries(save).flatMap(([name, source]) =>
        checkExpression(parseExpression(source), [...path, 'save', name], new Set([...known, ...fields])),
      ),
      ...('event' in step ? checkResultPaths(step.where, [...path, 'where'], eventFields) : []),
      ...('deliveries' in step ? checkResultPaths(step.deliveries, [...path, 'deliveries'], eventFields) : []),
    ]
    for (const name of Object.keys(save)) known.add(name)
    return problems
  })
}

/** Fields that a call lacks or would ignore, and the name of an event that is misspelt. */
function checkCall(step: Step, path: Path): Problem[] {
  const problem = (field: string, message: string) => [{ path: [...path, field], message, key: true }]
  if ('event' in step) {
    const meant = eventNames.some((name) => name === step.event) ? null : closestName(step.event, eventNames, 2)
    return meant === null ? [] : problem('event', `${step.event} is no event. Did you mean ${meant}?`)
  }
  const endpoint = 'call' in step ? endpointCalls.get(step.call) : undefined
  if (!endpoint || !('call' in step)) return []
  const { method, params, query, body } = endpointRow(endpoint)
  const missing = Object.keys(params?.shape ?? {}).filter((name) => step.params?.[name] === undefined)
  return [
    ...missing.flatMap((name) =>
      problem(step.params === undefined ? 'call' : 'params', `${step.call} needs params with ${name}.`),
    ),
    ...(!params && step.params !== undefined ? problem('params', `${step.call} takes no params.`) : []),
    ...(method === 'POST' && step.within !== undefined
      ? problem('within', 'within is for a GET: a POST is sent once.')
      : []),
    ...(!query && step.query !== undefined ? problem('query', `${step.call} takes no query.`) : []),
    ...(query ? checkQuery(step, Object.keys(query.shape), path) : []),
    ...(!body && step.body !== undefined ? problem('body', `${step.call} takes no body.`) : []),
    ...checkBody(step, endpoint, path),
  ]
}

/** Query parameters that the interface does not name for the call: a service ignores them, and the list isn’t filtered. */
function checkQuery({ call, query = {} }: CallStep, known: readonly string[], path: Path): Problem[] {
  const unknown = Object.keys(query).filter((name) => !known.includes(name))
  return unknown.map((name) => ({
    path: [...path, 'query', name],
    message: `${name} isn’t a query parameter of ${call}; it takes ${known.join(', ')}.${didYouMean(name, known)}`,
    key: true,
  }))
}

/** Whether `use` names a file of one's own, relative to the file that it stands in. */
export function isOwnFragment(name: string): boolean {
  return /^\.{1,2}\//.test(name)
}

function checkUse(step: UseStep, path: Path, known: Set<string>, fragments: Fragments): Problem[] {
  const fragment = fragments.get(step.use)
  if (!fragment) {
    if (isOwnFragment(step.use))
      return [{ path: [...path, 'use'], message: `There is no file ${step.use} beside this one.` }]
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

/** Keys that are no paths into a result with these fields. */
function checkResultPaths(values: object = {}, path: Path, fields: readonly string[]): Problem[] {
  return Object.keys(values).flatMap((key) => {
    const parsed = parseExpression(key)
    if (parsed.ok && parsed.value.path && fields.includes(String(parsed.value.path[0]))) return []
    const [root = ''] = key.split(/[.[]/)
    const message = fields.includes(root)
      ? `${key} isn’t a path into the result: only fields and numbers can stand in it.`
      : `${key} isn’t a path into the result; it must begin with ${fields.join(', ')}.${didYouMean(root, fields)}`
    return [{ path: [...path, key], message, key: true }]
  })
}

/** Keys that begin with $ are matchers, wherever they are; the name of one is no value. */
function checkMatchers(value: unknown, path: Path): Problem[] {
  if (typeof value === 'string' && matcherNames.includes(value)) {
    const example = value === '$present' || value === '$absent' ? 'true' : '…'
    return [{ path, message: `A matcher is a map: { ${value}: ${example} }.` }]
  }
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
