import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { asDocumented, type JsonSchema } from './openapi.ts'

/**
 * A field of a request as a form shows it: plain data, so that a browser needs no schemas. `json` is a value of any form, which
 * is entered as JSON text.
 */
export type FormField = {
  name: string
  kind: 'text' | 'number' | 'boolean' | 'select' | 'object' | 'list' | 'json'
  isRequired: boolean
  /** The expected input, such as "UUID" or "Up to 200 characters". */
  hint: string | null
  /** The values of a `select`. */
  options?: readonly string[]
  /** The fields of an `object`. */
  fields?: readonly FormField[]
  /** An item of a `list`. */
  item?: FormField
}

export type RequestForm = {
  params: readonly FormField[]
  query: readonly FormField[]
  /** Null where the endpoint takes no body. */
  body: FormField | null
}

/** The form of an endpoint's request, from its schemas. */
export function requestForm({ params, query, body }: Endpoint): RequestForm {
  const paramFields = params ? toFormField('params', params).fields : []
  return {
    params: (paramFields ?? []).map((field) => ({ ...field, isRequired: true })),
    query: (query ? toFormField('query', query).fields : []) ?? [],
    body: body ? toFormField('body', body) : null,
  }
}

function toFormField(name: string, schema: z.ZodType): FormField {
  const root = z.toJSONSchema(schema, { io: 'input', override: asDocumented }) as JsonSchema
  return describe(name, root, true, root.$defs ?? {})
}

function describe(name: string, given: JsonSchema, isRequired: boolean, defs: Record<string, JsonSchema>): FormField {
  const schema = given.$ref ? { ...defs[given.$ref.replace('#/$defs/', '')], ...given } : given
  const branches = (schema.anyOf ?? []).filter(({ type }) => type !== 'null')
  const [first] = branches
  // A field that may be null is left out instead; a body that may be one record or many is the form of one.
  if (first && (branches.length === 1 || (name === 'body' && first.properties))) {
    return describe(name, { ...first, ...describedAs(schema) }, isRequired, defs)
  }
  const field = { name, isRequired, hint: findHint(schema) }
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
  if (values) return { ...field, kind: 'select', options: values.map(String) }
  if (first || schema.id === 'JsonValue') return { ...field, kind: 'json' }
  if (schema.properties) {
    const required = new Set(schema.required)
    const fields = Object.entries(schema.properties).map(([key, inner]) =>
      describe(key, inner, required.has(key), defs),
    )
    return { ...field, kind: 'object', fields }
  }
  if (schema.type === 'array') {
    return { ...field, kind: 'list', item: describe('item', schema.items ?? {}, true, defs) }
  }
  if (schema.type === 'number' || schema.type === 'integer') return { ...field, kind: 'number' }
  if (schema.type === 'boolean') return { ...field, kind: 'boolean' }
  return { ...field, kind: [schema.type].flat().includes('string') ? 'text' : 'json' }
}

function describedAs({ description }: JsonSchema): JsonSchema {
  return description === undefined ? {} : { description }
}

const formats: Readonly<Record<string, string>> = {
  uuid: 'UUID',
  'date-time': 'Date and time with zone',
  date: 'YYYY-MM-DD',
  email: 'E-mail address',
}

/** Patterns that can be shown to a person in a few characters. */
const patterns: Readonly<Record<string, string>> = {
  '^[A-Z]{3}$': 'Currency code',
  '^[A-Z]{2}$': 'Country code',
  '^\\d{6}$': '6 digits',
  '^\\+[1-9]\\d{6,14}$': 'E.164, such as +85291234567',
}

function findHint(schema: JsonSchema): string | null {
  const { description, format, pattern, minimum, maximum, maxLength } = schema
  if (description !== undefined) return description
  if (format && formats[format]) return formats[format]
  if (pattern && patterns[pattern]) return patterns[pattern]
  const largest = Number.MAX_SAFE_INTEGER
  if (minimum !== undefined && maximum !== undefined && maximum < largest) return `${minimum} to ${maximum}`
  if (minimum !== undefined) return `${minimum} or more`
  return maxLength === undefined ? null : `Up to ${maxLength} characters`
}
