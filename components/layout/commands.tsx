'use client'

import { createContext, type ReactNode, useCallback, useContext, useEffect, useEffectEvent, useState } from 'react'

/** An entry of the command palette: it goes somewhere or does something. */
export type Command = {
  id: string
  label: string
  group: string
  icon?: ReactNode
  /** Quieter, behind the label: an id, a status. */
  hint?: string | undefined
  /** Other terms that find it. */
  keywords?: string | undefined
} & ({ href: string; onSelect?: undefined } | { onSelect: () => void; href?: undefined })

/**
 * Searches for the typed text; the signal aborts a search that a newer one replaced. `isReading`: nothing was found, and
 * not everything has been read yet.
 */
export type CommandSearch = (query: string, signal: AbortSignal) => Promise<{ results: Command[]; isReading: boolean }>

export type LoadCommands = () => Promise<readonly Command[]>

type Offer = { key: string; commands: readonly Command[] }

const none: Offer = { key: '', commands: [] }
// Two contexts: a component that offers commands is not drawn again when they change.
const OfferContext = createContext<(offer: Offer) => () => void>(() => () => {})
const OfferedContext = createContext<readonly Command[]>([])

/** Commands that the open page adds to the palette. */
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
export function usePaletteCommands(key: string, commands: readonly Command[]): void {
  const offer = useContext(OfferContext)
  // The commands are new objects on every render; `key` says when they really changed.
  const offerUnder = useEffectEvent((newKey: string) => offer({ key: newKey, commands }))
  useEffect(() => offerUnder(key), [key])
}
