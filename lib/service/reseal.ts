import { resealColumn } from '#lib/db/reseal.ts'
import { withClockLock } from './clock-lock.ts'
import { boundTo as serviceKeyName, sealingKeys, type KeyStore } from './service-keys.ts'
import { listSnapshotSchemas } from './snapshots.ts'

/** The columns of a schema of the service with bytes that `CARD_NUMBER_KEY` sealed. */
const sealedColumns = (schema: string) => [
  {
    table: `${schema}.cards`,
    column: 'sealed_number',
    key: { name: 'id', type: 'uuid' as const },
    boundTo: (id: string) => id,
  },
  {
    table: `${schema}.service_keys`,
    column: 'value',
    key: { name: 'name', type: 'text' as const },
    boundTo: serviceKeyName,
  },
]

/**
 * Seals with the present key what the previous one sealed, in the snapshots too, and returns how many rows those were. The
 * clock lock is held meanwhile, so that no snapshot is taken or restored.
 */
export async function resealStored(store: KeyStore): Promise<number> {
  const { db } = store
  return withClockLock(db, async () => {
    let rows = 0
    for (const schema of ['service', ...(await listSnapshotSchemas(db))])
      for (const column of sealedColumns(schema)) rows += await resealColumn(db, column, sealingKeys(store))
    return rows
  })
}
