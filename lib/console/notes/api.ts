import 'server-only'
import { noteReads } from '#lib/api/notes.ts'
import { implement } from '#lib/gate/implement.ts'
import { listNotes, listAssignees } from './read.ts'

export const noteApi = implement(noteReads, { listNotes, listAssignees })
