import { type EndpointName, endpointRow } from '#lib/contract/endpoints.ts'
import { responseFields } from '#lib/contract/response-fields.ts'
import { locationsAt, removeAt, setAt, type Location } from '#lib/service/faults/json-path.ts'
import type { ServiceCaller } from './service-caller.ts'

export type Fault = Omit<Parameters<ServiceCaller['control']['armFault']>[0], 'path' | 'method'>
export type Target = { path: string; query?: Record<string, string> }

/** Prints a problem of the full form as it is found: a run takes long. */
export function reported(problem: string): string {
  console.log(problem.slice(0, 1500))
  return problem
}

/** The name and the value that take a field’s place; null where it is left out. */
type Change = (key: string, value: unknown) => [key: string, value: unknown] | null

/** The response of an endpoint with each value that is not an object or a list changed. */
function withValues(change: Change) {
  const changed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(changed)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).flatMap(([key, item]) => entry(key, item)))
  }
  const entry = (key: string, value: unknown): [string, unknown][] => {
    // Metadata is shown as it was sent, whatever it holds.
    if (key === 'xmetadata') return [[key, value]]
    if (key.endsWith('PageToken')) return [[key, null]]
    if (typeof value === 'object' && value !== null) return [[key, changed(value)]]
    const after = change(key, value)
    return after ? [after] : []
  }
  return async (service: ServiceCaller, { path, query }: Target): Promise<Fault> => {
    const { body } = await service.get(path, { ...query, pageSize: '100' })
    return { shape: { kind: 'body', value: changed(body) } }
  }
}

/** Changes each value but those of `id`: a record without an id is left out. */
function withValue(change: (value: unknown, key: string) => unknown) {
  return withValues((key, value) => [key, key === 'id' ? value : change(value, key)])
}

const codes = /^(status|subStatus|type|intent|method|entryType|accountType|disputeStatus|identityType|network)$/
const always = (fault: Fault) => async (): Promise<Fault> => fault
/** The next request fails, and its repetition does not. */
const once = (fault: Fault) => always({ ...fault, times: 1 })

export type PageKind = {
  title: string
  /** The kind of `shapeOptions` that it tries. */
  shape?: string
  fault: (service: ServiceCaller, target: Target) => Promise<Fault>
  /** What the page says of a response that it needs; null where the page shows the records. */
  says: ((path: string) => RegExp) | null
  /** The page shows no more amounts of 0.00 than usual. With unknown codes the sums of the known ones are of nothing. */
  invents?: false
}

const emptyBody = (path: string) => new RegExp(`GET ${path} returned an empty body`)

/** What a service sends in place of its usual response. `npm run e2e` tries some of them. */
export const pageKinds: readonly PageKind[] = [
  { title: 'null everywhere', shape: 'null', fault: withValue(() => null), says: null, invents: false },
  {
    title: 'numbers as text',
    shape: 'string',
    fault: withValue((value) => (typeof value === 'number' ? String(value) : value)),
    says: null,
    invents: false,
  },
  {
    title: 'unknown codes',
    shape: 'unknown-enum',
    fault: withValue((value, key) => (codes.test(key) && value !== null ? 'SOMETHING_NEW' : value)),
    says: null,
  },
  {
    title: 'the list under another key',
    shape: 'list-key',
    fault: always({ shape: { kind: 'list-key' } }),
    says: (path) => new RegExp(`GET ${path} returned .*"data"`),
  },
  {
    title: 'an HTML page',
    shape: 'html',
    fault: always({ shape: { kind: 'html' } }),
    says: (path) => new RegExp(`GET ${path} returned an HTML page`),
  },
  { title: 'a 401', fault: always({ status: 401 }), says: () => /access key|credential|Authentication/i },
  { title: 'a 404', fault: always({ status: 404 }), says: () => /no such|not found|isn’t available on this service/i },
  { title: 'an empty 200', shape: 'body', fault: always({ shape: { kind: 'body' } }), says: emptyBody },
  { title: 'a 204', shape: 'no-content', fault: always({ shape: { kind: 'no-content' } }), says: emptyBody },
  { title: 'a redirect', shape: 'redirect', fault: always({ shape: { kind: 'redirect' } }), says: () => /redirected/ },
  { title: 'a 403', fault: always({ status: 403 }), says: () => /\w/ },
  { title: 'a 400', fault: always({ status: 400 }), says: () => /\w/ },
  {
    title: 'half of the JSON text',
    shape: 'truncated',
    fault: always({ shape: { kind: 'truncated' } }),
    says: (path) => new RegExp(`GET ${path} `),
  },
  {
    title: 'other JSON',
    fault: always({ shape: { kind: 'body', value: { ok: true } } }),
    says: (path) => new RegExp(`GET ${path} `),
  },
  {
    title: 'JSON null',
    fault: always({ shape: { kind: 'body', value: null } }),
    says: (path) => new RegExp(`GET ${path} `),
  },
  {
    title: 'numbers where text belongs',
    shape: 'number',
    fault: withValue((value) => (typeof value === 'string' ? 17 : value)),
    says: null,
  },
  {
    title: 'objects everywhere',
    shape: 'value',
    fault: withValue(() => ({ unexpected: [true] })),
    says: null,
    invents: false,
  },
  {
    title: 'no field but the id',
    shape: 'drop',
    fault: withValues((key, value) => (key === 'id' ? [key, value] : null)),
    says: null,
    invents: false,
  },
  {
    title: 'every field under another name',
    shape: 'rename',
    fault: withValues((key, value) => [key === 'id' ? key : `${key}Renamed`, value]),
    says: null,
    invents: false,
  },
  {
    title: 'ids in upper case',
    shape: 'upper-case',
    fault: withValues((key, value) => [
      key,
      /^id$|Id$/.test(key) && typeof value === 'string' ? value.toUpperCase() : value,
    ]),
    says: null,
    invents: false,
  },
  {
    title: 'times as numbers',
    shape: 'epoch',
    fault: withValue((value) =>
      typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? Math.floor(Date.parse(value) / 1000) : value,
    ),
    says: null,
    invents: false,
  },
  { title: 'an empty page token', shape: 'empty-token', fault: always({ shape: { kind: 'empty-token' } }), says: null },
  { title: 'a page token of 8 kB', shape: 'huge-token', fault: always({ shape: { kind: 'huge-token' } }), says: null },
  {
    title: 'the same page again and again',
    shape: 'repeat-token',
    fault: always({ shape: { kind: 'repeat-token' } }),
    says: null,
  },
  { title: 'one 429', fault: once({ status: 429 }), says: null },
  { title: 'one 503', fault: once({ status: 503 }), says: null },
  { title: 'one dropped connection', fault: once({ status: 0 }), says: null },
]

type FieldKind = Pick<PageKind, 'title' | 'fault'>

const ways: Record<string, (location: Location) => void> = {
  'an object': (location) => setAt(location, { unexpected: [true] }),
  null: (location) => setAt(location, null),
  missing: removeAt,
  'a number': (location) => setAt(location, 17),
  'a list': (location) => setAt(location, [[]]),
  'other text': (location) => setAt(location, 'SOMETHING_NEW'),
  'empty text': (location) => setAt(location, ''),
}
const fieldsAtOnce = 6

/** Every field of an endpoint's response, some at a time, and each in another way. Lists and ids have kinds of their own. */
export function fieldKinds(name: EndpointName): FieldKind[] {
  const names = Object.keys(ways)
  const paths = responseFields(endpointRow(name)).map(({ path }) => path)
  const isList = (path: string) => path.endsWith(']') || paths.some((other) => other.startsWith(`${path}[`))
  const fields = paths
    .filter((path) => !isList(path) && !/(^|\.)id$/.test(path))
    .map((path, index) => ({ path, way: names[index % names.length] ?? 'null' }))
    // A field within another one first: the other one may take it away.
    .toReversed()
  const groups = Map.groupBy(fields, (_, index) => Math.floor(index / fieldsAtOnce))
  return [...groups.values()].map((group) => ({
    title: group.map(({ path, way }) => `${path} ${way}`).join(', '),
    fault: async (service, { path, query }) => {
      const { body } = await service.get(path, { ...query, pageSize: '100' })
      for (const field of group)
        for (const location of locationsAt(body, field.path).toReversed()) ways[field.way]?.(location)
      return { shape: { kind: 'body', value: body } }
    },
  }))
}

/** What a service sends in response to an action, with and without its effect. */
export type ActionKind = {
  title: string
  shape?: string
  /** Null for an endpoint whose response has no such field. */
  fault: (endpoint: EndpointName) => Fault | null
  /** Nothing but a record that shows the change distinguishes this response from a success. */
  looksDone?: true
}

const given = (fault: Fault) => (): Fault => fault
const untrue = { success: false, error: 'not today' }

/** The kind of shape at the field, or at the field of the response that takes its place. */
function atField(kind: string, field: 'id' | 'status', value?: unknown) {
  return (endpoint: EndpointName): Fault | null => {
    const paths = responseFields(endpointRow(endpoint)).map(({ path }) => path)
    const instead = field === 'id' ? paths.find((path) => /^(cardAccountId|success)$/.test(path)) : undefined
    const at = paths.includes(field) ? field : instead
    return at === undefined ? null : { shape: { kind, at, ...(value === undefined ? {} : { value }) } }
  }
}

export const actionKinds: readonly ActionKind[] = [
  { title: 'a 204 after the effect', shape: 'no-content', fault: given({ shape: { kind: 'no-content' } }) },
  { title: 'a 204 without effect', fault: given({ shape: { kind: 'no-content' }, after: false }), looksDone: true },
  { title: 'an empty 200 after the effect', fault: given({ shape: { kind: 'body' } }) },
  {
    title: 'other JSON after the effect',
    shape: 'body',
    fault: given({ shape: { kind: 'body', value: { ok: true } } }),
  },
  {
    title: 'other JSON without effect',
    fault: given({ shape: { kind: 'body', value: { ok: true } }, after: false }),
    looksDone: true,
  },
  { title: 'an HTML page after the effect', shape: 'html', fault: given({ shape: { kind: 'html' } }) },
  { title: 'an HTML page without effect', fault: given({ shape: { kind: 'html' }, after: false }) },
  { title: 'a redirect after the effect', shape: 'redirect', fault: given({ shape: { kind: 'redirect' } }) },
  { title: 'half of the JSON text', shape: 'truncated', fault: given({ shape: { kind: 'truncated' } }) },
  { title: 'a record without its id', shape: 'drop', fault: atField('drop', 'id') },
  { title: 'an id under another name', shape: 'rename', fault: atField('rename', 'id') },
  { title: 'an id that is an object', shape: 'value', fault: atField('value', 'id', { a: 1 }) },
  { title: 'an id in upper case', shape: 'upper-case', fault: atField('upper-case', 'id') },
  { title: 'a status of null', shape: 'null', fault: atField('null', 'status') },
  { title: 'an unknown status', shape: 'unknown-enum', fault: atField('unknown-enum', 'status') },
  { title: 'a 401', fault: given({ status: 401 }) },
  { title: 'a 403', fault: given({ status: 403 }) },
  { title: 'a 404', fault: given({ status: 404 }) },
  { title: 'a 400 with an unknown code', fault: given({ status: 400, code: 'NOT_TODAY', message: 'Not today.' }) },
  { title: 'success: false', fault: given({ shape: { kind: 'body', value: untrue }, after: false }) },
  {
    title: 'an item that is refused',
    shape: 'unsuccessful',
    fault: (endpoint) =>
      endpoint === 'setFixedLimit' ? { shape: { kind: 'unsuccessful', error: 'not today' } } : null,
  },
  {
    title: 'a success without effect',
    shape: 'no-effect',
    fault: given({ shape: { kind: 'no-effect' } }),
    looksDone: true,
  },
  { title: 'a 500 after the effect', fault: given({ status: 500, after: true, times: 1 }) },
  { title: 'a dropped connection after the effect', fault: given({ status: 0, after: true, times: 1 }) },
  { title: 'a 503 without effect', fault: given({ status: 503, times: 1 }) },
]
