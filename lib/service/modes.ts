import { z } from 'zod'
import { oneOf } from '#lib/contract/fields.ts'
import { modeValues } from '#lib/contract/sandbox.ts'
import { isFields } from '#lib/shared/json.ts'

const modes = z.strictObject({
  /** true: no request has an idempotency key. `header`: the header is ignored, a key in the body counts. */
  ignoreIdempotencyKeys: z.union([z.boolean(), z.literal('header')], 'must be true, false or header'),
  /**
   * The response to a repeated request under one key: the stored response with the header `Idempotency-Replayed`, the
   * stored response without it, or a 409.
   */
  replay: oneOf(modeValues.replay),
  /** How identifiers are written in responses. Requests may use that form and the usual one. */
  idForm: oneOf(modeValues.idForm),
})

/** How the service behaves until it is changed back, for tests of clients. */
export type Modes = z.output<typeof modes>

export const ModeChanges = modes.partial()

export const usualModes: Modes = { ignoreIdempotencyKeys: false, replay: 'marked', idForm: 'uuid' }

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const prefixed = /\bid_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})\b/g
const hex = String.raw`[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}`
/** As text and encoded in a query. */
const inBraces = new RegExp(String.raw`(?:\{|%7B)(${hex})(?:\}|%7D)`, 'gi')
const idName = /^id$|Id$|Ids$|^replacedBy$/

const written: Record<Modes['idForm'], (id: string) => string> = {
  uuid: (id) => id,
  'upper-case': (id) => id.toUpperCase(),
  prefixed: (id) => `id_${id.replaceAll('-', '')}`,
  'in-braces': (id) => `{${id.toUpperCase()}}`,
}

/** The JSON text of a response with its identifiers in another form. */
export function withIdForm(body: string, form: Modes['idForm']): string {
  return form === 'uuid' ? body : JSON.stringify(changeIds(JSON.parse(body), written[form]))
}

function changeIds(value: unknown, change: (id: string) => string, isId = false): unknown {
  if (typeof value === 'string') return isId && uuid.test(value) ? change(value) : value
  if (Array.isArray(value)) return value.map((item) => changeIds(item, change, isId))
  if (!isFields(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, changeIds(item, change, idName.test(name))]),
  )
}

/** A query with identifiers back in the usual form. Upper-case ones are valid as they are. */
export function searchWithUuids(search: string, form: Modes['idForm']): string {
  if (form === 'prefixed') return search.replace(prefixed, '$1-$2-$3-$4-$5')
  return form === 'in-braces' ? search.replace(inBraces, '$1') : search
}

/** The JSON value of a request with identifiers back in the usual form. */
export function bodyWithUuids(value: unknown, form: Modes['idForm']): unknown {
  return value === undefined ? value : JSON.parse(searchWithUuids(JSON.stringify(value), form))
}
