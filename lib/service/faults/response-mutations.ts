import { z } from 'zod'
import type { EndpointName } from '#lib/contract/endpoints.ts'
import { JsonValue } from '#lib/contract/fields.ts'
import { atMost } from '#lib/shared/at-most.ts'
import type { RunHandler } from '../handler.ts'
import type { RenderedResponse } from '../steps/render.ts'
import { isJsonPath, type Location, locationsAt, removeAt, setAt } from './json-path.ts'

/** How a fault changes a response: a kind of `mutationKinds` with its options. */
export type ResponseMutation = { kind: string; at?: string | undefined; [option: string]: unknown }

type MutationKind = {
  options: z.ZodRawShape
  /** The response can come without the endpoint's work, where the fault says `after: false`. */
  canReplaceWork?: true
  /** The work is rolled back, and the response says that it was done. */
  rollsBack?: true
  /** The endpoints that know the kind; all of them where it is left out. */
  endpoints?: readonly EndpointName[]
  /** The query that the endpoint gets instead of the one of the request. */
  search?: (search: string) => string
  /** Handles the body of the request in place of the endpoint's own handler, which is `run`. */
  handle?: (mutation: ResponseMutation, body: unknown, run: RunHandler) => Promise<unknown>
  apply: (response: RenderedResponse, mutation: ResponseMutation) => RenderedResponse
}

const path = z.string('must be a JSON path').refine(isJsonPath, 'must be a JSON path such as cardaccounts[*].balance')
const fieldName = z
  .string('must be a name')
  .regex(/^[^.[\]]{1,100}$/, 'must be a name of 1 to 100 characters without . [ ]')

/** A kind that changes each field that `at` names. */
function fieldKind<Options extends z.ZodRawShape>(
  options: Options,
  change: (location: Location, options: z.output<z.ZodObject<Options>>) => void,
  at: z.ZodType = path,
): MutationKind {
  return {
    options: { at, ...options },
    apply: (response, mutation) =>
      withJson(response, (json) => {
        for (const location of locationsAt(json, mutation.at ?? '').toReversed()) {
          change(location, mutation as unknown as z.output<z.ZodObject<Options>>)
        }
      }),
  }
}

/** A kind that replaces the whole response. */
function responseKind<Options extends z.ZodRawShape>(
  options: Options,
  replace: (response: RenderedResponse, options: z.output<z.ZodObject<Options>>) => RenderedResponse,
): MutationKind {
  return {
    options,
    canReplaceWork: true,
    apply: (response, mutation) => replace(response, mutation as unknown as z.output<z.ZodObject<Options>>),
  }
}

/** The token of `repeat-token`: a request with it gets the first page again. */
const repeatedToken = 'the-same-page-again'
const nextPageToken = path.default('nextPageToken')
const wholeNumber = (least: number, most: number, fallback: number) =>
  z
    .int('must be a whole number')
    .min(least, `must be ${least} to ${most}`)
    .max(most, `must be ${least} to ${most}`)
    .default(fallback)

/** Every kind of mutation by its name. A test makes a case of each field and kind from `responseFields` and this table. */
export const mutationKinds: Readonly<Record<string, MutationKind>> = {
  drop: fieldKind({}, removeAt),
  null: fieldKind({}, (location) => setAt(location, null)),
  value: fieldKind({ value: JsonValue }, (location, { value }) => setAt(location, value)),
  string: fieldKind({}, (location) => {
    const { value } = location
    if (value === null || value === undefined) return
    setAt(location, typeof value === 'string' ? value : JSON.stringify(value))
  }),
  number: fieldKind({}, (location) => {
    const number = Number(location.value)
    setAt(location, Number.isFinite(number) ? number : 0)
  }),
  rename: fieldKind({ to: fieldName.optional() }, (location, { to }) => {
    const { holder, key, value } = location
    if (Array.isArray(holder) || value === undefined) return
    removeAt(location)
    setAt({ holder, key: to ?? `${key}Renamed`, value }, value)
  }),
  'unknown-enum': fieldKind({ value: z.string('must be a string').default('SOMETHING_NEW') }, (location, { value }) =>
    setAt(location, value),
  ),
  'upper-case': fieldKind({}, (location) => {
    if (typeof location.value === 'string') setAt(location, location.value.toUpperCase())
  }),
  epoch: fieldKind({ unit: z.enum(['s', 'ms'], 'must be s or ms').default('ms') }, (location, { unit }) => {
    const instantMs = typeof location.value === 'string' ? Date.parse(location.value) : Number.NaN
    if (Number.isNaN(instantMs)) return
    setAt(location, unit === 's' ? Math.floor(instantMs / 1000) : instantMs)
  }),

  'list-key': {
    options: { to: fieldName.default('data') },
    apply: (response, { to }) =>
      withJson(response, (json) => {
        const [key, value] = Object.entries(json).find(([, value]) => Array.isArray(value)) ?? []
        if (key === undefined || Array.isArray(json)) return
        delete json[key]
        json[String(to)] = value
      }),
  },
  'empty-token': fieldKind({}, (location) => setAt(location, ''), nextPageToken),
  'huge-token': fieldKind(
    { length: wholeNumber(1, 1e6, 8192) },
    (location, { length }) => setAt(location, 'A'.repeat(length)),
    nextPageToken,
  ),
  'repeat-token': {
    ...fieldKind({}, (location) => setAt(location, repeatedToken), nextPageToken),
    search: (search) => {
      const query = new URLSearchParams(search)
      query.delete('pageToken', repeatedToken)
      return query.toString()
    },
  },

  html: responseKind({ status: wholeNumber(200, 599, 200) }, (_, { status }) => ({
    status,
    body: '<!doctype html><html><head><title>Gateway</title></head><body><h1>Please sign in</h1></body></html>',
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
  })),
  redirect: responseKind(
    {
      status: wholeNumber(300, 308, 302),
      location: z
        .string('must be a string')
        .regex(/^[\x21-\x7e]{1,2000}$/, 'must be an address')
        .default('/login'),
    },
    (_, { status, location }) => ({ status, body: '', headers: { 'Content-Type': 'text/html', Location: location } }),
  ),
  'no-content': responseKind({}, () => ({ status: 204, body: '' })),
  body: responseKind({ status: wholeNumber(200, 599, 200), value: JsonValue.optional() }, (_, { status, value }) => ({
    status,
    body: value === undefined ? '' : JSON.stringify(value),
  })),
  truncated: {
    options: {},
    apply: (response) => ({ ...response, body: response.body.slice(0, Math.floor(response.body.length / 2)) }),
  },

  'no-effect': {
    ...fieldKind(
      { value: JsonValue.optional() },
      (location, { value }) => setAt(location, value ?? null),
      path.optional(),
    ),
    rollsBack: true,
  },
  unsuccessful: {
    options: {
      at: z
        .string('must be [*] or a position such as [0]')
        .regex(/^\[(\*|\d{1,6})\]$/, 'must be [*] or a position such as [0]')
        .default('[*]'),
      error: z
        .string('must be a string')
        .max(...atMost(1000))
        .default('limit not changed'),
    },
    endpoints: ['setFixedLimit'],
    handle: refuseLimits,
    apply: (response) => response,
  },
}

export const mutationKindNames = Object.keys(mutationKinds)

const Options = z.discriminatedUnion(
  'kind',
  mutationKindNames.map((kind) => z.strictObject({ kind: z.literal(kind), ...mutationKinds[kind]?.options })) as [
    z.ZodObject<{ kind: z.ZodLiteral<string> }>,
  ],
  {
    error: ({ input }) =>
      typeof input === 'object' && input !== null
        ? `must be one of ${mutationKindNames.join(', ')}`
        : 'must be an object',
  },
)

/** The `shape` of a fault, with the defaults of its kind. */
export const ResponseMutation = Options as unknown as z.ZodType<ResponseMutation>

export function findMutationKind({ kind }: ResponseMutation): MutationKind {
  const found = mutationKinds[kind]
  if (!found) throw new Error(`there is no mutation of the kind ${kind}`)
  return found
}

/** Applies the mutation to a response. Only a successful response is changed. */
export function mutateResponse(mutation: ResponseMutation, response: RenderedResponse): RenderedResponse {
  return response.status === 200 ? findMutationKind(mutation).apply(response, mutation) : response
}

/**
 * Splits a request for limits by an `unsuccessful` shape: the items that `at` names reach no account, and their
 * results have `success: false` with the error. `run` sets the limits of the others.
 */
async function refuseLimits({ at = '[*]', error }: ResponseMutation, body: unknown, run: RunHandler): Promise<unknown> {
  const refused = (item: unknown) => {
    const { cardAccountId = null, limit = null } = (item ?? {}) as { cardAccountId?: unknown; limit?: unknown }
    return { cardAccountId, limit, success: false, error }
  }
  if (!Array.isArray(body)) return refused(body)
  const isRefused = (index: number) => at === '[*]' || at === `[${index}]`
  const results = await run(body.map((item, index) => (isRefused(index) ? null : item)))
  return (results as unknown[]).map((result, index) => (isRefused(index) ? refused(body[index]) : result))
}

function withJson(response: RenderedResponse, change: (json: Record<string, unknown>) => void): RenderedResponse {
  const json = JSON.parse(response.body) as Record<string, unknown>
  change(json)
  return { ...response, body: JSON.stringify(json) }
}
