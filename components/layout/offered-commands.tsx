'use client'

import { createContext, type ReactNode, useCallback, useContext, useEffect, useEffectEvent, useState } from 'react'
import type { Command } from './command.ts'

type Offer = { key: string; commands: readonly Command[] }

const none: Offer = { key: '', commands: [] }
// Two contexts: a component that offers commands is not drawn again when they change.
const OfferContext = createContext<(offer: Offer) => () => void>(() => () => {})
const OfferedContext = createContext<readonly Command[]>([])

/** What the open page adds to the command palette. */
export function OfferedCommandsProvider({ children }: { children: ReactNode }) {
  const [{ commands }, setOffered] = useState(none)
  const offer = useCallback((next: Offer) => {
    setOffered(next)
    return () => setOffered((now) => (now === next ? none : now))
  }, [])
  return (
    <OfferContext value={offer}>
      <OfferedContext value={commands}>{children}</OfferedContext>
    </OfferContext>
  )
}

export function useOfferedCommands(): readonly Command[] {
  return useContext(OfferedContext)
}

/** Adds the commands of a page to the palette while it is open. `key` changes whenever the commands change. */
export function useOffer(key: string, commands: readonly Command[]): void {
  const offer = useContext(OfferContext)
  // The commands are new objects on every render; `key` says when they really changed.
  const offerUnder = useEffectEvent((newKey: string) => offer({ key: newKey, commands }))
  useEffect(() => offerUnder(key), [key])
}
