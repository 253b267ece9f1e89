'use client'

import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useState,
} from 'react'
import type { Command } from '#components/layout/command.ts'

type Offer = { key: string; commands: readonly Command[] }
type OfferedCommands = {
  commands: readonly Command[]
  /** Adds commands to the palette; what it returns takes them away again. */
  offer: (offer: Offer) => () => void
}

const none: Offer = { key: '', commands: [] }
const OfferedCommandsContext = createContext<OfferedCommands>({ commands: [], offer: () => () => {} })

/** What the open page adds to the command palette. */
export function OfferedCommandsProvider({ children }: { children: ReactNode }) {
  const [{ commands }, setOffered] = useState(none)
  const offer = useCallback((next: Offer) => {
    setOffered(next)
    return () => setOffered((now) => (now === next ? none : now))
  }, [])
  const value = useMemo(() => ({ commands, offer }), [commands, offer])
  return <OfferedCommandsContext value={value}>{children}</OfferedCommandsContext>
}

export function useOfferedCommands(): OfferedCommands {
  return useContext(OfferedCommandsContext)
}

/** Offers the commands of a page in the palette while it is open. `key` changes whenever what they are or do changes. */
export function useOffer(key: string, commands: readonly Command[]): void {
  const { offer } = useOfferedCommands()
  // The commands themselves are new with every render; what is offered changes with the key.
  const offerUnder = useEffectEvent((newKey: string) => offer({ key: newKey, commands }))
  useEffect(() => offerUnder(key), [key])
}
