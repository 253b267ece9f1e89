import { database, type Database } from '#lib/db/connection.ts'
import { processWide } from '#lib/shared/process-wide.ts'
import { readServiceSettings, type ServiceSettings } from './settings.ts'
import type { Transport } from './webhooks/transport.ts'

/** The dependencies of the service. Tests make their own. */
export type Service = {
  db: Database
  settings: ServiceSettings
  /** How deliveries go out; by HTTP where none is given. */
  transport?: Transport
}

/** A GET request without authentication. */
export type PublicRequest = {
  service: Service
  request: Request
  /** The last segment of the path as it was written; for `/secure-content/{id}` the id. */
  id: string
  /** The peer's socket address, null where no server of ours is in front. */
  remoteAddress: string | null
}

/** The process's own service. */
export const runningService = processWide<Service>('carddeskService', () => ({
  db: database('service'),
  settings: readServiceSettings(process.env),
}))
