import { z } from 'zod'
import { listCodes, innerSchema, outerRecord, recordName, responseList } from '#lib/client/contract-names.ts'
import { parseResponse } from '#lib/client/parse-response.ts'
import type { ServiceProfile } from '#lib/client/service-profile.ts'
import { endpointRow } from '#lib/contract/endpoints.ts'
import { isUuid } from '#lib/shared/ids.ts'
import { isFields } from '#lib/shared/json.ts'
import { present } from '#lib/shared/provided.ts'
import { guessedList } from './guessed-list.ts'
import { isSameName, likeness } from './likeness.ts'
import type { ObservedCall } from './read-calls.ts'
import type { Proposal } from './types.ts'

/**
 * A field that no object of a record has: proposed is an unknown field whose values fit and whose name is alike, or which
 * is the only one that fits. Where there is none, a person is asked for the name.
 */
export function missingFields(calls: readonly ObservedCall[], profile: ServiceProfile): Proposal[] {
  return sentRecords(calls, profile).flatMap((sent) => {
    const { record, fields, objects } = sent
    const names = [...new Set(objects.flatMap(Object.keys))]
    const missing = [...fields].filter(([name, { schema }]) => isRequired(schema) && !names.includes(name))
    const unknown = names.filter((name) => !fields.has(name))
    const pairs = missing.flatMap(([, { field, schema }]) =>
      unknown.flatMap((name) => {
        const values = present(objects.map((object) => object[name]))
        return fits(field, schema, name, values) ? [{ field, schema, name, values }] : []
      }),
    )
    const proposed = renamed(record, pairs, missing.length)
    const isProposed = (field: string) => proposed.some(({ at }) => at.at(-1) === field)
    const asked = missing.filter(([, { field }]) => record !== outerRecord && !isProposed(field))
    return [
      ...proposed,
      ...asked.map(([, { field }]) => ({
        at: ['fields', record, field],
        value: null,
        reason: `No field found for ${record}.${field}. Enter its name on this service, or leave the line out if it has none.`,
      })),
    ]
  })
}

/** The objects of a record in all responses, as sent, with the record's fields by the names that the service should have. */
export type SentRecord = {
  record: string
  fields: Map<string, { field: string; schema: z.ZodType }>
  objects: Fields[]
}
type Fields = Record<string, unknown>

const maximumObjects = 200

/** Each record of the contract with its objects, wherever a response has them. */
export function sentRecords(calls: readonly ObservedCall[], profile: ServiceProfile): SentRecord[] {
  const records = new Map<string, SentRecord>()
  const visit = (given: z.ZodType, value: unknown, key: string): void => {
    const schema = innerSchema(given)
    if (schema instanceof z.ZodUnion) {
      visit(isFields(value) ? optionLike(schema, value) : (schema.options[0] as z.ZodType), value, key)
    } else if (schema instanceof z.ZodArray && Array.isArray(value)) {
      for (const item of value as unknown[]) visit(schema.element as z.ZodType, item, key)
    } else if (schema instanceof z.ZodObject && isFields(value)) {
      const record = recordName(schema, key)
      const names = profile.fields[record] ?? {}
      const fields = Object.entries(schema.shape).map(
        ([field, of]) => [names[field] ?? field, { field, schema: of as z.ZodType }] as const,
      )
      const sent: SentRecord = records.get(record) ?? { record, fields: new Map(fields), objects: [] }
      records.set(record, sent)
      if (sent.objects.length < maximumObjects) sent.objects.push(value)
      for (const [name, { field, schema: of }] of fields) visit(of, value[name], `${record}.${field}`)
    }
  }
  for (const call of calls) {
    if (call.records > 0) visit(endpointRow(call.name).response, underListName(call, profile), '')
  }
  return [...records.values()]
}

/** A response's body whose list has the key of the contract. */
function underListName({ name, verdict, body }: ObservedCall, profile: ServiceProfile): unknown {
  const list = profile.lists[name] ?? (verdict === 'unexpected form' ? guessedList(name, body) : null)
  const wanted = responseList(name)?.key
  if (list === null || !wanted) return body
  if (Array.isArray(body)) return { [wanted]: body as unknown[] }
  return isFields(body) ? { ...body, [wanted]: body[list] } : body
}

function optionLike(schema: z.ZodUnion, value: Fields): z.ZodType {
  const options = (schema.options as z.ZodType[]).map(innerSchema)
  const common = (option: z.ZodType) =>
    option instanceof z.ZodObject ? Object.keys(option.shape).filter((key) => key in value).length : 0
  return options.toSorted((one, other) => common(other) - common(one))[0] ?? schema
}

function isRequired(schema: z.ZodType): boolean {
  return !(schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
}

type Pair = { field: string; schema: z.ZodType; name: string; values: readonly unknown[] }

function renamed(record: string, pairs: readonly Pair[], missing: number): Proposal[] {
  // Any value fits a text, so a text is no rival of a code or a number.
  const rivals = pairs.filter(({ schema }) => !isText(schema))
  const isOnly = ({ field, name }: Pair) => rivals.every((other) => (other.field === field) === (other.name === name))
  const alike = (pair: Pair): number => {
    const codes = listCodes(innerSchema(pair.schema))
    const hasItsValues = codes
      ? pair.values.every((value) => codes.some((code) => isSameName(code, String(value))))
      : missing === 1 && !isText(pair.schema)
    return Math.max(likeness(pair.field, pair.name), hasItsValues && isOnly(pair) ? leastLikeness : 0)
  }
  const taken = new Set<string>()
  return pairs
    .map((pair) => ({ ...pair, likeness: alike(pair) }))
    .filter((pair) => pair.likeness >= leastLikeness)
    .toSorted((one, other) => other.likeness - one.likeness)
    .flatMap(({ field, name }) => {
      if (taken.has(`field ${field}`) || taken.has(`name ${name}`)) return []
      taken.add(`field ${field}`).add(`name ${name}`)
      return [{ at: ['fields', record, field], value: name, reason: `${record} has "${name}" for "${field}".` }]
    })
}

const leastLikeness = 0.4

function isText(schema: z.ZodType): boolean {
  const inner = innerSchema(schema)
  const isOther = inner instanceof z.ZodNumber || inner instanceof z.ZodBoolean || inner instanceof z.ZodObject
  return !isOther && !listCodes(inner)
}

/**
 * Whether every value could be the field's: none is malformed, and an id is only an id. Amounts as text count, since that is
 * a separate difference.
 */
function fits(name: string, schema: z.ZodType, sent: string, values: readonly unknown[]): boolean {
  if (values.length === 0) return false
  if (!isIdName(name) && (isIdName(sent) || values.every(isIdValue))) return false
  const codes = listCodes(innerSchema(schema))
  if (codes && !values.some((value) => codes.some((code) => isSameName(code, String(value))))) return false
  const field = z.object({ value: schema })
  const names = { list: undefined, fields: {}, values: {}, amountsAreText: true }
  return values.every((value) => {
    const parsed = parseResponse(field, { value }, names)
    if ('unexpected' in parsed) return false
    return parsed.differences.every(
      ({ expected }) => typeof value === 'string' && (expected.startsWith('one of ') || expected === 'a UUID'),
    )
  })
}

/** `accountId`, `account_id`, `xid`, `id`; not `paid`. */
function isIdName(name: string): boolean {
  return /^x?ids?$/i.test(name) || /(?:I[dD]|[_-]id)s?$/.test(name)
}

/** A UUID, or an id with the prefix of its kind, such as `ca_01H4WAR3`. */
function isIdValue(value: unknown): boolean {
  return typeof value === 'string' && (isUuid(value) || /^[a-z]{1,8}_(?=.*\d)[0-9a-z]{6,}$/i.test(value))
}
