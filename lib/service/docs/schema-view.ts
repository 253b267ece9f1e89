import type { JsonSchema } from '#lib/contract/openapi.ts'
import { html, type Html, table } from './html.ts'

type Row = (Html | string)[]
type ObjectSchema = JsonSchema & { properties: Record<string, JsonSchema>; required?: string[] }

function isObject(schema: JsonSchema): schema is ObjectSchema {
  return typeof schema.properties === 'object'
}

function schemasIn(value: unknown): JsonSchema[] {
  return Array.isArray(value) ? (value as JsonSchema[]) : []
}

/** Describes a value in one line: a type, a link to a named record, or a list of values. */
export function typeView(schema: JsonSchema): Html {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return html`<a href="#record-${name}">${name}</a>`
  }
  if ('const' in schema) return html`<code>${JSON.stringify(schema.const)}</code>`
  if (Array.isArray(schema.enum)) {
    return html`${schema.enum.map((value, place) => html`${place > 0 && ' · '}<code>${String(value)}</code>`)}`
  }
  const branches = schemasIn(schema.anyOf ?? schema.oneOf)
  if (branches.length > 0) return html`${branches.map((each, place) => html`${place > 0 && ' or '}${typeView(each)}`)}`
  const all = schemasIn(schema.allOf)
  if (all.length > 0) return html`${all.map((each, place) => html`${place > 0 && ' with '}${typeView(each)}`)}`
  if (schema.type === 'array') return html`array of ${typeView((schema.items ?? {}) as JsonSchema)}`
  return html`${plainType(schema)}`
}

function plainType(schema: JsonSchema): string {
  const type = typeof schema.type === 'string' ? schema.type : 'any JSON value'
  const bounds = [
    typeof schema.format === 'string' ? schema.format : '',
    typeof schema.minLength === 'number' && schema.minLength > 1 ? `at least ${schema.minLength} characters` : '',
    typeof schema.maxLength === 'number' ? `at most ${schema.maxLength} characters` : '',
    typeof schema.default === 'number' ? `default ${schema.default}` : '',
    typeof schema.pattern === 'string' && !schema.format && schema.pattern.length < 60 ? schema.pattern : '',
  ].filter(Boolean)
  return bounds.length > 0 ? `${type} (${bounds.join(', ')})` : type
}

/** The fields of an object as rows, nested objects opened up; of anything else its type. */
export function schemaView(schema: JsonSchema): Html {
  if (isObject(schema)) return fieldTable(schema)
  const items = schema.type === 'array' ? (schema.items as JsonSchema | undefined) : undefined
  if (items && isObject(items))
    return html`<p>An array of:</p>
      ${fieldTable(items)}`
  const branches = schemasIn(schema.anyOf)
  if (branches.some((branch) => isObject(branch))) {
    return html`${branches.map(
      (branch, place) =>
        html`<p>${place === 0 ? 'Either:' : 'Or:'}</p>
          ${schemaView(branch)}`,
    )}`
  }
  return html`<p>${typeView(schema)}</p>
    ${description(schema)}`
}

function fieldTable(schema: ObjectSchema): Html {
  const rows = fieldRows(schema, '')
  if (rows.length === 0) return html`<p>An empty object.</p>`
  return table(['Field', 'Type', 'Needed'], rows)
}

/** A row of each field, with those of nested objects behind their own. */
function fieldRows(schema: ObjectSchema, prefix: string): Row[] {
  const required = new Set(schema.required)
  return Object.entries(schema.properties).flatMap(([name, field]) => {
    const nested = nestedObject(field)
    const row: Row = [
      html`<code>${prefix}${name}</code>`,
      html`${nested ? nested.label : typeView(field)}${description(field)}`,
      required.has(name) ? 'required' : 'optional',
    ]
    return nested ? [row, ...fieldRows(nested.schema, `${prefix}${name}${nested.suffix}`)] : [row]
  })
}

/** An object, possibly null, or an array of objects, without a name of its own. */
function nestedObject(field: JsonSchema): { schema: ObjectSchema; label: string; suffix: string } | null {
  if (isObject(field)) return { schema: field, label: 'object', suffix: '.' }
  const items = field.type === 'array' ? (field.items as JsonSchema | undefined) : undefined
  if (items && isObject(items)) return { schema: items, label: 'array of objects', suffix: '[].' }
  const branches = schemasIn(field.anyOf)
  const [object] = branches.filter((branch) => isObject(branch))
  const isNullable = branches.length === 2 && branches.some(({ type }) => type === 'null')
  return object && isNullable ? { schema: object, label: 'object or null', suffix: '.' } : null
}

function description(schema: JsonSchema): Html | null {
  return typeof schema.description === 'string' ? html`<p class="note">${schema.description}</p>` : null
}
