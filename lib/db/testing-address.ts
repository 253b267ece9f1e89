import path from 'node:path'

/** The database that every test database is copied from: migrated, and empty. */
export const templateDatabase = 'carddesk_template'

/** What the test run's PostgreSQL writes into its folder as soon as it can be used, or cannot be started. */
export type TestServerAddress = { url: string } | { failure: string }

export function addressFile(folder: string): string {
  return path.join(folder, 'address.json')
}
