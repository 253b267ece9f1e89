import type { z } from 'zod'
import type { EndpointName, ParsedRequest } from '#lib/contract/endpoints.ts'
import { fail, ok, type Result } from '#lib/shared/result.ts'
import { describeIssues, type Part } from './describe-issues.ts'
import { flawOfText } from './parse-json.ts'
import type { Route } from './route.ts'

const namedAtMost = 100

/** Parses a request against its row. The failure names every wrong field and why, all at once. */
export function parseRequest<Name extends EndpointName>(
  { row, params }: Route,
  search: string,
  body: unknown,
): Result<ParsedRequest<Name>, string> {
  const problems: string[] = []
  const parse = (schema: z.ZodType | undefined, value: unknown, part: Part) => {
    if (!schema) return undefined
    const parsed = schema.safeParse(value)
    if (!parsed.success) problems.push(...describeIssues(parsed.error.issues, value, part))
    return parsed.data
  }
  const query = readQuery(search)
  problems.push(...flawsOf(params), ...(row.query ? flawsOf(query) : []))
  const request = {
    params: parse(row.params, params, 'params'),
    query: parse(row.query, query, 'query'),
    body: parse(row.body, body, 'body'),
  }
  if (problems.length === 0) return ok(request as ParsedRequest<Name>)
  const named = [...new Set(problems)]
  const more = named.length > namedAtMost ? [`and ${named.length - namedAtMost} more`] : []
  return fail([...named.slice(0, namedAtMost), ...more].join('; '))
}

type Query = Record<string, string | string[]>

/** Query values by name: a text, or an array of texts where the name was repeated. */
function readQuery(search: string): Query {
  const values = new Map<string, string | string[]>()
  for (const [name, value] of new URLSearchParams(search)) {
    const before = values.get(name)
    values.set(name, before === undefined ? value : [before, value].flat())
  }
  return Object.fromEntries(values)
}

function flawsOf(texts: Query): string[] {
  return Object.entries(texts).flatMap(([name, value]) =>
    [value].flat().flatMap((text) => {
      const flaw = flawOfText(text)
      return flaw ? [`${flawOfText(name) ? 'query' : name}: ${flaw}`] : []
    }),
  )
}
