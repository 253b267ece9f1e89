import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import type { JsonSchema } from './openapi.ts'

/** A field of a response. `path` is a JSON path such as `cardaccounts[*].balance`. */
type ResponseField = {
  path: string
  /** The field may hold keys or items that the contract does not name, such as those of `xmetadata`. */
  isOpen: boolean
}

/** Every field of the successful response of an endpoint, in the order of the contract. */
export function responseFields(row: Endpoint): ResponseField[] {
  const root = z.toJSONSchema(row.response, { io: 'output' }) as JsonSchema
  const fields = new Map<string, ResponseField>()
  const collect = (given: JsonSchema, path: string): void => {
    const schema = resolved(given, root)
    const isOpen = isAnyJson(schema) || typeof schema.additionalProperties === 'object'
    if (path !== '') fields.set(path, { path, isOpen: isOpen || (fields.get(path)?.isOpen ?? false) })
    if (isAnyJson(schema)) return
    for (const branch of [...(schema.anyOf ?? []), ...(schema.allOf ?? [])]) collect(branch, path)
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      collect(property, path === '' ? name : `${path}.${name}`)
    }
    if (schema.items) collect(schema.items, `${path}[*]`)
  }
  collect(root, '')
  return [...fields.values()]
}

/** Whether a JSON path names a field of the endpoint's successful response. Positions (`[2]`) count as `[*]`. */
export function isResponseField(row: Endpoint, path: string): boolean {
  const general = path.replaceAll(/\[\d+\]/g, '[*]')
  return responseFields(row).some(
    (field) =>
      field.path === general ||
      (field.isOpen && (general.startsWith(`${field.path}.`) || general.startsWith(`${field.path}[`))),
  )
}

function resolved(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const name = schema.$ref?.replace('#/$defs/', '')
  return name === undefined ? schema : (root.$defs?.[name] ?? {})
}

/** JSON of any form is described recursively, without an end. */
function isAnyJson({ id }: JsonSchema): boolean {
  return id === 'JsonValue'
}
