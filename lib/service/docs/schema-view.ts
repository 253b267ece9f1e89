import type { JsonSchema } from '#lib/contract/openapi.ts'
import { html, type Html, table } from './html.ts'

type Row = (Html | string)[]
type ObjectSchema = JsonSchema & { properties: Record<string, JsonSchema> }

function isObject(schema: JsonSchema): schema is ObjectSchema {
  return schema.properties !== undefined
}

/** Describes a value in one line: a type, a link to a named record, or a list of values. */
export function typeView(schema: JsonSchema): Html {
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return html`<a href="#record-${name}">${name}</a>`
  }
  if ('const' in schema) return html`<code>${JSON.stringify(schema.const)}</code>`
  if (schema.enum) {
    return html`${schema.enum.map((value, place) => html`${place > 0 && ' · '}<code>${String(value)}</code>`)}`
  }
  const { anyOf, allOf } = schema
  if (anyOf) return html`${anyOf.map((each, place) => html`${place > 0 && ' or '}${typeView(each)}`)}`
  if (allOf && schema.type === undefined)
    return html`${allOf.map((each, place) => html`${place > 0 && ' with '}${typeView(each)}`)}`
  if (schema.type === 'array') return html`array of ${typeView(schema.items ?? {})}`
  return html`${plainType(schema)}`
}

function plainType(schema: JsonSchema): string {
  const type = [schema.type ?? 'any JSON value'].flat().join(' or ')
  const { format, minLength = 0, maxLength, pattern, allOf = [] } = schema
  const patterns = format ? [] : [pattern, ...allOf.map((each) => each.pattern)]
  const bounds = [
    format,
    minLength > 1 && `at least ${minLength} characters`,
    maxLength !== undefined && `at most ${maxLength} characters`,
    typeof schema.default === 'number' && `default ${schema.default}`,
    ...patterns.map((each = '') => (each === '\\S' ? 'not blank' : each.length < 60 && each)),
  ].filter(Boolean)
  return bounds.length > 0 ? `${type} (${bounds.join(', ')})` : type
}

/** The fields of an object as rows, nested objects opened up; of anything else its type. */
export function schemaView(schema: JsonSchema): Html {
  if (isObject(schema)) return fieldTable(schema)
  const items = schema.type === 'array' ? schema.items : undefined
  if (items && isObject(items))
    return html`<p>An array of:</p>
      ${fieldTable(items)}`
  const branches = schema.anyOf ?? []
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
  const items = field.type === 'array' ? field.items : undefined
  if (items && isObject(items)) return { schema: items, label: 'array of objects', suffix: '[].' }
  const branches = field.anyOf ?? []
  const [object] = branches.filter((branch) => isObject(branch))
  const isNullable = branches.length === 2 && branches.some(({ type }) => type === 'null')
  return object && isNullable ? { schema: object, label: 'object or null', suffix: '.' } : null
}

function description(schema: JsonSchema): Html | null {
  return schema.description ? html`<p class="note">${schema.description}</p>` : null
}
