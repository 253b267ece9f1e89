import { database, type Database } from '#lib/db/connection.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import {
  controlPrefix,
  readServiceSettings,
  sandboxesPrefix,
  servicePrefix,
  type ServiceSettings,
} from './service-settings.ts'
import type { Transport } from './webhooks/transport.ts'

/** The dependencies of the service. Tests make their own. */
export type Service = {
  db: Database
  settings: ServiceSettings
  /** How deliveries go out; by HTTP where none is given. */
  transport?: Transport
  /** Set where this is a sandbox of its own: below its id, with a schema of its own. */
  sandboxId?: string
}

/** Where the interface of a service is mounted. */
export function interfacePrefix({ sandboxId }: Service): string {
  return sandboxId === undefined ? servicePrefix : `${sandboxesPrefix}/${sandboxId}/v1`
}

/** Where the control plane of a service is mounted. */
export function sandboxControlPrefix({ sandboxId }: Service): string {
  return sandboxId === undefined ? controlPrefix : `${sandboxesPrefix}/${sandboxId}/control`
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
export const runningService = globalSingleton<Service>('carddeskService', () => ({
  db: database('service'),
  settings: readServiceSettings(process.env),
}))
