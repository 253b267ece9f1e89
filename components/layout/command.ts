import type { ReactNode } from 'react'

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
