import { readFileSync } from 'node:fs'
import path from 'node:path'

/** How a caller of this machine reaches the built-in service. */
export type Access = { baseUrl: string; accessKey: string; privateKeyFile: string }

/** The access file that a running server leaves in its data folder. Throws an `Error` for people where there is none. */
export function readAccess(dataDir: string): Access {
  const file = path.join(dataDir, 'service-access.json')
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Access
  } catch {
    throw new Error(`${file} cannot be read. Start the server with npm start, or set DATA_DIR to its folder.`)
  }
}
