import type { Actor, Target } from '#lib/audit/types.ts'
import type { Role } from '#lib/auth/permissions.ts'
import type { NotStarted } from '#lib/operations/types.ts'

export type NoteResult = { kind: 'saved' } | NotStarted

/** Whom a note is handed to, until when, who took it and who finished it; null fields where that did not happen. */
export type Handover = {
  role: Role | null
  person: string | null
  dueAt: string | null
  taken: { at: string; byId: string; by: string } | null
  done: { at: string; by: string } | null
}

export type Note = {
  id: string
  /** The record that it was written on. */
  target: Target
  text: string
  by: Actor
  at: string
  isPinned: boolean
  handover: Handover | null
  /** The note that it answers; null where it answers none. */
  answersId: string | null
}

/** The longest note, in characters. */
export const longestNote = 2000
