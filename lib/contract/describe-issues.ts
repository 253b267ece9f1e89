import type { z } from 'zod'

export type Part = 'params' | 'query' | 'body'

/** The issue of one field of a request. `path` is dotted, with positions in lists: `individual.document.number`. */
export type RequestIssue = { path: string; message: string }

/**
 * The issues of all fields: `cardId: must be a UUID`. `value` is the parsed value; `part` names it where it is invalid
 * as a whole.
 */
export function describeIssues(issues: readonly z.core.$ZodIssue[], value: unknown, part: Part): string[] {
  return fieldIssues(issues, value, part).map(({ path, message }) => `${path}: ${message}`)
}

/** The issues, one for each field. */
export function fieldIssues(issues: readonly z.core.$ZodIssue[], value: unknown, part: Part): RequestIssue[] {
  return issues.flatMap((issue) => {
    const nested = issue.code === 'invalid_union' ? closestBranch(issue) : null
    if (nested) {
      const inner = nested.map((each) => ({ ...each, path: [...issue.path, ...each.path] }))
      return fieldIssues(inner, value, part)
    }
    const path = issue.path.length === 0 ? part : issue.path.join('.')
    return [{ path, message: describeReason(issue, valueAt(value, issue.path), part) }]
  })
}

const ownUnionMessage = 'Invalid input'

/** The branch of a union that matched furthest. Its issues are reported where the union has no message of its own. */
function closestBranch(issue: z.core.$ZodIssueInvalidUnion): readonly z.core.$ZodIssue[] | null {
  if (issue.message !== ownUnionMessage) return null
  const depth = (branch: readonly z.core.$ZodIssue[]) => Math.min(...branch.map((each) => each.path.length))
  return issue.errors.toSorted((one, other) => depth(other) - depth(one) || one.length - other.length)[0] ?? null
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'an array',
}

function describeReason(issue: z.core.$ZodIssue, value: unknown, part: Part): string {
  if (value === undefined && issue.code !== 'custom') return 'is required'
  if (part === 'query' && Array.isArray(value) && issue.code === 'invalid_type') return 'must be given once'
  const isGeneric = issue.message.startsWith('Invalid ') || issue.message.startsWith('Too ')
  if (!isGeneric) return issue.message
  if (issue.code === 'invalid_type') return `must be ${typeNames[issue.expected] ?? issue.expected}`
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}${ofWhat(issue.origin)}`
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}${ofWhat(issue.origin)}`
  return 'is not valid'
}

function ofWhat(origin: string): string {
  if (origin === 'string') return ' characters long'
  return origin === 'array' || origin === 'set' ? ' items long' : ''
}

/** The value at a path. Below a text that is a list (`intent=charge,refund`), the text itself. */
function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return value
    value = (value as Record<PropertyKey, unknown>)[key]
  }
  return value
}
