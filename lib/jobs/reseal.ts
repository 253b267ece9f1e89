import 'server-only'
import { database } from '#lib/db/connection.ts'
import { resealColumn } from '#lib/db/reseal.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { logResealed } from '#lib/shared/log.ts'

/** Every column of the console with sealed bytes; those of a row are bound to its id after `boundTo`. */
const sealedColumns = [
  { table: 'console.operations', column: 'sealed_body', boundTo: '' },
  { table: 'console.operations', column: 'sealed_grant', boundTo: 'grant ' },
  { table: 'console.approvals', column: 'sealed_terms', boundTo: 'terms ' },
  { table: 'console.sessions', column: 'sealed_id_token', boundTo: '' },
]

const progress = globalSingleton('carddeskResealed', () => ({ isDone: false }))

/** Seals with the present key what the previous one sealed, once in the life of a process, and logs when that is done. */
export async function resealStored(): Promise<void> {
  const { sealingKey: key, previousSealingKey: previous } = consoleSettings()
  if (progress().isDone || previous === null) return
  let rows = 0
  for (const { boundTo, ...column } of sealedColumns) {
    const sealed = { ...column, key: { name: 'id', type: 'uuid' as const }, boundTo: (id: string) => `${boundTo}${id}` }
    rows += await resealColumn(database(), sealed, { key, previous })
  }
  progress().isDone = true
  logResealed(rows)
}
