import { z } from 'zod'
import { endpointNames, endpointRow, type EndpointName } from '#lib/contract/endpoints.ts'
import { Timestamp, Xmetadata } from '#lib/contract/fields.ts'

/**
 * The names of the contract that a service may spell differently. A record is named by the id of its schema
 * (`CardAccount`), a nested object without an id by its path (`CardAccountTransaction.merchant`), the outer object of a
 * response `Response`, and the body of a request by its endpoint (`lockCard`).
 */
type ContractNames = {
  /** Field names by record. */
  fields: ReadonlyMap<string, ReadonlySet<string>>
  /** Codes by field, such as `Card.status`. */
  codes: ReadonlyMap<string, readonly string[]>
}

/** The name of a response's outer object. */
export const outerRecord = 'Response'

/** The name of a record: its schema's id, otherwise the path by which it was reached. */
export function recordName(schema: z.ZodType, key: string): string {
  return schema.meta()?.id ?? (key || outerRecord)
}

/** The schema without `optional`, `nullable`, `default` and transforms. */
export function innerSchema(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return innerSchema(schema.unwrap() as z.ZodType)
  }
  return schema instanceof z.ZodPipe ? innerSchema(schema.in as z.ZodType) : schema
}

/** The codes of a closed set; null where the schema is free text. */
export function listCodes(schema: z.ZodType): readonly string[] | null {
  if (schema instanceof z.ZodEnum) return schema.options as readonly string[]
  return schema instanceof z.ZodLiteral ? [...schema.values].map(String) : null
}

/** Whether a number is an amount, a rate or another decimal; false for counts, months and years. */
export function isDecimal(schema: z.ZodType): boolean {
  if (!(schema instanceof z.ZodNumber)) return false
  return !(schema.def.checks?.some((check) => 'format' in check._zod.def) || 'format' in schema.def)
}

/** The path parameters of a path template, in their order. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
}

/** The parameters of an endpoint's query. */
export function queryParameters(name: EndpointName): string[] {
  return Object.keys(endpointRow(name).query?.shape ?? {})
}

let cached: ContractNames | undefined

export function contractNames(): ContractNames {
  if (cached) return cached
  const fields = new Map<string, Set<string>>()
  const codes = new Map<string, readonly string[]>()
  const visit = (given: z.ZodType, key: string): void => {
    const schema = innerSchema(given)
    if (schema === (Xmetadata as z.ZodType) || schema === (Timestamp as z.ZodType)) return
    if (schema instanceof z.ZodUnion) for (const option of schema.options) visit(option as z.ZodType, key)
    if (schema instanceof z.ZodArray) visit(schema.element as z.ZodType, key)
    if (schema instanceof z.ZodRecord) visit(schema.valueType as z.ZodType, key)
    if (schema instanceof z.ZodObject) {
      const record = recordName(schema, key)
      const names = fields.get(record) ?? new Set()
      fields.set(record, names)
      for (const [name, field] of Object.entries(schema.shape)) {
        names.add(name)
        visit(field as z.ZodType, `${record}.${name}`)
      }
    }
    const found = key === '' ? null : listCodes(schema)
    if (found) codes.set(key, [...new Set([...(codes.get(key) ?? []), ...found])])
  }
  for (const name of endpointNames) {
    const { response, body } = endpointRow(name)
    visit(response, '')
    if (body) visit(body, name)
  }
  return (cached = { fields, codes })
}

/**
 * The fields whose spellings count for a value in an endpoint's query or body, the first one that is configured first: the
 * field of the request itself, then the field of that name in the record that the endpoint returns.
 */
export function requestCodeFields(name: EndpointName, key: string): string[] {
  const { codes } = contractNames()
  const field = key.slice(key.lastIndexOf('.') + 1)
  return [key, `${returnedRecord(name)}.${field}`].filter((one) => codes.has(one))
}

function returnedRecord(name: EndpointName): string {
  return recordName(responseList(name)?.record ?? innerSchema(endpointRow(name).response), '')
}

/** The key of a response's list, '' where the response is the list, and what is in it; null where it has none. */
export function responseList(name: EndpointName): { key: string; record: z.ZodType } | null {
  const response = innerSchema(endpointRow(name).response)
  const fields = response instanceof z.ZodObject ? Object.entries(response.shape) : [['', response] as const]
  const [found] = fields.flatMap(([key, field]) =>
    field instanceof z.ZodArray ? [{ key, record: field.element as z.ZodType }] : [],
  )
  return found ?? null
}
