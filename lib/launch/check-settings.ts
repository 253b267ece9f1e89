import { createPrivateKey, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { toSigningKey } from '#lib/console/connection/signing-key.ts'
import { connectionSettings, signedOnly } from '#lib/settings/console-settings.ts'
import { isLoopback } from '#lib/settings/embed-origins.ts'
import {
  isSet,
  isSetting,
  parseSettings,
  readPem,
  type ParsedSettings,
  settingNames,
  type SettingName,
  type Variables,
} from '#lib/settings/settings.ts'
import { closestName } from '#lib/shared/closest-name.ts'
import { fail, ok, type Result } from '#lib/shared/result.ts'

export type Settings = ParsedSettings & {
  PORT: number
  HOST: string
  DATA_DIR: string
  /** No OpenID provider and no real service: every visitor of the console may sign in. */
  isDemo: boolean
  hasBuiltInService: boolean
}

/** Reads every setting and checks that they fit together; otherwise one line per mistake, all of them at once, none with a secret in it. */
export function readSettings(variables: Variables, isSandboxAlone = false): Result<Settings, string[]> {
  const { values, mistakes } = parseSettings(variables)
  const has = (name: SettingName) => isSet(variables, name)
  mistakes.push(...unknownNames(variables), ...incompleteGroups(has))
  if (isSandboxAlone && has('SERVICE_SANDBOX_URL'))
    mistakes.push('SERVICE_SANDBOX_URL connects another service, so there is no sandbox to start.')
  // Without the console there is nobody to sign in, and callers have their key.
  if (!isSandboxAlone) mistakes.push(...contradictions(has, variables.HOST))
  for (const [isWrong, mistake] of combinations(has, values, isSandboxAlone)) if (isWrong) mistakes.push(mistake)
  if (mistakes.length > 0) return fail(mistakes)
  return ok({
    ...values,
    PORT: values.PORT ?? 3000,
    HOST: values.HOST ?? '127.0.0.1',
    DATA_DIR: values.DATA_DIR ?? '.data',
    isDemo: !has('OIDC_ISSUER'),
    hasBuiltInService: !has('SERVICE_SANDBOX_URL'),
  })
}

/** The settings, or those of the built-in service without the console. Throws an `Error` with a line per mistake. */
export function requireSettings(variables: Variables, isSandboxAlone = false): Settings {
  const read = readSettings(variables, isSandboxAlone)
  if (read.ok) return read.value
  throw new Error(read.error.join('\n'))
}

/** PEM of the certificate and the key with which the ports speak https; null where they speak http. */
export function readTls({ TLS_CERTIFICATE, TLS_KEY }: ParsedSettings): { cert: string; key: string } | null {
  return TLS_CERTIFICATE && TLS_KEY ? { cert: readPem(TLS_CERTIFICATE), key: readPem(TLS_KEY) } : null
}

/** A line for each configured key that has less than 128 bits of security. It works, since the service may know only that one. */
export function shortKeys(settings: Settings): string[] {
  return (['SERVICE_SANDBOX_PRIVATE_KEY', 'SERVICE_PRODUCTION_PRIVATE_KEY'] as const).flatMap((name) => {
    const advice = settings[name] === undefined ? null : toSigningKey(readPem(settings[name])).advice
    return advice === null ? [] : [`${name}: ${advice}`]
  })
}

/** Settings that mean something only together. */
const settingGroups = (has: (name: SettingName) => boolean): (readonly SettingName[])[] => [
  ['TLS_CERTIFICATE', 'TLS_KEY'],
  connectionSettings.production,
  // A sandbox can be called with the access key alone.
  connectionSettings.sandbox.filter((name) => has(name) || !name.endsWith('_PRIVATE_KEY')),
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID', has('OIDC_CLIENT_KEY') ? 'OIDC_CLIENT_KEY' : 'OIDC_CLIENT_SECRET'],
]

function incompleteGroups(has: (name: SettingName) => boolean): string[] {
  return settingGroups(has).flatMap((group) => {
    const set = group.filter(has)
    if (set.length === 0 || set.length === group.length) return []
    const absent = group.filter((name) => !has(name))
    const why = absent.includes('SERVICE_PRODUCTION_PRIVATE_KEY') ? `: ${signedOnly}` : ''
    return [
      `${absent.join(', ')} must be set too, since ${set.join(' and ')} ${set.length > 1 ? 'are' : 'is'} set${why}.`,
    ]
  })
}

function contradictions(has: (name: SettingName) => boolean, host: string | undefined): string[] {
  if (has('OIDC_ISSUER')) {
    return (['NEXTAUTH_SECRET', 'NEXTAUTH_URL'] as const)
      .filter((name) => !has(name))
      .map((name) => `${name} must be set where people sign in through OIDC_ISSUER.`)
  }
  const anybody = 'without OIDC_ISSUER anybody who reaches the console can sign in with any role'
  const mistakes: string[] = []
  if (has('SERVICE_PRODUCTION_URL')) mistakes.push(`SERVICE_PRODUCTION_URL cannot be used in demo mode: ${anybody}.`)
  if (!isLoopback(host?.trim() || '127.0.0.1'))
    mistakes.push(`HOST must be 127.0.0.1, ::1 or localhost in demo mode: ${anybody}.`)
  return mistakes
}

/** Settings that are right by themselves, but not beside each other. */
function combinations(
  has: (name: SettingName) => boolean,
  values: ParsedSettings,
  isSandboxAlone: boolean,
): [isWrong: boolean, mistake: string][] {
  const { SANDBOX_ORIGIN: origin } = values
  const consoleHost = new URL(values.NEXTAUTH_URL ?? 'http://localhost').hostname
  const tls = readTls(values)
  return [
    [
      !isSandboxAlone && origin?.protocol === 'http:' && !isLoopback(origin.hostname),
      'SANDBOX_ORIGIN must be an https origin beside the console; http is accepted on this machine alone.',
    ],
    [
      has('OIDC_ISSUER') && /^http:/i.test(values.NOTIFY_URL ?? ''),
      'NOTIFY_URL must be an https address where people sign in through OIDC_ISSUER.',
    ],
    [has('OIDC_CLIENT_SECRET') && has('OIDC_CLIENT_KEY'), 'OIDC_CLIENT_SECRET and OIDC_CLIENT_KEY cannot both be set.'],
    [
      has('DATABASE_OWNER_URL') && !(has('DATABASE_URL') && has('SERVICE_SANDBOX_URL')),
      'DATABASE_OWNER_URL needs DATABASE_URL and SERVICE_SANDBOX_URL: the built-in service makes and drops tables itself.',
    ],
    [
      has('DATABASE_REPLICA_URL') && !has('DATABASE_URL'),
      'DATABASE_REPLICA_URL needs DATABASE_URL, the database that it is a replica of.',
    ],
    [
      origin !== undefined && has('SERVICE_SANDBOX_URL'),
      'SANDBOX_ORIGIN is of the built-in service, which SERVICE_SANDBOX_URL replaces.',
    ],
    [
      has('SERVICE_SANDBOX_WEBHOOK_PUBLIC_KEY') && !has('SERVICE_SANDBOX_URL') && !has('SANDBOX_WEBHOOK_KEY'),
      'SERVICE_SANDBOX_WEBHOOK_PUBLIC_KEY is of a sandbox at SERVICE_SANDBOX_URL. The built-in service signs with a key of its own.',
    ],
    [
      has('OIDC_ISSUER') && values.STEP_UP !== 'optional' && isAddress(consoleHost) && !isLoopback(consoleHost),
      'NEXTAUTH_URL must have a host name: browsers allow no passkey at an IP address. With STEP_UP=optional nobody needs one.',
    ],
    [
      origin?.hostname === consoleHost,
      'SANDBOX_ORIGIN must have another host name than the console, which is that of NEXTAUTH_URL.',
    ],
    [
      tls !== null && !new X509Certificate(tls.cert).checkPrivateKey(createPrivateKey(tls.key)),
      'TLS_KEY must be the private key of TLS_CERTIFICATE.',
    ],
  ]
}

/** Whether the host of a URL is an IP address: one of IPv6 stands in brackets. */
function isAddress(hostname: string): boolean {
  return isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0
}

const ownPrefix = /^(SERVICE_SANDBOX|SERVICE_PRODUCTION|OIDC|SANDBOX|EMBED|DEMO|STEP|AUDIT|METRICS|TLS)_/
/** What Kubernetes sets for each Service beside the console, whatever its name: `SANDBOX_SERVICE_HOST`. */
const serviceLink = /_(?:SERVICE_HOST|(?:SERVICE_)?PORT(?:_\w+)?)$/

/**
 * A misspelt setting must not be ignored silently. OpenTelemetry has variables of its own that are like settings, and a platform
 * others, such as `DATABASE_USER`.
 */
function unknownNames(variables: Variables): string[] {
  return Object.keys(variables)
    .filter((name) => !isSetting(name) && !serviceLink.test(name))
    .flatMap((name) => {
      const most = name.startsWith('OTEL_') ? 2 : Math.floor(name.length / 5)
      const meant = closestName(name, settingNames, most)
      const isLike = meant?.split('_')[0] === name.split('_')[0]
      if (!isLike && !ownPrefix.test(name)) return []
      return [`${name} is not a setting of Carddesk.${meant === null ? '' : ` Did you mean ${meant}?`}`]
    })
}
