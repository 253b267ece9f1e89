import { defineActions } from './action.ts'
import { defineReads, forever } from './read.ts'

export const reproduceReads = defineReads({
  // Each reading is audited, so it isn't repeated.
  readReproduction: {
    path: 'reproductions/[record]/[recordId]',
    needs: 'cases.reproduce',
    poll: { staleAfter: forever },
  },
})

export const reproduceActions = defineActions({
  buildReproduction: { needs: 'cases.reproduce', act: 'case.build', label: 'Reproduce in a sandbox' },
})
