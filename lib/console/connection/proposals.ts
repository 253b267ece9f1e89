import { z } from 'zod'
import { listCodes, innerSchema, isDecimal, recordName } from '#lib/client/contract-names.ts'
import type { Difference } from '#lib/client/parse-response.ts'
import { type HeaderNames, responseNames, type ServiceProfile } from '#lib/client/service-profile.ts'
import { type EndpointName, endpointRow } from '#lib/contract/endpoints.ts'
import { eventNames } from '#lib/contract/terms.ts'
import { isFields } from '#lib/shared/json.ts'
import { having } from '#lib/shared/provided.ts'
import { guessedList } from './guessed-list.ts'
import { isSameName } from './likeness.ts'
import { missingFields } from './missing-fields.ts'
import type { ObservedCall } from './read-calls.ts'
import type { Proposal } from './types.ts'

/** Lines for the names file. A name that differs needs configuration, not a change of code. */
export function proposalsFrom(calls: readonly ObservedCall[], profile: ServiceProfile): Proposal[] {
  const proposals = calls.flatMap((call) => [
    ...missingPath(call),
    ...wrongList(call),
    ...otherSpellings(call, profile),
    ...textAmounts(call, profile),
  ])
  const all = [
    ...proposals,
    ...missingFields(calls, profile),
    ...renamedHeaders(calls, profile),
    ...otherEventNames(calls),
  ]
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
  const received = having(calls, 'status').map(({ headers }) => headers)
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
    const known = eventNames.find((name) => isSameName(name, event))
    return known ? [{ at: ['events', event], value: known, reason: `The event "${known}" is called "${event}".` }] : []
  })
}

function missingPath({ name, verdict, endpoint }: ObservedCall): Proposal[] {
  if (verdict !== 'missing') return []
  return [{ at: ['paths', name], value: null, reason: `Enter the path of ${endpoint} on this service.` }]
}

function wrongList({ name, verdict, body, endpoint }: ObservedCall): Proposal[] {
  const key = verdict === 'unexpected form' ? guessedList(name, body) : null
  if (key === null) return []
  const reason = key === '' ? `${endpoint} returns the list itself.` : `${endpoint} returns its list as "${key}".`
  return [{ at: ['lists', name], value: key, reason }]
}

/** A field of the contract, found by its path in a response as sent. */
type FieldLocation = { record: string; field: string; schema: z.ZodType }

function locateField(name: EndpointName, path: string, profile: ServiceProfile): FieldLocation | null {
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

/** A code that differs from one of the contract only in its case and separators. */
function otherSpellings(call: ObservedCall, profile: ServiceProfile): Proposal[] {
  return call.differences.flatMap(({ path, expected, found }: Difference) => {
    const sent = /^"(.+)"$/.exec(found)?.[1]
    const location = expected.startsWith('one of ') && sent !== undefined ? locateField(call.name, path, profile) : null
    if (!location || sent === undefined) return []
    const code = listCodes(innerSchema(location.schema))?.find((known) => isSameName(known, sent))
    if (code === undefined) return []
    const field = `${location.record}.${location.field}`
    return [{ at: ['values', field, sent], value: code, reason: `${field} is "${sent}" for "${code}".` }]
  })
}

function textAmounts(call: ObservedCall, profile: ServiceProfile): Proposal[] {
  if (responseNames(profile, call.name).amountsAreText) return []
  const text = call.differences.find(({ path, expected, found }) => {
    if (expected !== 'a number' || found !== 'text') return false
    const location = locateField(call.name, path, profile)
    return location === null || isDecimal(innerSchema(location.schema))
  })
  return text ? [{ at: ['amounts'], value: 'text', reason: `Amounts are text, as in ${text.path}.` }] : []
}
