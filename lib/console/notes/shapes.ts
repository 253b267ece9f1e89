import type { XmetadataTargetType } from '#lib/contract/xmetadata.ts'
import type { Role } from '../desk/permissions.ts'
import type { Actor, NotStarted } from '../desk/shapes.ts'

export type NoteResult = { kind: 'saved' } | NotStarted

/** Types of records that notes can be written on: those that carry metadata. */
export type NoteTargetType = XmetadataTargetType

/** Whom a note is handed to, and who finished it; null fields where that did not happen. */
export type Handover = { role: Role | null; person: string | null; done: { at: string; by: string } | null }

export type Note = {
  id: string
  text: string
  by: Actor
  at: string
  isPinned: boolean
  handover: Handover | null
}

/** The longest note, in characters. */
export const longestNote = 2000
