import { database, type Database } from '#lib/db/connection.ts'
import { readServiceSettings, type ServiceSettings } from './settings.ts'
import type { Transport } from './webhooks/transport.ts'

/** What every part of the service works on. Tests make one of their own. */
export type Service = {
  db: Database
  settings: ServiceSettings
  /** How deliveries go out; by HTTP where none is given. */
  transport?: Transport
}

const store = globalThis as typeof globalThis & { carddeskService?: Service }

/** The process's own service: one a process, also where a bundler loads this module twice. */
export function runningService(): Service {
  return (store.carddeskService ??= { db: database('service'), settings: readServiceSettings(process.env) })
}
