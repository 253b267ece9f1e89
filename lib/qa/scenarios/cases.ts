import { fail, ok, type Result } from '#lib/shared/result.ts'
import { declaredVariables } from './check-references.ts'
import { shown } from './compare.ts'
import type { Scope } from './expressions.ts'
import type { Scenario, Step } from './schema.ts'

/** One run of a scenario: the values of its matrix as a label (null without a matrix) and its variables. */
export type Case = { label: string | null; variables: Scope }

/** Values that are given from outside, such as `--var cardAccountId=…`: texts. */
export type GivenVariables = Readonly<Record<string, string>>

/** A variable that the command line can set. `value` is its default; null: it must be set. */
export type ScenarioVariable = { name: string; value: string | null }

/** The variables of a scenario, and those of the fragments that it uses, whose values are text or numbers. */
export function listVariables(scenario: Scenario): ScenarioVariable[] {
  const found = new Map<string, string | null>()
  const add = (vars: Scenario['vars'] = {}, isSet: (name: string) => boolean = () => false) => {
    for (const [name, value] of Object.entries(vars)) {
      if (found.has(name) || isSet(name) || (typeof value === 'object' && value !== null)) continue
      found.set(name, value === null ? null : String(value))
    }
  }
  add(scenario.vars)
  for (const { fragment, set } of uses(scenario)) add(fragment.vars, (name) => Object.hasOwn(set, name))
  return [...found].map(([name, value]) => ({ name, value }))
}

/** The variables without a value (null) that neither the matrix nor a step that uses their fragment nor `given` sets. */
export function missingVariables(scenario: Scenario, given: GivenVariables): string[] {
  const rows = combinations(scenario.matrix)
  const isOpen = (name: string, value: unknown) => value === null && !Object.hasOwn(given, name)
  const own = Object.entries(scenario.vars ?? {}).filter(
    ([name, value]) => isOpen(name, value) && !rows.every((row) => Object.hasOwn(row, name)),
  )
  const used = [...uses(scenario)].flatMap(({ fragment, set }) =>
    Object.entries(fragment.vars ?? {}).filter(([name, value]) => isOpen(name, value) && !Object.hasOwn(set, name)),
  )
  return [...new Set([...own, ...used].map(([name]) => name))]
}

/** Each use of a fragment, in its repetitions, its `finally` and its fragments, too, and the variables that the step sets. */
function* uses(
  file: Scenario,
  steps: readonly Step[] = [...file.steps, ...(file.finally ?? [])],
): Generator<{ fragment: Scenario; set: object }> {
  for (const step of steps) {
    if ('repeat' in step) yield* uses(file, step.steps)
    const fragment = 'use' in step ? file.fragments.get(step.use) : undefined
    if (!fragment || !('use' in step)) continue
    yield { fragment, set: step.with ?? {} }
    yield* uses(fragment)
  }
}

const mostCases = 200

/**
 * The cases of a scenario: one without a matrix, else one for each combination of its values. Fails where a variable has no
 * value, and where a value is given for a variable that neither the scenario nor a fragment has.
 */
export function expandCases(scenario: Scenario, given: GivenVariables = {}): Result<Case[], string[]> {
  const unknown = Object.keys(given).filter((name) => !hasVariable(scenario, name))
  const variables = { ...scenario.vars, ...typed(scenario.vars ?? {}, given) }
  const rows = combinations(scenario.matrix)
  const problems = [
    ...unknown.map((name) => `${name} isn’t a variable of ${scenario.file}.`),
    ...missingVariables(scenario, given).map(
      (name) => `${scenario.file} needs a value for ${name}: --var ${name}=value.`,
    ),
  ]
  if (problems.length > 0) return fail(problems)
  if (rows.length > mostCases) return fail([`${scenario.file} has ${rows.length} cases; at most ${mostCases} are run.`])
  return ok(
    rows.map((row) => ({
      label: scenario.matrix ? rowLabel(row) : null,
      variables: { ...variables, ...row, ...typed(row, given) },
    })),
  )
}

/** Whether a scenario has a variable, or a fragment that it may use, or one that such a fragment may use. */
export function hasVariable(scenario: Scenario, name: string): boolean {
  return [...withFragments(scenario)].some((file) => declaredVariables(file).includes(name))
}

function withFragments(file: Scenario, found = new Set<Scenario>()): ReadonlySet<Scenario> {
  if (found.has(file)) return found
  found.add(file)
  for (const fragment of file.fragments.values()) withFragments(fragment, found)
  return found
}

function combinations(matrix: Scenario['matrix']): Record<string, unknown>[] {
  if (!matrix) return [{}]
  if (Array.isArray(matrix)) return matrix
  return Object.entries(matrix).reduce<Record<string, unknown>[]>(
    (rows, [name, values]) => rows.flatMap((row) => values.map((value) => ({ ...row, [name]: value }))),
    [{}],
  )
}

/** The given values of the declared variables: a number, true or false where the variable's own value is one. */
export function typed(declared: Readonly<Record<string, unknown>>, given: GivenVariables): Record<string, unknown> {
  const names = Object.keys(given).filter((name) => Object.hasOwn(declared, name))
  return Object.fromEntries(
    names.map((name) => {
      const text = given[name] ?? ''
      if (typeof declared[name] === 'boolean' && /^(?:true|false)$/.test(text)) return [name, text === 'true']
      const isNumber = typeof declared[name] === 'number' && text.trim() !== '' && Number.isFinite(Number(text))
      return [name, isNumber ? Number(text) : text]
    }),
  )
}

/** The row's own `case`, else its values. */
function rowLabel(row: Readonly<Record<string, unknown>>): string {
  if (typeof row.case === 'string') return row.case
  return Object.entries(row)
    .filter(([, value]) => typeof value !== 'object')
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : shown(value)}`)
    .join(', ')
}
