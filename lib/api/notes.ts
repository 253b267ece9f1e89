import { defineReads, once } from './read.ts'
import { recordReaders } from './references.ts'

export const noteReads = defineReads({
  listNotes: {
    path: 'notes/[type]/[id]',
    needs: { byType: recordReaders },
    // A note that is added is a live update.
    poll: once,
    // The notes of a record are shown on those that belong to it, too.
    staleOn: { notes: true },
  },
  listAssignees: { path: 'notes/assignees', needs: 'notes.write', poll: { staleAfter: 60_000 } },
})
