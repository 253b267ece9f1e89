import { defineActions } from './action.ts'
import { defineReads, list, record } from './read.ts'
import { choice, defineSearch, text } from './search.ts'

export const deviationSearch = defineSearch({ endpoint: text(100), kind: choice('difference', 'unknown-field') })

export const connectionReads = defineReads({
  readConnection: { path: 'connection', needs: 'connection.read', poll: { ...record, staleAfter: 2_000 } },
  listDeviations: { path: 'connection/deviations', needs: 'connection.read', poll: { ...list, staleAfter: 2_000 } },
})

export const connectionActions = defineActions({
  runConnectionCheck: { needs: 'connection.read', changes: ['connection'] },
})
