import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { ServiceConnection } from '#lib/client/service-profile.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { connectionSettings, readConnection } from './console-settings.ts'
import { isSet, type Variables } from './settings.ts'

/** A connection with the URL of its control plane, which the built-in service alone has. */
type ServiceAccess = ServiceConnection & { controlUrl: string | null }

/**
 * The access to the built-in service, from its access file: by the access key alone where the callers' public key is a setting, whose
 * private key is not here. Throws an `Error` for people where the file cannot be read.
 */
export function builtInAccess(variables: Variables): ServiceAccess {
  const { DATA_DIR, SERVICE_SANDBOX_URL } = variables
  const file = path.resolve(DATA_DIR || '.data', 'service-access.json')
  try {
    const { privateKeyFile, ...access } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
    const { baseUrl = '', controlUrl = '', accessKey = '' } = access
    return { baseUrl, controlUrl, accessKey, privateKey: privateKeyFile ? readFileSync(privateKeyFile, 'utf8') : null }
  } catch {
    const advice = isSet(variables, 'SERVICE_SANDBOX_URL')
      ? `The built-in service is off while SERVICE_SANDBOX_URL connects ${SERVICE_SANDBOX_URL}. Set DATA_DIR to the folder of one that runs.`
      : 'Start the server with npm start, or set DATA_DIR to its folder.'
    throw new Error(`${file} cannot be read. ${advice}`)
  }
}

/**
 * The service of an environment, as the settings connect it; the built-in one for a sandbox that is not connected. Throws
 * an `Error` for people for settings that are wrong, and where production is not connected.
 */
export function readServiceAccess(environment: Environment, variables: Variables): ServiceAccess {
  if (environment === 'sandbox' && !isSet(variables, 'SERVICE_SANDBOX_URL')) return builtInAccess(variables)
  const read = readConnection(variables, environment)
  if (!read.ok) throw new Error(read.error.join('\n'))
  if (read.value) return { ...read.value, controlUrl: null }
  const [url, accessKey, privateKey] = connectionSettings[environment]
  throw new Error(`${environment} is not connected. Set ${url}, ${accessKey} and ${privateKey}.`)
}
