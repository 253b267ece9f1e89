import 'server-only'
import { parseResponse } from '#lib/client/parse-response.ts'
import type { RawExchange } from '#lib/client/raw-request.ts'
import { responseNames } from '#lib/client/service-profile.ts'
import type { Part } from '#lib/contract/describe-issues.ts'
import { endpointRow, type EndpointName } from '#lib/contract/endpoints.ts'
import { commonErrors, errorTable, isErrorCode } from '#lib/contract/errors.ts'
import { noteDeviation } from '#lib/environments/deviations.ts'
import { serviceProfile } from '#lib/environments/environments.ts'
import { maskCardNumbersInJson, withoutCardNumbers } from '#lib/shared/card-numbers.ts'
import { parseJson, textIn } from '#lib/shared/json.ts'
import { decodedSegment, type Environment } from '#lib/shared/routes.ts'
import type { Exchange, PlacedIssue } from './types.ts'

/** The effect of a failed POST is unknown: it may have changed something before it failed. */
export function exchangeOutcome({ status }: RawExchange, method: 'GET' | 'POST'): 'done' | 'refused' | 'unknown' {
  if (status !== null && status < 400) return 'done'
  return method === 'POST' && (status === null || status >= 500) ? 'unknown' : 'refused'
}

/** A token is valid for half a minute, and no browser needs all of it. */
export function withShortToken(headers: Record<string, string>): Record<string, string> {
  const shown = Object.entries(headers).map(([name, value]) => [
    name,
    name === 'authorization' ? `${value.slice(0, 15)}…${value.slice(-4)}` : withoutCardNumbers(value),
  ])
  return Object.fromEntries(shown) as Record<string, string>
}

export function urlWithoutCardNumbers(url: string): string {
  const text = decodedSegment(url.replaceAll('+', ' '))
  const masked = withoutCardNumbers(text)
  return masked === text ? url : masked
}

/** The link to a card number is opened on the card's own page, with a reason and a limit: here it shows that there is one. */
export function bodyWithoutSecrets(endpoint: EndpointName, text: string | null): string | null {
  if (text === null) return null
  const value = parseJson(text ?? '')
  if (value === undefined) return withoutCardNumbers(text.replaceAll(/https?:\S+/g, '•••'))
  if (endpoint !== 'getCardSensitiveInfo') return maskCardNumbersInJson(text)
  const hidden = JSON.stringify(value, (_, inner: unknown) => {
    const url = typeof inner === 'string' ? URL.parse(inner) : null
    return url ? `${url.protocol}//${url.host}/•••` : inner
  })
  return maskCardNumbersInJson(hidden)
}

type ErrorBody = { code: string | null; message: string | null }

export function parseError({ status, text }: RawExchange): ErrorBody {
  const body = status !== null && status >= 400 ? parseJson(text ?? '') : null
  return { code: textIn(body, 'code')?.slice(0, 100) ?? null, message: textIn(body, 'message') }
}

export function findDeviations(
  environment: Environment,
  name: EndpointName,
  { status, text }: RawExchange,
  requestId: string | null,
): Exchange['deviations'] {
  if (status === null) return []
  const body = parseJson(text ?? '')
  const row = endpointRow(name)
  if (status >= 400) return errorDeviations(row, status, body)
  if (body === undefined) return [{ path: '', expected: 'JSON', found: text ? 'text' : 'an empty body' }]
  const parsed = parseResponse(row.response, body, responseNames(serviceProfile(environment), name))
  if ('unexpected' in parsed) return [{ path: '', ...parsed.unexpected }]
  const { differences, unknownFields } = parsed
  if (differences.length + unknownFields.length > 0) {
    noteDeviation(environment, { name, requestId, differences, unknownFields })
  }
  const unknown = unknownFields.map((path) => ({ path, expected: 'no such field', found: 'a field' }))
  return [...differences, ...unknown]
}

function errorDeviations(row: ReturnType<typeof endpointRow>, status: number, body: unknown): Exchange['deviations'] {
  // A failure of the service itself is no error of the contract and has no code.
  if (status >= 500) return []
  const code = textIn(body, 'code')
  if (code === null) return [{ path: 'code', expected: 'an error code', found: 'none' }]
  const codes: readonly string[] = [...row.errors, ...commonErrors]
  if (!codes.includes(code))
    return [{ path: 'code', expected: 'a code of this endpoint', found: withoutCardNumbers(code).slice(0, 60) }]
  const expected = isErrorCode(code) ? errorTable[code].status : status
  return expected === status ? [] : [{ path: 'status', expected: String(expected), found: String(status) }]
}

/** The built-in service names every wrong field in its message: `accountId: must be a UUID; method: is required`. */
export function issuesFrom({ code, message }: ErrorBody, endpoint: EndpointName): PlacedIssue[] {
  if (code !== 'INVALID_PARAMETERS' || message === null) return []
  const { params, query } = endpointRow(endpoint)
  const places = new Map<string, Part>([
    ...Object.keys(query?.shape ?? {}).map((name) => [name, 'query'] as const),
    ...Object.keys(params?.shape ?? {}).map((name) => [name, 'params'] as const),
  ])
  return withoutCardNumbers(message)
    .split('; ')
    .flatMap((sentence) => {
      const [, path, problem] = /^([\w.]{1,200}): (.+)$/.exec(sentence) ?? []
      if (path === undefined || problem === undefined) return []
      return [{ part: places.get(path.split('.')[0] ?? '') ?? 'body', path, message: problem }]
    })
}
