'use client'

import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react'
import type { Command } from '#components/layout/command.ts'

type OfferedCommands = {
  commands: readonly Command[]
  /** Adds commands to the palette; what it returns takes them away again. */
  offer: (commands: readonly Command[]) => () => void
}

const nothing: OfferedCommands = { commands: [], offer: () => () => {} }
const OfferedCommandsContext = createContext<OfferedCommands>(nothing)

/** What the open page adds to the command palette. */
export function OfferedCommandsProvider({ children }: { children: ReactNode }) {
  const [commands, setCommands] = useState<readonly Command[]>([])
  const offer = useCallback((next: readonly Command[]) => {
    setCommands(next)
    return () => setCommands((now) => (now === next ? [] : now))
  }, [])
  const value = useMemo(() => ({ commands, offer }), [commands, offer])
  return <OfferedCommandsContext value={value}>{children}</OfferedCommandsContext>
}

export function useOfferedCommands(): OfferedCommands {
  return useContext(OfferedCommandsContext)
}
