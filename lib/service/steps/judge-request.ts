import type { EndpointName, ParsedRequest } from '#lib/contract/endpoints.ts'
import { isWithin, errorOfIssues, type FieldIssue } from '../field-issues.ts'
import type { Rule, RuleContext, ValidRequest } from '../rule.ts'
import { rules } from '../rules.ts'
import { parseRequest, readQuery, type Query } from './parse-request.ts'
import type { Route } from './route.ts'
import { isObject, validFields } from './valid-fields.ts'

type GivenRequest = { route: Route; search: string; body: unknown; issues: readonly FieldIssue[] }

/**
 * The parsed request, checked against its row and against the endpoint's rule. Throws one error that names every wrong
 * field and why: those of `issues` first, then the shapes, then what the rule says of all that is right by itself. A field
 * that is wrong already is not reported again.
 */
export async function judgeRequest<Name extends EndpointName>(
  { route, search, body, issues: readIssues }: GivenRequest,
  context: RuleContext,
): Promise<ParsedRequest<Name>> {
  const query = readQuery(search)
  const { request, issues: found } = parseRequest<Name>(route, query, body)
  const flawed = new Set(readIssues.map(({ path }) => path))
  const issues = [...readIssues, ...found.filter(({ path }) => !flawed.has(path))]
  const wrong = new Set(issues.map(({ path }) => path))
  const rule = rules[route.name] as Rule<Name> | undefined
  const valid = (): ValidRequest<Name> => ({ ...(wrong.size === 0 ? request : validParts(route, query, body)), wrong })
  const broken = rule && (!route.row.body || isObject(body)) ? await rule(valid(), context) : []
  const code = broken.find((issue) => issue.code)?.code
  issues.push(...broken.filter(({ path }) => !isWithin(path, wrong)))
  if (issues.length > 0) throw errorOfIssues(issues, code)
  return request
}

function validParts<Name extends EndpointName>({ row }: Route, query: Query, body: unknown) {
  const parts = { query: validFields(row.query, query), body: validFields(row.body, body) }
  return parts as Omit<ValidRequest<Name>, 'wrong'>
}
