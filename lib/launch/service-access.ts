import { readFileSync } from 'node:fs'
import path from 'node:path'
import { pemOf } from '#lib/settings/settings.ts'
import { readSettings } from './settings.ts'

/** The access to a service: its base URL, and the key that signs requests. */
type ServiceAccess = { baseUrl: string; accessKey: string; privateKeyPem: string }
/** The built-in service has a control plane. */
type BuiltInAccess = ServiceAccess & { controlUrl: string }

type Variables = Readonly<Record<string, string | undefined>>

/**
 * The access to the built-in service, from its access file. Throws an `Error` for people where the file cannot be
 * read.
 */
export function builtInAccess({ DATA_DIR }: Variables): BuiltInAccess {
  const file = path.resolve(DATA_DIR || '.data', 'service-access.json')
  try {
    const { baseUrl, controlUrl, accessKey, privateKeyFile } = JSON.parse(readFileSync(file, 'utf8')) as Record<
      string,
      string
    >
    return {
      baseUrl: baseUrl ?? '',
      controlUrl: controlUrl ?? '',
      accessKey: accessKey ?? '',
      privateKeyPem: readFileSync(privateKeyFile ?? '', 'utf8'),
    }
  } catch {
    throw new Error(
      `${file} cannot be read. Start the server with npm start, set DATA_DIR to its folder, or connect a service in the settings.`,
    )
  }
}

/**
 * The service of an environment, as the settings connect it; the built-in one for a sandbox that is not connected. Throws
 * an `Error` for people for another name, for settings that are wrong, and where production is not connected.
 */
export function accessOf(environment: string, variables: Variables): ServiceAccess {
  if (environment !== 'sandbox' && environment !== 'production') {
    throw new Error(`--env must be sandbox or production; it is "${environment}".`)
  }
  const read = readSettings(variables)
  if (!read.ok) throw new Error(read.error.join('\n'))
  const prefix = environment === 'sandbox' ? 'SERVICE_SANDBOX' : 'SERVICE_PRODUCTION'
  const baseUrl = read.value[`${prefix}_URL`]
  const accessKey = read.value[`${prefix}_ACCESS_KEY`]
  const privateKey = read.value[`${prefix}_PRIVATE_KEY`]
  if (baseUrl && accessKey && privateKey) return { baseUrl, accessKey, privateKeyPem: pemOf(privateKey) }
  if (environment === 'sandbox') return builtInAccess(variables)
  throw new Error('No production service is connected: SERVICE_PRODUCTION_URL is not set.')
}
