import 'server-only'
import { noteReads } from '#lib/api/notes.ts'
import { implement } from '#lib/gate/implement.ts'
import { listNotes, listAssignees } from './read.ts'
import { addNote, finishHandover, pinNote, takeHandover } from './write.ts'

export const noteApi = implement(noteReads, { listNotes, listAssignees })

export const noteHandlers = { addNote, pinNote, takeHandover, finishHandover }
