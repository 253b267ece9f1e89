import { xmetadataTargetTypes } from '#lib/contract/xmetadata.ts'
import type { Role } from '../desk/permissions.ts'
import type { Actor, NotStarted } from '../desk/shapes.ts'

export type NoteResult = { kind: 'saved' } | NotStarted

/** What notes can be written on: what the interface lets carry metadata. */
export const noteTargetTypes = xmetadataTargetTypes

export type NoteTargetType = (typeof noteTargetTypes)[number]

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
