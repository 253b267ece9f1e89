import type { z } from 'zod'
import { fieldIssues } from '#lib/contract/describe-issues.ts'
import { closestName, didYouMean } from '#lib/shared/closest-name.ts'
import { asFields } from '#lib/shared/json.ts'
import { controlCalls, endpointCalls } from './calls.ts'
import { lookUp, type Path } from './expressions.ts'
import { fieldsOfKind, stepKinds, stepKindsIn, type StepKind } from './schema.ts'

/** What is wrong with a value of a scenario file, by its path. `key`: the key is wrong, not its value. */
export type Problem = { path: Path; message: string; key?: boolean }
type Issue = z.core.$ZodIssue

/** The problems of a value that the format doesn't allow: those of the branch that was meant, where a union has several. */
export function describeIssue(issue: Issue, root: unknown, above: Path = []): Problem[] {
  const path = [...above, ...issue.path] as Path
  if (issue.code === 'invalid_union') {
    const branches = issue.errors
    const value = lookUp(root, path)
    const kinds = stepKindsIn(value)
    const isStep = path.at(-2) === 'steps' || path.at(-2) === 'finally'
    if (isStep && kinds.length !== 1) {
      const several = kinds.length > 1 ? `; this one has ${kinds.join(' and ')}` : ''
      const meant = kinds.length > 1 ? null : Object.keys(asFields(value)).find((key) => closestName(key, stepKinds))
      const message = `A step must have one of ${stepKinds.join(', ')}${several}.${meant ? didYouMean(meant, stepKinds) : ''}`
      return [{ path, message }]
    }
    const branch = isStep ? branches[stepKinds.indexOf(kinds[0] as StepKind)] : undefined
    if (branch) return branch.flatMap((inner) => describeIssue(inner, root, path))
    return [{ path, message: `${sentence(path, issue.message)}${callHint(path, value)}` }]
  }
  if (issue.code === 'unrecognized_keys') {
    const known = fieldsOfKind(stepKindsIn(lookUp(root, path))[0] ?? null)
    return issue.keys.map((key) => ({
      path: [...path, key],
      message: `${key} isn’t a field here.${didYouMean(key, known)}`,
      key: true,
    }))
  }
  if (path.length === 0) return [{ path, message: 'The file must be a map with scenario and steps.' }]
  const isMissing = issue.code === 'invalid_type' && lookUp(root, path) === undefined
  return [
    {
      path,
      message: isMissing
        ? `${String(path.at(-1))} is missing.`
        : `${sentence(path, plainMessage({ ...issue, path: [...path] }, root))}${callHint(path, lookUp(root, path))}`,
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
  const [method = '', whole = ''] = value.split(' ')
  const [target = '', query] = whole.split('?')
  if (query !== undefined && endpointCalls.has(`${method} ${target}`)) {
    return ` Write ${method} ${target} with query: { ${query.replaceAll('&', ', ').replaceAll('=', ': ')} }.`
  }
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
