import type { FormField } from '#lib/contract/request-form.ts'
import { parseJson } from '#lib/shared/json.ts'

/** The entry of a field: text, items of a list, or fields of an object. An empty text is left out of the request. */
export type Draft = string | Draft[] | { [name: string]: Draft }

/** The JSON value of a draft; undefined for an empty one. Text that is not a number or not JSON is sent as text. */
export function valueOf(field: FormField, draft: Draft | undefined): unknown {
  if (field.kind === 'object') return objectOf(field, draft)
  if (field.kind === 'list') {
    const items = Array.isArray(draft) ? draft : []
    const values = items.flatMap((item) => (field.item ? (valueOf(field.item, item) ?? []) : []))
    return values.length > 0 ? values : undefined
  }
  const text = typeof draft === 'string' ? draft : ''
  if (text === '') return undefined
  if (field.kind === 'number') return isNumber(text) ? Number(text) : text
  if (field.kind === 'boolean') return text === 'true'
  return field.kind === 'json' ? parseJson(text, text) : text
}

function objectOf(field: FormField, draft: Draft | undefined): unknown {
  if (!field.isRequired && !isEntered(draft)) return undefined
  const drafts = fieldsOf(draft)
  const entries = (field.fields ?? []).flatMap((inner) => {
    const value = valueOf(inner, drafts[inner.name])
    return value === undefined ? [] : [[inner.name, value] as const]
  })
  return Object.fromEntries(entries)
}

function isEntered(draft: Draft | undefined): boolean {
  return typeof draft === 'object' ? Object.values(draft).some(isEntered) : Boolean(draft)
}

/** The draft that gives a value; null where the form cannot show it, such as a field that it does not have. */
export function draftOf(field: FormField, value: unknown): Draft | null {
  if (field.kind === 'json') return JSON.stringify(value) ?? ''
  if (field.kind === 'object') {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
    const drafts: { [name: string]: Draft } = {}
    for (const [name, inner] of Object.entries(value)) {
      const known = field.fields?.find((each) => each.name === name)
      const draft = known ? draftOf(known, inner) : null
      if (draft === null) return null
      drafts[name] = draft
    }
    return drafts
  }
  if (field.kind === 'list') {
    if (!Array.isArray(value) || !field.item) return null
    const items = value.map((item: unknown) => (field.item ? draftOf(field.item, item) : null))
    return items.some((item) => item === null) ? null : (items as Draft[])
  }
  const expected = { number: 'number', boolean: 'boolean', text: 'string', select: 'string' }[field.kind]
  // An empty text is left out by the form, so the form cannot show one.
  return typeof value === expected && value !== '' ? String(value) : null
}

/** The fields of a draft of an object. */
export function fieldsOf(draft: Draft | undefined): { [name: string]: Draft } {
  return typeof draft === 'object' && !Array.isArray(draft) ? draft : {}
}

/** Values of a query as they are sent: each name with one value or several. */
export function queryOf(fields: readonly FormField[], drafts: { [name: string]: Draft }): Record<string, string[]> {
  return Object.fromEntries(
    fields.flatMap(({ name }) => {
      const values = [drafts[name] ?? []].flat().filter((value): value is string => typeof value === 'string')
      const given = values.filter((value) => value !== '')
      return given.length > 0 ? [[name, given]] : []
    }),
  )
}

/** The drafts of a query's values. */
export function queryDrafts(
  fields: readonly FormField[],
  query: Readonly<Record<string, string | readonly string[]>>,
): { [name: string]: Draft } {
  return Object.fromEntries(
    fields.flatMap(({ name, kind }) => {
      const values = [query[name] ?? []].flat()
      if (values.length === 0) return []
      return [[name, kind === 'list' ? values : (values[0] ?? '')]]
    }),
  )
}

function isNumber(text: string): boolean {
  return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text.trim())
}
