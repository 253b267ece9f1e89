'use client'

import { useEffect, useEffectEvent, useState } from 'react'

type Slot = {
  /** Names the form: `open-account sandbox`. */
  name: string
  /** The person's AES-256 key for drafts, as base64 from the server; empty: nothing goes into the browser's storage. */
  draftKey: string
}

/** Survives going to another page of the console and back; a reload forgets it. */
let inMemory: { id: string; draft: unknown } | null = null

/**
 * Stores an unsent form while its page is left. The whole draft stays in the memory of this tab. `storedOf` is the part that also
 * survives a reload: it is encrypted in the tab's sessionStorage, and only the same person, signed in, gets the key. `draft` is null
 * where nothing is entered; `onRestore` gets what was stored. Give both `draft` and `storedOf` a stable identity.
 */
export function useFormDraft<Draft, Stored>({
  name,
  draftKey,
  draft,
  storedOf,
  onRestore,
}: Slot & {
  draft: Draft | null
  storedOf: (draft: Draft) => Stored
  onRestore: (found: Draft | Stored) => void
}): void {
  const [isRead, setIsRead] = useState(false)
  const restore = useEffectEvent(onRestore)
  useEffect(() => {
    let isLeft = false
    const slot = { name, draftKey }
    void (async () => {
      const found = inMemory?.id === slotId(slot) ? inMemory.draft : await readStored(slot)
      if (isLeft) return
      if (found !== null) restore(found as Draft | Stored)
      setIsRead(true)
    })()
    return () => {
      isLeft = true
    }
  }, [name, draftKey])
  useEffect(() => {
    if (!isRead) return
    const slot = { name, draftKey }
    inMemory = draft === null ? null : { id: slotId(slot), draft }
    void writeStored(slot, draft === null ? null : storedOf(draft)).catch(() => undefined)
  }, [isRead, draft, storedOf, name, draftKey])
}

const slotId = ({ name, draftKey }: Slot) => `${name} ${draftKey}`
const storageItem = ({ name }: Slot) => `draft ${name}`

const ivBytes = 12
let lastWrite = 0

/** Encrypts with AES-256-GCM. Browsers have it on https and localhost; elsewhere nothing is stored. */
async function writeStored(slot: Slot, value: unknown): Promise<void> {
  const write = (lastWrite += 1)
  if (value === null) return sessionStorage.removeItem(storageItem(slot))
  const key = await importDraftKey(slot)
  if (key === null) return
  const iv = crypto.getRandomValues(new Uint8Array(ivBytes))
  const plain = new TextEncoder().encode(JSON.stringify(value))
  const sealed = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, plain))
  // A later entry may have been encrypted first.
  if (write === lastWrite) sessionStorage.setItem(storageItem(slot), toBase64([...iv, ...sealed]))
}

/** What was stored for this person; null where nothing is, or where it is another person's. */
async function readStored(slot: Slot): Promise<unknown> {
  try {
    const text = sessionStorage.getItem(storageItem(slot))
    const key = text === null ? null : await importDraftKey(slot)
    if (text === null || key === null) return null
    const bytes = fromBase64(text)
    const iv = bytes.slice(0, ivBytes)
    const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, bytes.slice(ivBytes))
    return JSON.parse(new TextDecoder().decode(plain)) as unknown
  } catch {
    return null
  }
}

async function importDraftKey({ draftKey }: Slot): Promise<CryptoKey | null> {
  const { subtle } = crypto as { subtle?: SubtleCrypto }
  if (!subtle || draftKey === '') return null
  return subtle.importKey('raw', fromBase64(draftKey), 'AES-GCM', false, ['encrypt', 'decrypt'])
}

function toBase64(bytes: readonly number[]): string {
  return btoa(bytes.map((byte) => String.fromCharCode(byte)).join(''))
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}
