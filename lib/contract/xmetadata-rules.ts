import { holdsCardNumber } from '#lib/shared/card-numbers.ts'
import type { Xmetadata } from './fields.ts'
import { readJsonText } from './json-text.ts'
import type { XmetadataTargetType } from './xmetadata.ts'

/**
 * The change of one of the two references. The interface distinguishes three cases: a missing field keeps the value, a
 * value replaces it as a whole, null removes it.
 */
export type FieldChange = { mode: 'keep' } | { mode: 'remove' } | { mode: 'replace'; text: string }

/** `xid.text` is the external id itself, `xmetadata.text` is JSON. */
export type ReferenceChange = { xid: FieldChange; xmetadata: FieldChange }

type ReferenceTarget = { type: XmetadataTargetType; id: string }

/** Decision of the console: far below the service's 1 MiB, and more than a person reads. */
export const longestXmetadata = 200_000

/**
 * The issues by field, as the end of a sentence about it; `change` where nothing would change at all. Checked by the
 * form before anything is sent, and again by the server.
 */
export function referenceProblems({ xid, xmetadata }: ReferenceChange): Record<string, string> {
  if (xid.mode === 'keep' && xmetadata.mode === 'keep') {
    return { change: 'must replace or remove at least one of the two' }
  }
  const problems = {
    xid: xid.mode === 'replace' ? xidProblem(xid.text) : undefined,
    xmetadata: xmetadata.mode === 'replace' ? xmetadataProblem(xmetadata.text) : undefined,
  }
  return Object.fromEntries(Object.entries(problems).flatMap(([field, problem]) => (problem ? [[field, problem]] : [])))
}

/** The issues of the references that a new record is given, both as entered; empty where none is given. */
export function givenReferenceProblems({ xid, xmetadata }: { xid: string; xmetadata: string }): Record<string, string> {
  const change = (text: string): FieldChange => (text === '' ? { mode: 'keep' } : { mode: 'replace', text })
  return xid === '' && xmetadata === '' ? {} : referenceProblems({ xid: change(xid), xmetadata: change(xmetadata) })
}

/** The references of a new record as its request has them. They must have no issue. */
export function givenReferences({ xid, xmetadata }: { xid: string; xmetadata: string }): {
  xid?: string
  xmetadata?: Xmetadata
} {
  return {
    ...(xid === '' ? {} : { xid }),
    ...(xmetadata === '' ? {} : { xmetadata: JSON.parse(xmetadata) as Xmetadata }),
  }
}

function xidProblem(xid: string): string | undefined {
  if (xid === '') return 'must not be empty'
  if (xid.length > 256) return `must be at most 256 characters; this has ${xid.length}`
  if (/[\p{Cc}\p{Cs}]/u.test(xid)) return 'must not hold control characters or line breaks'
  if (holdsCardNumber(xid)) return 'must not hold a card number'
  return undefined
}

function xmetadataProblem(text: string): string | undefined {
  if (text.length > longestXmetadata) {
    return `must be at most ${longestXmetadata} characters of JSON; this has ${text.length}`
  }
  const read = readJsonText(text)
  if (!read.ok) {
    const { line, column, problem } = read.error
    return `is no JSON that can be sent. Line ${line}, column ${column}: ${problem}`
  }
  return shapeProblem(read.value) ?? cardNumberProblem(read.value)
}

/** The interface's three forms: an object with any properties, a text, an array of texts. */
function shapeProblem(value: unknown): string | undefined {
  if (typeof value === 'string') return undefined
  if (Array.isArray(value)) {
    return value.every((item) => typeof item === 'string') ? undefined : 'must hold texts alone where it is a list'
  }
  return typeof value === 'object' && value !== null ? undefined : 'must be an object, a text or a list of texts'
}

function cardNumberProblem(value: unknown, place = ''): string | undefined {
  if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      const problem = holdsCardNumber(key) ? 'must not hold a card number' : cardNumberProblem(item, key)
      if (problem) return problem
    }
    return undefined
  }
  if (!holdsCardNumber(String(value))) return undefined
  return `must not hold a card number${place === '' ? '' : ` (at “${place}”)`}`
}

export type SetXmetadataBody = { target: ReferenceTarget; xid?: string | null; xmetadata?: unknown }

/** The body of POST /xmetadata/set, key for key as it is sent. The change must have no problem. */
export function referenceBody({ type, id }: ReferenceTarget, { xid, xmetadata }: ReferenceChange): SetXmetadataBody {
  return {
    target: { type, id },
    ...(xid.mode === 'keep' ? {} : { xid: xid.mode === 'remove' ? null : xid.text }),
    ...(xmetadata.mode === 'keep'
      ? {}
      : { xmetadata: xmetadata.mode === 'remove' ? null : (JSON.parse(xmetadata.text) as unknown) }),
  }
}
