import { z } from 'zod'
import { fieldIssues, type Part } from '#lib/contract/describe-issues.ts'
import type { EndpointName, ParsedRequest } from '#lib/contract/endpoints.ts'
import { isFields } from '#lib/shared/json.ts'
import type { FieldIssue } from '../api-error.ts'
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
  issues.push(...findTextIssues(params), ...(row.query ? findTextIssues(query) : []))
  const request = {
    params: parse(row.params, params, 'params'),
    query: parse(row.query, query, 'query'),
    body: parse(row.body, body, 'body'),
  }
  return { request: request as ParsedRequest<Name>, issues }
}

export type Query = Record<string, string | string[]>

/** Query values by name: a text, or an array of texts where the name was repeated. */
export function parseQuery(search: string): Query {
  const values = new Map<string, string | string[]>()
  for (const [name, value] of new URLSearchParams(search)) {
    const before = values.get(name)
    values.set(name, before === undefined ? value : [before, value].flat())
  }
  return Object.fromEntries(values)
}

/** Returns the issues of texts that PostgreSQL cannot store. */
export function findTextIssues(texts: Query): FieldIssue[] {
  return Object.entries(texts).flatMap(([name, value]) =>
    [value].flat().flatMap((text) => {
      const message = issueOfText(text)
      return message ? [{ path: issueOfText(name) ? 'query' : name, message }] : []
    }),
  )
}

const prunedAtMost = 100

/**
 * Returns the fields of an object that its schema accepts, each parsed separately; of a partly invalid field, its
 * valid part.
 */
export function validFields(schema: z.ZodType | undefined, value: unknown): Record<string, unknown> {
  if (!schema || !('shape' in schema) || !isFields(value)) return {}
  return Object.fromEntries(
    Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, field]) => {
      const valid = validField(field, value[name])
      return valid === undefined ? [] : [[name, valid]]
    }),
  )
}

function validField(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const item = itemOfList(schema)
  if (item) return validItems(item, value)
  const { issues } = parsed.error
  if (issues.length > prunedAtMost || issues.some(({ path }) => path.length === 0)) return undefined
  const places = new Map(issues.map(({ path }) => [path.join('\n'), path]))
  // From the last one to the first, so that the places in an array stay what they are.
  const pruned = [...places.values()].reduceRight((rest: unknown, path) => without(rest, path), value)
  return schema.safeParse(pruned).data
}

/** The item of a list in a query (`queryList`), whose text is taken apart before its items are judged. */
function itemOfList(schema: z.ZodType): z.ZodType | undefined {
  const list = schema instanceof z.ZodOptional ? schema.unwrap() : schema
  return (z.globalRegistry.get(list as z.ZodType) as { listOf?: z.ZodType } | undefined)?.listOf
}

function validItems(item: z.ZodType, value: unknown): unknown[] {
  return [value]
    .flat()
    .flatMap((text) => String(text).split(','))
    .flatMap((text) => {
      const { success, data } = item.safeParse(text)
      return success ? [data] : []
    })
}

function without(value: unknown, [key, ...rest]: readonly PropertyKey[]): unknown {
  if (key === undefined) return value
  if (Array.isArray(value)) {
    if (rest.length === 0) return value.filter((_, at) => at !== key)
    return value.map((each: unknown, at) => (at === key ? without(each, rest) : each))
  }
  if (!isFields(value)) return value
  const others = Object.entries(value).filter(([name]) => name !== key)
  return Object.fromEntries(rest.length === 0 ? others : [...others, [key, without(value[key.toString()], rest)]])
}
