'use client'

import { useEffect, useEffectEvent, useRef } from 'react'
import { parseJson } from '#lib/shared/json.ts'

/** Survives going to another page of the console and back; a reload forgets it. */
let inMemory: { item: string; draft: unknown } | null = null

const prefix = 'draft '

/**
 * Stores an unsent form while its page is left. The whole draft stays in the memory of this tab. `toStored` is the part that also
 * survives a reload, in the tab's sessionStorage: it must hold nothing secret. `staffId` is the person, who alone finds it;
 * undefined until it is known. `name` names the form: `open-account sandbox`. `draft` is null where nothing is entered; `onRestore`
 * gets what was stored. Give both `draft` and `toStored` a stable identity.
 */
export function useFormDraft<Draft, Stored>({
  staffId,
  name,
  draft,
  toStored,
  onRestore,
}: {
  staffId: string | undefined
  name: string
  draft: Draft | null
  toStored: (draft: Draft) => Stored
  onRestore: (found: Draft | Stored) => void
}): void {
  const item = staffId === undefined ? null : `${prefix}${staffId} ${name}`
  const hadDraft = useRef(false)
  const restore = useEffectEvent(onRestore)
  useEffect(() => {
    if (item === null) return
    const found = inMemory?.item === item ? inMemory.draft : parseJson(sessionStorage.getItem(item) ?? '', null)
    if (found !== null) restore(found as Draft | Stored)
  }, [item])
  useEffect(() => {
    if (item === null) return
    if (draft !== null) {
      hadDraft.current = true
      inMemory = { item, draft }
      sessionStorage.setItem(item, JSON.stringify(toStored(draft)))
    } else if (hadDraft.current) {
      inMemory = null
      sessionStorage.removeItem(item)
    }
  }, [draft, toStored, item])
}

/** Removes the drafts of this tab; those of one person may stay. */
export function forgetDrafts({ but }: { but?: string } = {}): void {
  const own = but === undefined ? null : `${prefix}${but} `
  for (const item of Object.keys(sessionStorage)) {
    if (item.startsWith(prefix) && (own === null || !item.startsWith(own))) sessionStorage.removeItem(item)
  }
}
