import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { parseProfileFile } from '#lib/client/profile-file.ts'
import { contractProfile, type ServiceProfile } from '#lib/client/service-profile.ts'
import { demoHelpDeskOrigin, embedOrigins } from '#lib/shared/embed-origins.ts'
import { processWide } from '#lib/shared/process-wide.ts'
import { fail, ok, type Result } from '#lib/shared/result.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { minuteMs } from '#lib/shared/time.ts'
import { isRole, type Role } from './permissions.ts'

/** Where a service is, as whom the console calls it, and the names in which it differs from the contract. */
export type ServiceConnection = { baseUrl: string; accessKey: string; privateKey: string; profile?: ServiceProfile }

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
  /** The origin in links of the built-in service; null while a real sandbox is connected. */
  builtInServiceOrigin: string | null
  /** Whether payouts may be submitted: the interface itself only names the execution of a quote. */
  executesPayouts: Record<Environment, boolean>
  /** The pace of all bulk jobs of an environment together: it must stay below the service's rate limit. */
  bulkRowsPerSecond: number
  oidc: { issuer: string; clientId: string; clientSecret: string; scopes: string } | null
  /** Whom the provider's claims admit, and with which role. A person needs one of them or an invitation. */
  admission: Admission
  /** A session ends after this long without input. */
  idleMs: number
  /** `required`: what could do harm needs a passkey. `optional`: only of people who have one. */
  stepUp: 'required' | 'optional'
  /** Payouts of this amount or more need a passkey, by funding currency; any amount in a currency that is left out. */
  stepUpPayouts: Readonly<Record<string, string>>
  /** How many proxies in front add a trusted entry to `X-Forwarded-For`; 0: the socket's peer is the person. */
  trustedProxyHops: number
  /** The origins that may show embedded views. */
  embedOrigins: readonly string[]
  /** The demo's own help desk, on an origin of its own; null where it is no demo. */
  demoHelpDesk: string | null
}

export type Admission = {
  /** E-mail addresses that become admin once the provider has verified them. */
  adminEmails: readonly string[]
  /** Roles by group of the provider's `groups` claim; the first pair that matches counts. */
  groupRoles: readonly { group: string; role: Role }[]
  /** Domains whose verified addresses are viewers. */
  emailDomains: readonly string[]
}

const text = z.string().trim().min(1)
const given = text.optional().or(z.literal('').transform(() => undefined))

const Environment = z.object({
  NEXTAUTH_URL: z.url('must be the address at which people open the console'),
  NEXTAUTH_SECRET: text.min(32, 'must have 32 characters or more'),
  CONSOLE_SEALING_KEY: z
    .base64('must be 32 bytes in base64')
    .refine((value) => Buffer.from(value, 'base64').length === 32, 'must be 32 bytes in base64'),
  CONSOLE_SEALING_KEY_PREVIOUS: given,
  NEXTAUTH_SECRET_PREVIOUS: given,
  SERVICE_SANDBOX_URL: z.url('must be the base address of the service'),
  SERVICE_SANDBOX_ACCESS_KEY: z.uuid('must be a UUID'),
  SERVICE_SANDBOX_PRIVATE_KEY: text,
  SERVICE_PRODUCTION_URL: z.url('must be the base address of the service').optional(),
  SERVICE_PRODUCTION_ACCESS_KEY: z.uuid('must be a UUID').optional(),
  SERVICE_PRODUCTION_PRIVATE_KEY: given,
  SERVICE_NAMES_FILE: given,
  SERVICE_PRODUCTION_PAYOUTS: z.enum(['on', 'off'], 'must be on or off').optional(),
  BULK_ROWS_PER_SECOND: z.coerce.number('must be a number').min(1).max(100).default(5),
  OIDC_ISSUER: z.url('must be the address of the OpenID provider').optional(),
  OIDC_CLIENT_ID: given,
  OIDC_CLIENT_SECRET: given,
  OIDC_SCOPES: text.default('openid email profile'),
  OIDC_ADMIN_EMAILS: given,
  BUILT_IN_SERVICE: given,
  BUILT_IN_SERVICE_ORIGIN: given,
  OIDC_GROUP_ROLES: given,
  OIDC_EMAIL_DOMAINS: given,
  SESSION_IDLE_MINUTES: z.coerce.number('must be a number').min(3).max(60).default(15),
  STEP_UP: z.enum(['required', 'optional'], 'must be required or optional').optional(),
  STEP_UP_PAYOUTS: text.default('USD=10000,HKD=80000'),
  TRUSTED_PROXY_HOPS: z.coerce.number('must be a number').int('must be a whole number').min(0).max(10).default(0),
})

/** The console's settings, as the launcher left them in the environment; otherwise one line per mistake. */
export function readConsoleSettings(
  variables: Readonly<Record<string, string | undefined>>,
): Result<ConsoleSettings, string[]> {
  const filled = Object.fromEntries(Object.entries(variables).filter(([, value]) => value?.trim()))
  const parsed = Environment.safeParse(filled)
  if (!parsed.success) {
    return fail(parsed.error.issues.map((issue) => `${issue.path.join('.')} ${messageOf(issue)}.`))
  }
  const set = parsed.data
  const profiles = readProfiles(variables)
  if (!profiles.ok) return profiles
  return ok({
    isDemo: set.OIDC_ISSUER === undefined,
    consoleUrl: set.NEXTAUTH_URL.replace(/\/+$/, ''),
    sessionSecret: set.NEXTAUTH_SECRET,
    sealingKey: Buffer.from(set.CONSOLE_SEALING_KEY, 'base64'),
    previousSealingKey: set.CONSOLE_SEALING_KEY_PREVIOUS
      ? Buffer.from(set.CONSOLE_SEALING_KEY_PREVIOUS, 'base64')
      : null,
    previousSessionSecret: set.NEXTAUTH_SECRET_PREVIOUS ?? null,
    services: {
      sandbox: connectionFrom(
        set.SERVICE_SANDBOX_URL,
        set.SERVICE_SANDBOX_ACCESS_KEY,
        set.SERVICE_SANDBOX_PRIVATE_KEY,
        profiles.value.sandbox,
      ),
      production: connectionFrom(
        set.SERVICE_PRODUCTION_URL,
        set.SERVICE_PRODUCTION_ACCESS_KEY,
        set.SERVICE_PRODUCTION_PRIVATE_KEY,
        profiles.value.production,
      ),
    },
    builtInServiceOrigin: set.BUILT_IN_SERVICE === 'on' ? (set.BUILT_IN_SERVICE_ORIGIN ?? null) : null,
    executesPayouts: { sandbox: true, production: set.SERVICE_PRODUCTION_PAYOUTS === 'on' },
    bulkRowsPerSecond: set.BULK_ROWS_PER_SECOND,
    oidc:
      set.OIDC_ISSUER && set.OIDC_CLIENT_ID && set.OIDC_CLIENT_SECRET
        ? {
            issuer: set.OIDC_ISSUER,
            clientId: set.OIDC_CLIENT_ID,
            clientSecret: set.OIDC_CLIENT_SECRET,
            scopes: set.OIDC_SCOPES,
          }
        : null,
    admission: {
      adminEmails: listOf(set.OIDC_ADMIN_EMAILS).map((email) => email.toLowerCase()),
      groupRoles: groupRolesOf(set.OIDC_GROUP_ROLES ?? '').flatMap(({ group, role }) =>
        isRole(role) ? [{ group, role }] : [],
      ),
      emailDomains: listOf(set.OIDC_EMAIL_DOMAINS).map((domain) => domain.toLowerCase()),
    },
    idleMs: set.SESSION_IDLE_MINUTES * minuteMs,
    stepUp: set.STEP_UP ?? (set.OIDC_ISSUER === undefined ? 'optional' : 'required'),
    stepUpPayouts: Object.fromEntries(pairsOf(set.STEP_UP_PAYOUTS)),
    trustedProxyHops: set.TRUSTED_PROXY_HOPS,
    embedOrigins: embedOrigins(variables),
    demoHelpDesk: demoHelpDeskOrigin(variables),
  })
}

function listOf(text = ''): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** The pairs of OIDC_GROUP_ROLES. */
export function groupRolesOf(setting: string): { group: string; role: string }[] {
  return pairsOf(setting).map(([group, role]) => ({ group, role }))
}

/** `a=1,b=2` as pairs. A name may contain `=`: the value is behind the last one. */
export function pairsOf(setting: string): [name: string, value: string][] {
  return listOf(setting).map((pair) => {
    const end = pair.lastIndexOf('=')
    return [pair.slice(0, Math.max(0, end)).trim(), pair.slice(end + 1).trim()]
  })
}

/** The settings that connect an environment. */
export const connectionSettings: Record<Environment, readonly string[]> = {
  sandbox: ['SERVICE_SANDBOX_URL', 'SERVICE_SANDBOX_ACCESS_KEY', 'SERVICE_SANDBOX_PRIVATE_KEY'],
  production: ['SERVICE_PRODUCTION_URL', 'SERVICE_PRODUCTION_ACCESS_KEY', 'SERVICE_PRODUCTION_PRIVATE_KEY'],
}

/**
 * The connection of one environment, with its names; null where none is set. Otherwise one line per mistake. It needs
 * none of the other settings, so that a service can be checked before a console is set up.
 */
export function readConnection(
  variables: Readonly<Record<string, string | undefined>>,
  environment: Environment,
): Result<ServiceConnection | null, string[]> {
  const names = connectionSettings[environment]
  const [url, accessKey, privateKey] = names.map((name) => variables[name]?.trim() || undefined)
  if (!url && !accessKey && !privateKey) return ok(null)
  const { SERVICE_SANDBOX_URL, SERVICE_SANDBOX_ACCESS_KEY, SERVICE_SANDBOX_PRIVATE_KEY } = Environment.shape
  const schema = z.tuple([SERVICE_SANDBOX_URL, SERVICE_SANDBOX_ACCESS_KEY, SERVICE_SANDBOX_PRIVATE_KEY])
  const parsed = schema.safeParse([url, accessKey, privateKey])
  if (!parsed.success) {
    return fail(parsed.error.issues.map((issue) => `${names[Number(issue.path[0])]} ${messageOf(issue)}.`))
  }
  const profiles = readProfiles(variables)
  if (!profiles.ok) return profiles
  return ok(connectionFrom(...parsed.data, profiles.value[environment]))
}

/** The process's settings, read once. Throws where the launcher did not leave them whole. */
export const consoleSettings = processWide<ConsoleSettings>('carddeskConsoleSettings', () => {
  const read = readConsoleSettings(process.env)
  if (!read.ok)
    throw new Error(`The console's settings are not whole: ${read.error.join(' ')} Start it with npm start.`)
  return read.value
})

function connectionFrom(
  baseUrl: string | undefined,
  accessKey: string | undefined,
  privateKey: string | undefined,
  profile: ServiceProfile,
): ServiceConnection | null {
  if (!baseUrl || !accessKey || !privateKey) return null
  return { baseUrl, accessKey: accessKey.toLowerCase(), privateKey: pemOf(privateKey), profile }
}

export const defaultProfileFile = 'carddesk.service.json'

/**
 * The names of each environment's service, from the file that `SERVICE_NAMES_FILE` names, else from
 * `carddesk.service.json` in the working directory where there is one. The built-in service has the contract's names.
 */
function readProfiles(
  variables: Readonly<Record<string, string | undefined>>,
): Result<Record<Environment, ServiceProfile>, string[]> {
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

/** The PEM that a setting holds or names. */
export function pemOf(setting: string): string {
  return setting.includes('-----BEGIN') ? setting.replaceAll(String.raw`\n`, '\n') : readFileSync(setting, 'utf8')
}

function messageOf(issue: { code: string; message: string; input?: unknown }): string {
  return issue.code === 'invalid_type' ? 'must be set' : issue.message
}
