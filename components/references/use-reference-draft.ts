'use client'

import { useState } from 'react'
import type { Reference } from '#lib/console/references/shapes.ts'
import { type FieldChange, type ReferenceChange, referenceProblems } from '#lib/contract/xmetadata-rules.ts'
import { type DraftErrors, draftOf, draftText, type XmetadataDraft } from './xmetadata-draft.ts'

type Mode = FieldChange['mode']
type Entered = { xidMode: Mode; xid: string; metadataMode: Mode; metadata: XmetadataDraft }

/** The draft, which starts with the current values, and the change that it amounts to. */
export function useReferenceDraft(now: Reference | undefined) {
  const [entered, setEntered] = useState<Entered | null>(null)
  const [switchErrors, setSwitchErrors] = useState<DraftErrors>({})
  if (now && entered === null) {
    const { xid, xmetadata } = now
    setEntered({ xidMode: 'keep', xid: xid ?? '', metadataMode: 'keep', metadata: draftOf(xmetadata) })
  }
  const change = entered && changeOf(entered)
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
export function changeOf({ xidMode, xid, metadataMode, metadata }: Entered): DraftedChange {
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
