import type { Permission } from '#lib/auth/permissions.ts'
import { defineActions } from './action.ts'
import { defineReads, noPolling } from './read.ts'
import { recordReaders } from './references.ts'

/** Who reads the notes of a record of each type. */
export const noteReaders = {
  ...recordReaders,
  transaction: 'accounts.read',
  fee: 'accounts.read',
} as const satisfies Record<string, Permission>

/** Types of records that notes can be written on. */
export type NoteTargetType = keyof typeof noteReaders

export function isNoteTargetType(text: string): text is NoteTargetType {
  return Object.hasOwn(noteReaders, text)
}

export const noteTargetTypes = Object.keys(noteReaders).filter(isNoteTargetType)

export const noteReads = defineReads({
  listNotes: {
    path: 'notes/[type]/[id]',
    needs: { by: 'type', of: noteReaders },
    // A note that is added is a live update.
    poll: noPolling,
    // The notes of a record are shown on those that belong to it, too.
    staleOn: { notes: true },
  },
  listAssignees: { path: 'notes/assignees', needs: 'notes.write', poll: { staleAfter: 60_000 } },
})

const ofNote = { needs: 'notes.write', changes: ['notes', 'my-work'] } as const

export const noteActions = defineActions({
  addNote: { ...ofNote, act: 'note.add', label: 'Add note' },
  pinNote: {
    ...ofNote,
    act: {
      by: 'isPinned',
      of: { true: { act: 'note.pin', label: 'Pin note' }, false: { act: 'note.unpin', label: 'Unpin note' } },
    },
  },
  takeHandover: { ...ofNote, act: 'note.take', label: 'Take hand-over' },
  finishHandover: { ...ofNote, act: 'note.finish', label: 'Finish hand-over' },
})
