import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Role } from '#lib/auth/permissions.ts'
import { parseProfileFile } from '#lib/client/profile-file.ts'
import { contractProfile, type ServiceConnection, type ServiceProfile } from '#lib/client/service-profile.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { fail, ok, type Result } from '#lib/shared/result.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { withoutTrailingSlashes } from '#lib/shared/texts.ts'
import { minuteMs } from '#lib/shared/time.ts'
import { demoHelpDeskOrigin } from './embed-origins.ts'
import { isSet, parseSettings, readPem, settingNames, type SettingName, type Variables } from './settings.ts'

export type ConsoleSettings = {
  /** No OpenID provider: the demo staff sign in by one click. */
  isDemo: boolean
  /** The address that people open, without a slash at its end. */
  consoleUrl: string
  sessionSecret: string
  sealingKey: Buffer
  /** Opens data that were sealed with it, while a key is being replaced. */
  previousSealingKey: Buffer | null
  /** Cookies that were made with it still count. */
  previousSessionSecret: string | null
  services: Record<Environment, ServiceConnection | null>
  /** PEM of the key that signs an environment's deliveries. */
  webhookKeys: Record<Environment, string | null>
  /** Ids of the webhooks to poll where the service cannot list them. */
  webhookIds: Record<Environment, readonly string[]>
  /** The origin in links of the built-in service; null while a real sandbox is connected. */
  builtInServiceOrigin: string | null
  /** Whether payouts may be submitted: the interface itself only names the execution of a quote. */
  executesPayouts: Record<Environment, boolean>
  /** The pace of all bulk jobs of an environment together: it must stay below the service's rate limit. */
  bulkRowsPerSecond: number
  oidc: OidcSettings | null
  /** Whom the provider's claims admit, and with which role. A person needs one of them or an invitation. */
  admission: Admission
  /** Keys of metadata that roles without personal data see, and filter by. */
  openMetadataKeys: readonly string[]
  /** A session ends after this long without input. */
  idleMs: number
  /** `required`: what could do harm needs a passkey. `optional`: only of people who have one. */
  stepUp: 'required' | 'optional'
  /** Payouts of this amount or more need a passkey, by funding currency; any amount in a currency that is left out. */
  stepUpPayouts: Readonly<Record<string, string>>
  /** How many proxies in front add a trusted entry to `X-Forwarded-For`; 0: the socket's peer is the person. */
  trustedProxyHops: number
  /** The origins that may show embedded views, the demo's help desk among them. */
  embedOrigins: readonly string[]
  /** The demo's help desk, on its own origin; null outside demo mode. */
  demoHelpDesk: string | null
}

export type OidcSettings = {
  issuer: string
  clientId: string
  /** How the console signs in at the provider: a secret that both know, or the private key of a pair. */
  credential: { secret: string } | { key: string; keyId: string | null }
  scopes: string
  /** How a person signs out of the provider: `post` sends it the ID token, in a form. */
  signOut: 'get' | 'post'
  /** How long ago a person may have authenticated at the provider; null: any time ago. */
  maxAgeMs: number | null
  /** The ID token's `acr` has to be one of them, and its `amr` to hold one of them; none: any. */
  acrValues: readonly string[]
  amrValues: readonly string[]
}

export type Admission = {
  /** E-mail addresses that become admin once the provider has verified them. */
  adminEmails: readonly string[]
  /** Roles by group of the provider's `groups` claim; the first pair that matches counts. */
  groupRoles: readonly { group: string; role: Role }[]
  /** Domains whose verified addresses are viewers. */
  emailDomains: readonly string[]
}

/** The settings that connect an environment. A sandbox needs no private key: the interface accepts the access key alone there. */
export const connectionSettings = {
  sandbox: ['SERVICE_SANDBOX_URL', 'SERVICE_SANDBOX_ACCESS_KEY', 'SERVICE_SANDBOX_PRIVATE_KEY'],
  production: ['SERVICE_PRODUCTION_URL', 'SERVICE_PRODUCTION_ACCESS_KEY', 'SERVICE_PRODUCTION_PRIVATE_KEY'],
} as const satisfies Record<Environment, readonly SettingName[]>

/** Why production needs a private key: the interface, Authentication 1 and 4. */
export const signedOnly =
  'production accepts signed requests only, and the access key alone (HTTP Basic) is for a sandbox'

/** The setting that holds the key of an environment's deliveries. */
export const webhookKeySettings = {
  sandbox: 'SERVICE_SANDBOX_WEBHOOK_PUBLIC_KEY',
  production: 'SERVICE_PRODUCTION_WEBHOOK_PUBLIC_KEY',
} as const satisfies Record<Environment, SettingName>

/** The console's settings, as the launcher left them in the environment; otherwise one line per mistake. */
export function readConsoleSettings(variables: Variables): Result<ConsoleSettings, string[]> {
  const connections = new Set<SettingName>(Object.values(connectionSettings).flat())
  const { values: set, mistakes } = parseSettings(
    variables,
    settingNames.filter((name) => !connections.has(name)),
  )
  const readWebhookKey = (environment: Environment) => {
    const key = set[webhookKeySettings[environment]]
    return key ? readPem(key) : null
  }
  const { NEXTAUTH_URL, NEXTAUTH_SECRET, CONSOLE_SEALING_KEY } = set
  const sandbox = readConnection(variables, 'sandbox')
  const production = readConnection(variables, 'production')
  mistakes.push(...missing(variables, ['NEXTAUTH_URL', 'NEXTAUTH_SECRET', 'CONSOLE_SEALING_KEY']))
  for (const read of [sandbox, production]) if (!read.ok) mistakes.push(...read.error)
  if (!NEXTAUTH_URL || !NEXTAUTH_SECRET || !CONSOLE_SEALING_KEY || !sandbox.ok || !production.ok || mistakes[0]) {
    return fail(mistakes)
  }
  const isDemo = set.OIDC_ISSUER === undefined
  const demoHelpDesk = demoHelpDeskOrigin(variables)
  const { OIDC_CLIENT_SECRET: secret, OIDC_CLIENT_KEY: key, OIDC_CLIENT_KEY_ID: keyId = null } = set
  const credential = key ? { key: readPem(key), keyId } : secret ? { secret } : null
  return ok({
    isDemo,
    consoleUrl: withoutTrailingSlashes(NEXTAUTH_URL),
    sessionSecret: NEXTAUTH_SECRET,
    sealingKey: Buffer.from(CONSOLE_SEALING_KEY, 'base64'),
    previousSealingKey: set.CONSOLE_SEALING_KEY_PREVIOUS
      ? Buffer.from(set.CONSOLE_SEALING_KEY_PREVIOUS, 'base64')
      : null,
    previousSessionSecret: set.NEXTAUTH_SECRET_PREVIOUS ?? null,
    services: { sandbox: sandbox.value, production: production.value },
    webhookKeys: { sandbox: readWebhookKey('sandbox'), production: readWebhookKey('production') },
    webhookIds: {
      sandbox: set.SERVICE_SANDBOX_WEBHOOK_IDS ?? [],
      production: set.SERVICE_PRODUCTION_WEBHOOK_IDS ?? [],
    },
    builtInServiceOrigin: variables.BUILT_IN_SERVICE === 'on' ? (variables.BUILT_IN_SERVICE_ORIGIN ?? null) : null,
    executesPayouts: { sandbox: true, production: set.SERVICE_PRODUCTION_PAYOUTS ?? false },
    bulkRowsPerSecond: set.BULK_ROWS_PER_SECOND ?? 5,
    oidc:
      set.OIDC_ISSUER && set.OIDC_CLIENT_ID && credential
        ? {
            issuer: set.OIDC_ISSUER,
            clientId: set.OIDC_CLIENT_ID,
            credential,
            scopes: set.OIDC_SCOPES ?? 'openid email profile',
            signOut: set.OIDC_SIGN_OUT ?? 'get',
            maxAgeMs: set.OIDC_MAX_AGE_MINUTES === 'off' ? null : (set.OIDC_MAX_AGE_MINUTES ?? 720) * minuteMs,
            acrValues: set.OIDC_ACR_VALUES ?? [],
            amrValues: set.OIDC_AMR_VALUES ?? [],
          }
        : null,
    admission: {
      adminEmails: set.OIDC_ADMIN_EMAILS ?? [],
      groupRoles: set.OIDC_GROUP_ROLES ?? [],
      emailDomains: set.OIDC_EMAIL_DOMAINS ?? [],
    },
    openMetadataKeys: set.METADATA_KEYS ?? ['costCentre', 'department', 'region', 'team'],
    idleMs: (set.SESSION_IDLE_MINUTES ?? 15) * minuteMs,
    stepUp: set.STEP_UP ?? (isDemo ? 'optional' : 'required'),
    stepUpPayouts: set.STEP_UP_PAYOUTS ? Object.fromEntries(set.STEP_UP_PAYOUTS) : { USD: '10000', HKD: '80000' },
    trustedProxyHops: set.TRUSTED_PROXY_HOPS ?? 0,
    embedOrigins: [...(set.EMBED_ALLOWED_ORIGINS ?? []), ...(demoHelpDesk === null ? [] : [demoHelpDesk])],
    demoHelpDesk,
  })
}

/**
 * The connection of one environment, with its names; null where none is set. Otherwise one line per mistake. It needs
 * none of the other settings, so that a service can be checked before a console is set up.
 */
export function readConnection(
  variables: Variables,
  environment: Environment,
): Result<ServiceConnection | null, string[]> {
  const names = connectionSettings[environment]
  if (!names.some((name) => isSet(variables, name))) return ok(null)
  const [urlName, keyName, pemName] = names
  // The launcher's URL of the built-in service is http to the address that it listens on, whichever that is.
  const isBuiltIn = environment === 'sandbox' && variables.BUILT_IN_SERVICE === 'on'
  const { values, mistakes } = parseSettings(variables, isBuiltIn ? [keyName, pemName] : names)
  const baseUrl = isBuiltIn ? variables[urlName] : values[urlName]
  const accessKey = values[keyName]
  const privateKey = values[pemName]
  const needsKey = environment === 'production' && !isSet(variables, pemName)
  const absent = [
    ...missing(variables, [urlName, keyName]),
    ...(needsKey ? [`${pemName} must be set: ${signedOnly}.`] : []),
  ]
  if (!baseUrl || !accessKey || mistakes.length > 0 || absent.length > 0) return fail([...mistakes, ...absent])
  const profiles = readProfiles(variables)
  if (!profiles.ok) return profiles
  return ok({
    baseUrl,
    accessKey: accessKey.toLowerCase(),
    privateKey: privateKey ? readPem(privateKey) : null,
    profile: profiles.value[environment],
  })
}

function missing(variables: Variables, names: readonly SettingName[]): string[] {
  return names.filter((name) => !isSet(variables, name)).map((name) => `${name} must be set.`)
}

/** The process's settings, read once. Throws where the launcher did not leave them whole. */
export const consoleSettings = globalSingleton<ConsoleSettings>('carddeskConsoleSettings', () => {
  const read = readConsoleSettings(process.env)
  if (!read.ok)
    throw new Error(`The console's settings are not whole: ${read.error.join(' ')} Start it with npm start.`)
  return read.value
})

export const defaultProfileFile = 'carddesk.service.json'

/**
 * The names of each environment's service, from the file that `SERVICE_NAMES_FILE` names, else from
 * `carddesk.service.json` in the working directory where there is one. The built-in service has the contract's names.
 */
function readProfiles(variables: Variables): Result<Record<Environment, ServiceProfile>, string[]> {
  const setting = variables.SERVICE_NAMES_FILE?.trim()
  const file = path.resolve(setting || defaultProfileFile)
  if (!setting && !existsSync(file)) return ok({ sandbox: contractProfile, production: contractProfile })
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return fail([`SERVICE_NAMES_FILE must be a file that can be read; it is "${setting ?? file}".`])
  }
  const parsed = parseProfileFile(text)
  if (!parsed.ok) return fail(parsed.error.map((mistake) => `${path.basename(file)}: ${mistake}`))
  const { sandbox, production } = parsed.value
  return ok({ sandbox: variables.BUILT_IN_SERVICE === 'on' ? contractProfile : sandbox, production })
}
