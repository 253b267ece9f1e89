import type { Xmetadata } from '#lib/contract/fields.ts'
import { readJsonText } from '#lib/contract/json-text.ts'
import { referenceProblems } from '#lib/contract/xmetadata-rules.ts'
import { holdsCardNumber } from '#lib/shared/card-numbers.ts'
import { isFields } from '#lib/shared/json.ts'
import { fail, ok, type Result } from '#lib/shared/result.ts'

/** The forms in which metadata is edited: the interface's three, and the JSON itself. */
export type DraftShape = 'object' | 'text' | 'list' | 'json'
/** A value has a field of its own kind; lists, objects and null are JSON. */
export type DraftKind = 'text' | 'number' | 'boolean' | 'json'
/** `typed` is the text that a row had before true or false was chosen for it. */
export type DraftRow = { id: number; key: string; kind: DraftKind; value: string; typed?: string }
type DraftText = { id: number; value: string }

/** Metadata while it is edited. Each editor keeps its own entries; `shape` is the one that is used. */
export type XmetadataDraft = { shape: DraftShape; rows: DraftRow[]; text: string; texts: DraftText[]; json: string }

/** Issues by field: `row-3-key`, `row-3-value`, `text-2`, `text`, `json`, and `xmetadata` for the whole. */
export type DraftErrors = Record<string, string>

let lastId = 0
const nextId = () => (lastId += 1)

export function newRow(): DraftRow {
  return { id: nextId(), key: '', kind: 'text', value: '' }
}

export function newText(): DraftText {
  return { id: nextId(), value: '' }
}

/** Starts with the current metadata; with an empty row where there are none. */
export function toXmetadataDraft(xmetadata: Xmetadata | null): XmetadataDraft {
  const empty: XmetadataDraft = { shape: 'object', rows: [newRow()], text: '', texts: [newText()], json: '' }
  return xmetadata === null ? empty : { ...empty, ...fitting(xmetadata) }
}

/** The form that fits a value, filled with it. */
function fitting(value: unknown): Partial<XmetadataDraft> & Pick<XmetadataDraft, 'shape'> {
  if (typeof value === 'string') return { shape: 'text', text: value }
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) {
    return { shape: 'list', texts: value.map((item) => ({ id: nextId(), value: item })) }
  }
  if (isFields(value)) {
    return { shape: 'object', rows: Object.entries(value).map(([key, item]) => toDraftRow(key, item)) }
  }
  return { shape: 'json', json: JSON.stringify(value, null, 2) }
}

function toDraftRow(key: string, item: unknown): DraftRow {
  if (typeof item === 'string') return { id: nextId(), key, kind: 'text', value: item }
  const kind = typeof item === 'number' || typeof item === 'boolean' ? (typeof item as 'number' | 'boolean') : 'json'
  return { id: nextId(), key, kind, value: JSON.stringify(item) }
}

/** The row as another kind. What was entered stays; true and false are chosen. */
export function withKind(row: DraftRow, kind: DraftKind): DraftRow {
  const { value, typed = value } = row
  if (kind === 'boolean') return { ...row, kind, value: String(value.trim() === 'true'), typed: value }
  return { ...row, kind, value: row.kind === 'boolean' ? typed : value }
}

/** A draft that another page load made: its ids could be those of new rows. */
export function renumbered(draft: XmetadataDraft): XmetadataDraft {
  const again = <Row extends { id: number }>(rows: readonly Row[]) => rows.map((row) => ({ ...row, id: nextId() }))
  return { ...draft, rows: again(draft.rows), texts: again(draft.texts) }
}

/** The JSON text of a draft, or its issues by field. Rows with neither key nor value are ignored. */
export function draftText(draft: XmetadataDraft): Result<string, DraftErrors> {
  const errors = fieldErrors(draft)
  if (Object.keys(errors).length > 0) return fail(errors)
  const text = writers[draft.shape](draft)
  const { xmetadata } = referenceProblems({ xid: { mode: 'keep' }, xmetadata: { mode: 'replace', text } })
  if (xmetadata === undefined) return ok(text)
  return fail({ [draft.shape === 'json' ? 'json' : 'xmetadata']: `The metadata ${xmetadata}.` })
}

/** The JSON text of optional metadata, empty where there are none; null while it has issues. */
export function metadataText(draft: XmetadataDraft | null): string | null {
  if (draft === null) return ''
  const text = draftText(draft)
  return text.ok ? text.value : null
}

/** The issues of optional metadata, by field of its editor. */
export function metadataErrors(draft: XmetadataDraft | null): DraftErrors {
  const text = draft === null ? null : draftText(draft)
  return text && !text.ok ? text.error : {}
}

const filled = (rows: readonly DraftRow[]) => rows.filter(({ key, value }) => key !== '' || value !== '')

const writers: Record<DraftShape, (draft: XmetadataDraft) => string> = {
  object: ({ rows }) => {
    const entries = filled(rows).map(
      ({ key, kind, value }) => `${JSON.stringify(key)}:${kind === 'text' ? JSON.stringify(value) : value}`,
    )
    return `{${entries.join(',')}}`
  },
  text: ({ text }) => JSON.stringify(text),
  list: ({ texts }) => JSON.stringify(texts.map(({ value }) => value)),
  json: ({ json }) => json,
}

function fieldErrors({ shape, rows, texts, text }: XmetadataDraft): DraftErrors {
  const errors: DraftErrors = {}
  const add = (field: string, problem: string | undefined) => {
    if (problem !== undefined) errors[field] ??= problem
  }
  if (shape === 'object') {
    const keys = new Set<string>()
    for (const { id, key, kind, value } of filled(rows)) {
      add(`row-${id}-key`, keyProblem(key, keys))
      add(`row-${id}-value`, valueProblems[kind](value))
      keys.add(key)
    }
  }
  if (shape === 'list') for (const { id, value } of texts) add(`text-${id}`, textProblem(value))
  if (shape === 'text') add('text', textProblem(text))
  return errors
}

const cardNumber = 'This looks like a card number. Metadata must not hold one.'

function keyProblem(key: string, others: ReadonlySet<string>): string | undefined {
  if (key === '') return 'Give this value a key.'
  if (others.has(key)) return 'This key is already used above.'
  if (key === '__proto__') return 'This key can’t be sent.'
  return textProblem(key)
}

function textProblem(text: string): string | undefined {
  const read = readJsonText(JSON.stringify(text))
  if (!read.ok) return `${read.error.problem}.`
  return holdsCardNumber(text) ? cardNumber : undefined
}

function numberProblem(text: string): string | undefined {
  const isNumber = /^\s*-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?\s*$/.test(text)
  return isNumber ? jsonProblem(text) : 'Write a number as 1234.5, without separators.'
}

function jsonProblem(text: string): string | undefined {
  const read = readJsonText(text)
  if (!read.ok) {
    const { line, column, problem } = read.error
    return `No JSON at ${line === 1 ? '' : `line ${line}, `}character ${column}: ${problem}.`
  }
  return holdsCardNumber(text) ? cardNumber : undefined
}

const valueProblems: Record<DraftKind, (value: string) => string | undefined> = {
  text: textProblem,
  number: numberProblem,
  boolean: jsonProblem,
  json: jsonProblem,
}

/** Converts the draft for another editor where its entries fit; JSON that cannot be parsed stays, with its issue. */
export function withShape(draft: XmetadataDraft, shape: DraftShape): Result<XmetadataDraft, DraftErrors> {
  if (shape === draft.shape) return ok(draft)
  const text = draftText(draft)
  if (!text.ok) return draft.shape === 'json' || shape === 'json' ? fail(text.error) : ok({ ...draft, shape })
  const value: unknown = JSON.parse(text.value)
  if (shape === 'json') return ok({ ...draft, shape, json: JSON.stringify(value, null, 2) })
  const fits = fitting(value)
  return ok(fits.shape === shape ? { ...draft, ...fits } : { ...draft, shape })
}
