import { z } from 'zod'
import { codesOf, innerSchema, isDecimal, recordName } from '#lib/client/contract-names.ts'
import { type Difference, parseResponse } from '#lib/client/parse-response.ts'
import { type HeaderNames, responseNames, type ServiceProfile } from '#lib/client/service-profile.ts'
import { type EndpointName, endpointRow } from '#lib/contract/endpoints.ts'
import { eventNames } from '#lib/contract/terms.ts'
import { isFields } from '#lib/shared/json.ts'
import type { ObservedCall } from './read-calls.ts'
import type { Proposal } from './shapes.ts'

/** Lines for the names file. A name that differs needs configuration, not a change of code. */
export function proposalsFrom(calls: readonly ObservedCall[], profile: ServiceProfile): Proposal[] {
  const proposals = calls.flatMap((call) => [
    ...missingPath(call),
    ...wrongList(call),
    ...renamedFields(call, profile),
    ...otherSpellings(call, profile),
    ...textAmounts(call, profile),
  ])
  const all = [...proposals, ...renamedHeaders(calls, profile), ...otherEventNames(calls)]
  return [...new Map(all.map((proposal) => [proposal.at.join('\n'), proposal])).values()]
}

/** The names that the service has for response headers, and their values. */
const headerForms: Partial<Record<keyof HeaderNames, { name: RegExp; value: RegExp }>> = {
  requestId: { name: /(?:request|correlation|trace)-?id$/, value: /./ },
  rateLimit: { name: /rate-?limit(?!.*(?:remaining|reset|used|policy))/, value: /^\d+$/ },
  rateLimitRemaining: { name: /rate-?limit.*remaining/, value: /^\d+$/ },
}

/** A header that no response has, where every response has one other header that is like it. */
function renamedHeaders(calls: readonly ObservedCall[], { headers: names }: ServiceProfile): Proposal[] {
  const received = calls.filter(({ status }) => status !== null).map(({ headers }) => headers)
  return (Object.keys(headerForms) as (keyof typeof headerForms)[]).flatMap((key) => {
    const form = headerForms[key]
    if (!form || received.length === 0 || received.some((headers) => headers[names[key]] !== undefined)) return []
    const isAlike = (headers: ObservedCall['headers'], name: string) => form.value.test(String(headers[name] ?? ''))
    const alike = Object.keys(received[0] ?? {}).filter(
      (name) => form.name.test(name) && received.every((headers) => isAlike(headers, name)),
    )
    const [only] = alike
    if (only === undefined || alike.length > 1) return []
    return [{ at: ['headers', key], value: only, reason: `Responses have "${only}" for "${names[key]}".` }]
  })
}

/** An event of a webhook that differs from one of the contract only in its case and separators. */
function otherEventNames(calls: readonly ObservedCall[]): Proposal[] {
  const list = calls.find(({ name }) => name === 'listWebhooks')?.record
  const webhooks = isFields(list) && Array.isArray(list.webhooks) ? (list.webhooks as unknown[]) : []
  const sent = webhooks.flatMap((webhook) => (isFields(webhook) && Array.isArray(webhook.events) ? webhook.events : []))
  return sent.flatMap((event: unknown) => {
    if (typeof event !== 'string' || eventNames.some((known) => known === event)) return []
    const known = eventNames.find((name) => normal(name) === normal(event))
    return known ? [{ at: ['events', event], value: known, reason: `The event "${known}" is called "${event}".` }] : []
  })
}

function missingPath({ name, verdict, endpoint }: ObservedCall): Proposal[] {
  if (verdict !== 'missing') return []
  return [{ at: ['paths', name], value: null, reason: `Enter the path of ${endpoint} on this service.` }]
}

/** The list's key where a response has one list under another key, or is the list itself; null where that isn't clear. */
export function guessedList(name: EndpointName, body: unknown): string | null {
  if (Array.isArray(body)) return ''
  if (!isFields(body)) return null
  const wanted = listName(name)
  if (wanted === null) return null
  const keys = Object.keys(body).filter((key) => Array.isArray(body[key]))
  const [only] = keys
  if (keys.length === 1 && only !== undefined) return only
  return keys.find((key) => normal(key) === normal(wanted)) ?? null
}

/** The contract's key of a response's list; '' where the response is the list. */
function listName(name: EndpointName): string | null {
  const response = innerSchema(endpointRow(name).response)
  if (response instanceof z.ZodArray) return ''
  if (!(response instanceof z.ZodObject)) return null
  return Object.entries(response.shape).find(([, field]) => field instanceof z.ZodArray)?.[0] ?? null
}

function wrongList({ name, verdict, body, endpoint }: ObservedCall): Proposal[] {
  const key = verdict === 'unexpected form' ? guessedList(name, body) : null
  if (key === null) return []
  const reason = key === '' ? `${endpoint} returns the list itself.` : `${endpoint} returns its list as "${key}".`
  return [{ at: ['lists', name], value: key, reason }]
}

/** A field of the contract, found by its path in a response as sent. */
type FieldLocation = { record: string; field: string; schema: z.ZodType }

function locationOf(name: EndpointName, path: string, profile: ServiceProfile): FieldLocation | null {
  let schema = innerSchema(endpointRow(name).response)
  let location: FieldLocation | null = null
  let key = ''
  for (const part of path.split('.')) {
    const sent = part.replaceAll('[*]', '')
    if (sent !== '') {
      if (schema instanceof z.ZodUnion) schema = optionWith(schema, sent)
      if (!(schema instanceof z.ZodObject)) return null
      const record = recordName(schema, key)
      const renamed = Object.entries(profile.fields[record] ?? {}).find(([, service]) => service === sent)
      const field = renamed?.[0] ?? sent
      const of: unknown = schema.shape[field]
      if (!(of instanceof z.ZodType)) return null
      location = { record, field, schema: of }
      key = `${record}.${field}`
      schema = innerSchema(of)
    }
    if (part.includes('[*]')) {
      if (!(schema instanceof z.ZodArray)) return null
      schema = innerSchema(schema.element as z.ZodType)
    }
  }
  return location
}

function optionWith(schema: z.ZodUnion, field: string): z.ZodType {
  const options = (schema.options as z.ZodType[]).map(innerSchema)
  return options.find((option) => option instanceof z.ZodObject && field in option.shape) ?? schema
}

/** The values at a path of a response, each of which is there. */
function valuesAt(call: ObservedCall, path: string, profile: ServiceProfile): unknown[] {
  const { name, body } = call
  const list = profile.lists[name] ?? (call.verdict === 'unexpected form' ? guessedList(name, body) : null)
  const first = listName(name)
  const isRenamed = list !== null && first !== null && first !== ''
  const outer = isRenamed ? { [first]: Array.isArray(body) ? body : isFields(body) ? body[list] : undefined } : {}
  let values: unknown[] = [isFields(body) || isRenamed ? { ...(isFields(body) ? body : {}), ...outer } : body]
  for (const part of path.split('.')) {
    const key = part.replaceAll('[*]', '')
    if (key !== '') values = values.map((value) => (isFields(value) ? value[key] : undefined))
    if (part.includes('[*]')) values = values.flatMap((value) => (Array.isArray(value) ? value : []))
  }
  return values.filter((value) => value !== undefined && value !== null).slice(0, 50)
}

const parentOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('.')))
const lastOf = (path: string) => path.slice(path.lastIndexOf('.') + 1)

/** A missing field beside an unknown one whose values fit and whose name is alike, or which is the only one that fits. */
function renamedFields(call: ObservedCall, profile: ServiceProfile): Proposal[] {
  const missing = call.differences.filter(({ found, path }) => found === 'nothing' && path !== '')
  const pairs = missing.flatMap(({ path }) => {
    const location = locationOf(call.name, path, profile)
    if (!location) return []
    const beside = call.unknownFields.filter((unknown) => parentOf(unknown) === parentOf(path))
    const fitting = beside.filter((unknown) => fits(location, valuesAt(call, unknown, profile)))
    const isOnly = fitting.length === 1 && missing.filter((one) => parentOf(one.path) === parentOf(path)).length === 1
    return fitting.map((unknown) => ({
      location,
      unknown,
      likeness: Math.max(
        likeness(location.field, lastOf(unknown)),
        isOnly && !isFreeText(location.schema) ? leastLikeness : 0,
      ),
    }))
  })
  const taken = new Set<string>()
  return pairs
    .filter((pair) => pair.likeness >= leastLikeness)
    .toSorted((one, other) => other.likeness - one.likeness)
    .flatMap(({ location: { record, field }, unknown }) => {
      if (taken.has(`${record}.${field}`) || taken.has(unknown)) return []
      taken.add(`${record}.${field}`).add(unknown)
      const service = lastOf(unknown)
      return [{ at: ['fields', record, field], value: service, reason: `${record} has "${service}" for "${field}".` }]
    })
}

const leastLikeness = 0.4

function isFreeText(schema: z.ZodType): boolean {
  const inner = innerSchema(schema)
  return (
    !(inner instanceof z.ZodNumber || inner instanceof z.ZodBoolean || inner instanceof z.ZodObject) && !codesOf(inner)
  )
}

/**
 * Whether every value could be the field's: none is malformed. Amounts as text count, since that is a separate
 * difference.
 */
function fits({ schema }: FieldLocation, values: readonly unknown[]): boolean {
  if (values.length === 0) return false
  const codes = codesOf(innerSchema(schema))
  if (codes && !values.some((value) => codes.some((code) => normal(code) === normal(String(value))))) return false
  const field = z.object({ value: schema })
  const names = { list: undefined, fields: {}, values: {}, amountsAreText: true }
  return values.every((value) => {
    const parsed = parseResponse(field, { value }, names)
    if ('unexpected' in parsed) return false
    return parsed.differences.every(({ expected }) => expected.startsWith('one of ') && typeof value === 'string')
  })
}

function normal(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

/** From 0 to 1: the share of letter pairs that two names have in common, whatever their case and separators. */
function likeness(one: string, other: string): number {
  const [a, b] = [normal(one), normal(other)]
  if (a === b) return 1
  if (a.includes(b) || b.includes(a)) return 0.8
  const pairs = (text: string) => Array.from({ length: text.length - 1 }, (_, at) => text.slice(at, at + 2))
  const [first, second] = [pairs(a), pairs(b)]
  const rest = [...second]
  const common = first.filter((pair) => {
    const at = rest.indexOf(pair)
    if (at >= 0) rest.splice(at, 1)
    return at >= 0
  }).length
  return (2 * common) / Math.max(1, first.length + second.length)
}

/** A code that differs from one of the contract only in its case and separators. */
function otherSpellings(call: ObservedCall, profile: ServiceProfile): Proposal[] {
  return call.differences.flatMap(({ path, expected, found }: Difference) => {
    const sent = /^"(.+)"$/.exec(found)?.[1]
    const location = expected.startsWith('one of ') && sent !== undefined ? locationOf(call.name, path, profile) : null
    if (!location || sent === undefined) return []
    const code = codesOf(innerSchema(location.schema))?.find((known) => normal(known) === normal(sent))
    if (code === undefined) return []
    const field = `${location.record}.${location.field}`
    return [{ at: ['values', field, sent], value: code, reason: `${field} is "${sent}" for "${code}".` }]
  })
}

function textAmounts(call: ObservedCall, profile: ServiceProfile): Proposal[] {
  if (responseNames(profile, call.name).amountsAreText) return []
  const text = call.differences.find(({ path, expected, found }) => {
    if (expected !== 'a number' || found !== 'text') return false
    const location = locationOf(call.name, path, profile)
    return location === null || isDecimal(innerSchema(location.schema))
  })
  return text ? [{ at: ['amounts'], value: 'text', reason: `Amounts are text, as in ${text.path}.` }] : []
}
