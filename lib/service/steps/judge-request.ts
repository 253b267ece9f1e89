import type { EndpointName, ParsedRequest } from '#lib/contract/endpoints.ts'
import { isWithin, refusalOfIssues, type FieldIssue } from '../field-issues.ts'
import type { Rule, RuleContext, SoundRequest } from '../rule.ts'
import { rules } from '../rules.ts'
import { parseRequest, readQuery, type Query } from './parse-request.ts'
import type { Route } from './route.ts'
import { isObject, soundFields } from './sound-fields.ts'

export type GivenRequest = { route: Route; search: string; body: unknown; issues: readonly FieldIssue[] }

/**
 * The parsed request, held against its row and against the endpoint's rule. Throws one refusal that names every wrong
 * field and why: those of `issues` first, then the shapes, then what the rule says of all that is right by itself. A field
 * that is wrong already is not told again.
 */
export async function judgeRequest<Name extends EndpointName>(
  { route, search, body, issues: flaws }: GivenRequest,
  context: RuleContext,
): Promise<ParsedRequest<Name>> {
  const query = readQuery(search)
  const { request, issues: found } = parseRequest<Name>(route, query, body)
  const flawed = new Set(flaws.map(({ path }) => path))
  const issues = [...flaws, ...found.filter(({ path }) => !flawed.has(path))]
  const wrong = new Set(issues.map(({ path }) => path))
  const rule = rules[route.name] as Rule<Name> | undefined
  const sound = (): SoundRequest<Name> => ({ ...(wrong.size === 0 ? request : soundParts(route, query, body)), wrong })
  const broken = rule && (!route.row.body || isObject(body)) ? await rule(sound(), context) : []
  const code = broken.find((issue) => issue.code)?.code
  issues.push(...broken.filter(({ path }) => !isWithin(path, wrong)))
  if (issues.length > 0) throw refusalOfIssues(issues, code)
  return request
}

function soundParts<Name extends EndpointName>({ row }: Route, query: Query, body: unknown) {
  const parts = { query: soundFields(row.query, query), body: soundFields(row.body, body) }
  return parts as Omit<SoundRequest<Name>, 'wrong'>
}
