import type { FormField } from '#lib/contract/request-form.ts'
import type { ExplorerEndpoint } from '#lib/qa/lab/types.ts'
import { parseJson } from '#lib/shared/json.ts'

/** The entry of a field: text, items of a list, or fields of an object. An empty text is left out of the request. */
export type Draft = string | Draft[] | { [name: string]: Draft }

/** The JSON value of a draft; undefined for an empty one. Text that is not a number or not JSON is sent as text, a number as it is typed. */
export function toValue(field: FormField, draft: Draft | undefined): unknown {
  if (field.kind === 'object') return toObject(field, draft)
  if (field.kind === 'list') {
    const items = Array.isArray(draft) ? draft : []
    const values = items.flatMap((item) => (field.item ? (toValue(field.item, item) ?? []) : []))
    return values.length > 0 ? values : undefined
  }
  const text = typeof draft === 'string' ? draft : ''
  if (text === '') return undefined
  if (field.kind === 'number') return isNumber(text) ? toNumber(text.trim()) : text
  if (field.kind === 'boolean') return text === 'true'
  return field.kind === 'json' ? parseJson(text, text) : text
}

function toObject(field: FormField, draft: Draft | undefined): unknown {
  if (!field.isRequired && !isEntered(draft)) return undefined
  const drafts = draftFields(draft)
  const entries = (field.fields ?? []).flatMap((inner) => {
    const value = toValue(inner, drafts[inner.name])
    return value === undefined ? [] : [[inner.name, value] as const]
  })
  return Object.fromEntries(entries)
}

function isEntered(draft: Draft | undefined): boolean {
  return typeof draft === 'object' ? Object.values(draft).some(isEntered) : Boolean(draft)
}

/** The draft for a JSON value; null where the form has no field for it. */
export function toDraft(field: FormField, value: unknown): Draft | null {
  if (field.kind === 'json') return JSON.stringify(value) ?? ''
  if (field.kind === 'object') {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
    const drafts: { [name: string]: Draft } = {}
    for (const [name, inner] of Object.entries(value)) {
      const known = field.fields?.find((each) => each.name === name)
      const draft = known ? toDraft(known, inner) : null
      if (draft === null) return null
      drafts[name] = draft
    }
    return drafts
  }
  if (field.kind === 'list') {
    if (!Array.isArray(value) || !field.item) return null
    const items = value.map((item: unknown) => (field.item ? toDraft(field.item, item) : null))
    return items.some((item) => item === null) ? null : (items as Draft[])
  }
  const expected = { number: 'number', boolean: 'boolean', text: 'string', select: 'string' }[field.kind]
  // The form leaves empty texts out, so it cannot show one, nor a number that is infinite to a script.
  return typeof value === expected && value !== '' && Math.abs(Number(value)) !== Infinity ? String(value) : null
}

/** The fields of an object's draft; none for any other draft. */
export function draftFields(draft: Draft | undefined): { [name: string]: Draft } {
  return typeof draft === 'object' && !Array.isArray(draft) ? draft : {}
}

/** The query to send: each name with its values. */
export function toQuery(fields: readonly FormField[], drafts: { [name: string]: Draft }): Record<string, string[]> {
  return Object.fromEntries(
    fields.flatMap(({ name }) => {
      const values = [drafts[name] ?? []].flat().filter((value): value is string => typeof value === 'string')
      const given = values.filter((value) => value !== '')
      return given.length > 0 ? [[name, given]] : []
    }),
  )
}

/** The drafts that show a query's values. */
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

/** The names of a query that the form sends otherwise than it has them, or not at all. */
export function leftOut(fields: readonly FormField[], query: Prefill['query']): string[] {
  const sent = toQuery(fields, queryDrafts(fields, query))
  const same = (values: string[], other: string[] = []) => JSON.stringify(values) === JSON.stringify(other)
  return Object.keys(query).filter((name) => !same([query[name] ?? []].flat(), sent[name]))
}

function isNumber(text: string): boolean {
  return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text.trim())
}

/** Keeps the digits of a number that a script would round. A browser without `rawJSON` rounds, and sends what is infinite as text. */
function toNumber(text: string): unknown {
  const number = Number(text)
  const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown }
  if (String(number) !== text && rawJSON) return rawJSON(text)
  return Number.isFinite(number) ? number : text
}

/** An example or a recent request that fills the form. `body` is JSON text. */
export type Prefill = {
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, string | readonly string[]>>
  body: string | null
}

/** Entries in the form of an endpoint. */
export type Entered = {
  params: { [name: string]: Draft }
  query: { [name: string]: Draft }
  mode: 'form' | 'json'
  body: Draft
  /** The body as text, while `mode` is `json`. */
  text: string
}

/** The entries that show a prefill; the body as JSON where the form has no field for a part of it. */
export function toEntered(
  { form }: ExplorerEndpoint,
  { params, query, body }: Prefill,
  mode: 'form' | 'json' = 'form',
): Entered {
  const draft = form.body && body !== null ? toDraft(form.body, parseJson(body)) : {}
  const fits = draft !== null
  return {
    params: { ...params },
    query: queryDrafts(form.query, query),
    mode: fits ? mode : 'json',
    body: draft ?? {},
    text: body ?? '{}',
  }
}

/** The entries with the body in the other mode; as they were where the form can't show it. */
export function switched({ form }: ExplorerEndpoint, entered: Entered, mode: 'form' | 'json'): Entered {
  if (mode === entered.mode || !form.body) return entered
  if (mode === 'json')
    return { ...entered, mode, text: JSON.stringify(toValue(form.body, entered.body) ?? {}, null, 2) }
  const draft = toDraft(form.body, parseJson(entered.text))
  return draft === null ? entered : { ...entered, mode, body: draft }
}

/** Whether the form can show a body. */
export function formFits({ form }: ExplorerEndpoint, text: string): boolean {
  return form.body !== null && toDraft(form.body, parseJson(text)) !== null
}

/** The exact text of the body; null where the endpoint has none. */
export function toBody({ form }: ExplorerEndpoint, { mode, text, body }: Entered): string | null {
  if (!form.body) return null
  return mode === 'json' ? text : JSON.stringify(toValue(form.body, body) ?? {})
}

/** The path parameters to send. */
export function onlyTexts(drafts: { [name: string]: Draft }): Record<string, string> {
  return Object.fromEntries(
    Object.entries(drafts).flatMap(([name, draft]) => (typeof draft === 'string' ? [[name, draft]] : [])),
  )
}

/** The issues of a body in one text; undefined where there are none. */
export function sentence(issues: ReadonlyMap<string, string>): string | undefined {
  const texts = [...issues].map(([path, message]) => (path === 'body' ? message : `${path} ${message}`))
  return texts.length > 0 ? texts.join('; ') : undefined
}
