import type { z } from 'zod'
import { fieldIssues, type Part } from '#lib/contract/describe-issues.ts'
import type { EndpointName, ParsedRequest } from '#lib/contract/endpoints.ts'
import type { FieldIssue } from '../field-issues.ts'
import { issueOfText } from './parse-json.ts'
import type { Route } from './route.ts'

/** A request held against its row: `request` is whole where there are no issues. */
type ReadRequest<Name extends EndpointName> = { request: ParsedRequest<Name>; issues: FieldIssue[] }

/** Parses a request against its row, and finds every wrong field and why, all at once. */
export function parseRequest<Name extends EndpointName>(
  { row, params }: Route,
  query: Query,
  body: unknown,
): ReadRequest<Name> {
  const issues: FieldIssue[] = []
  const parse = (schema: z.ZodType | undefined, value: unknown, part: Part) => {
    if (!schema) return undefined
    const parsed = schema.safeParse(value)
    if (!parsed.success) issues.push(...fieldIssues(parsed.error.issues, value, part))
    return parsed.data
  }
  issues.push(...issuesOf(params), ...(row.query ? issuesOf(query) : []))
  const request = {
    params: parse(row.params, params, 'params'),
    query: parse(row.query, query, 'query'),
    body: parse(row.body, body, 'body'),
  }
  return { request: request as ParsedRequest<Name>, issues }
}

export type Query = Record<string, string | string[]>

/** Query values by name: a text, or an array of texts where the name was repeated. */
export function readQuery(search: string): Query {
  const values = new Map<string, string | string[]>()
  for (const [name, value] of new URLSearchParams(search)) {
    const before = values.get(name)
    values.set(name, before === undefined ? value : [before, value].flat())
  }
  return Object.fromEntries(values)
}

function issuesOf(texts: Query): FieldIssue[] {
  return Object.entries(texts).flatMap(([name, value]) =>
    [value].flat().flatMap((text) => {
      const message = issueOfText(text)
      return message ? [{ path: issueOfText(name) ? 'query' : name, message }] : []
    }),
  )
}
