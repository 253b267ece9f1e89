'use client'

import { useState } from 'react'
import { formatCount } from '#components/ui/count.ts'
import type { Reference } from '#lib/console/references/types.ts'
import type { Xmetadata } from '#lib/contract/fields.ts'
import { type FieldChange, type ReferenceChange, referenceProblems } from '#lib/contract/xmetadata-rules.ts'
import { canonicalJson, isFields } from '#lib/shared/json.ts'
import { present } from '#lib/shared/provided.ts'
import { type DraftErrors, toXmetadataDraft, draftText, type XmetadataDraft } from './xmetadata-draft.ts'

type Before = { xid: string | null; xmetadata: Xmetadata | null }

/** Effect of a change: a sentence for each of the two references, and whether a present value would be lost. */
export type ReferenceSummary = { sentences: string[]; isDestructive: boolean }

/** The change must have no problem: `xmetadata.text` is JSON. */
export function summarizeReference(before: Before, { xid, xmetadata }: ReferenceChange): ReferenceSummary {
  const metadata = metadataSummary(before.xmetadata, xmetadata)
  return {
    sentences: [xidSentence(before.xid, xid), metadata.sentence],
    isDestructive: (xid.mode === 'remove' && before.xid !== null) || metadata.isDestructive,
  }
}

function xidSentence(before: string | null, change: FieldChange): string {
  const now = before === null ? 'there is none' : `“${before}”`
  if (change.mode === 'keep') return `External ID: left out, so it stays as it is (${now}).`
  if (change.mode === 'remove') {
    return before === null
      ? 'External ID: null is sent; there is none now.'
      : `External ID: ${now} is removed (null is sent).`
  }
  if (before === null) return `External ID: becomes “${change.text}”.`
  if (before === change.text) return `External ID: ${now} is sent, which is what is there already.`
  return `External ID: ${now} is replaced by “${change.text}”.`
}

function metadataSummary(before: Xmetadata | null, change: FieldChange): { sentence: string; isDestructive: boolean } {
  const now = describe(before)
  if (change.mode === 'keep')
    return { sentence: `Metadata: left out, so it stays as it is (${now}).`, isDestructive: false }
  if (change.mode === 'remove') {
    return before === null
      ? { sentence: 'Metadata: null is sent; there is none now.', isDestructive: false }
      : { sentence: `Metadata: ${now} is removed as a whole (null is sent).`, isDestructive: true }
  }
  const after = JSON.parse(change.text) as Xmetadata
  if (before === null) return { sentence: `Metadata: becomes ${describe(after)}.`, isDestructive: false }
  if (canonicalJson(before) === canonicalJson(after)) {
    return { sentence: 'Metadata: what is there already is sent again.', isDestructive: false }
  }
  if (!isFields(before) || !isFields(after)) {
    return { sentence: `Metadata: ${now} is replaced by ${describe(after)}.`, isDestructive: true }
  }
  const { added, changed, gone } = compareKeys(before, after)
  const parts = present([part('new', added), part('changed', changed), part('gone', gone)])
  return { sentence: `Metadata: replaced as a whole; ${parts.join('; ')}.`, isDestructive: gone.length > 0 }
}

function compareKeys(before: Record<string, unknown>, after: Record<string, unknown>) {
  const differs = (key: string) => canonicalJson(before[key]) !== canonicalJson(after[key])
  return {
    added: Object.keys(after).filter((key) => !Object.hasOwn(before, key)),
    changed: Object.keys(after).filter((key) => Object.hasOwn(before, key) && differs(key)),
    gone: Object.keys(before).filter((key) => !Object.hasOwn(after, key)),
  }
}

const mostNamed = 6

function part(label: string, keys: readonly string[]): string | null {
  if (keys.length === 0) return null
  const rest = keys.length - mostNamed
  return `${label}: ${keys
    .slice(0, mostNamed)
    .map((key) => `“${key}”`)
    .join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

/** A value as short text. */
export function describe(value: Xmetadata | null): string {
  if (value === null || value === undefined) return 'there is none'
  if (typeof value === 'string') return value === '' ? 'an empty text' : 'a text'
  if (Array.isArray(value)) return `a list of ${formatCount(value.length, 'text')}`
  const keys = Object.keys(value).length
  return keys === 0 ? 'an object without keys' : `an object with ${formatCount(keys, 'key')}`
}

type Mode = FieldChange['mode']
type Entered = { xidMode: Mode; xid: string; metadataMode: Mode; metadata: XmetadataDraft }

/** The draft, which starts with the current values, and the change that it amounts to. */
export function useReferenceDraft(now: Reference | undefined) {
  const [entered, setEntered] = useState<Entered | null>(null)
  const [switchErrors, setSwitchErrors] = useState<DraftErrors>({})
  if (now && entered === null) {
    const { xid, xmetadata } = now
    setEntered({ xidMode: 'keep', xid: xid ?? '', metadataMode: 'keep', metadata: toXmetadataDraft(xmetadata) })
  }
  const change = entered && toReferenceChange(entered)
  return {
    entered,
    /** The change, or its issues. */
    change,
    /** Errors of a form that could not be left because of them. */
    switchErrors,
    setSwitchErrors,
    enter: (changed: Partial<Entered>) => {
      setSwitchErrors({})
      setEntered((before) => before && { ...before, ...changed })
    },
  }
}

type DraftedChange = { value: ReferenceChange | null; errors: DraftErrors; isNothing: boolean }

/** `xid` is the external ID's own error, all others are of the metadata's fields. */
export function toReferenceChange({ xidMode, xid, metadataMode, metadata }: Entered): DraftedChange {
  const xidChange: FieldChange = xidMode === 'replace' ? { mode: 'replace', text: xid } : { mode: xidMode }
  const { xid: problem } = referenceProblems({ xid: xidChange, xmetadata: { mode: 'remove' } })
  const text = metadataMode === 'replace' ? draftText(metadata) : null
  const errors = {
    ...(problem === undefined ? {} : { xid: `The external ID ${problem}.` }),
    ...(text && !text.ok ? text.error : {}),
  }
  const isNothing = xidMode === 'keep' && metadataMode === 'keep'
  if (isNothing || Object.keys(errors).length > 0) return { value: null, errors, isNothing }
  const xmetadata: FieldChange = text?.ok
    ? { mode: 'replace', text: text.value }
    : { mode: metadataMode === 'remove' ? 'remove' : 'keep' }
  return { value: { xid: xidChange, xmetadata }, errors, isNothing }
}
