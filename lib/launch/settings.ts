import type { KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { readSigningKey } from '#lib/console/desk/audit/checkpoints.ts'
import { syslogOf } from '#lib/console/desk/audit/settings.ts'
import { roles } from '#lib/console/desk/permissions.ts'
import { groupRolesOf, pairsOf, pemOf } from '#lib/console/desk/settings.ts'
import { isHostOrigin } from '#lib/shared/embed-origins.ts'
import { fail, ok, type Result } from '#lib/shared/result.ts'
import { readPrivateKey, readPublicKey } from '#lib/signing/keys.ts'

type Environment = Readonly<Record<string, string | undefined>>

const onOff = z.enum(['on', 'off']).transform((value) => value === 'on')
const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .refine((value) => value >= least && value <= most)
const address = (...protocols: string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), { abort: true })
/** https, or http of this machine: on any other http address passwords, codes and cookies travel in clear. */
const secureAddress = address('http:', 'https:').refine((text) => {
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || isLoopback(hostname.replace(/^\[|\]$/g, ''))
})
const serviceUrl = secureAddress.refine((text) => {
  const url = new URL(text)
  return !url.search && !url.hash && !url.username && !url.pathname.endsWith('/')
})
const uuid = z.uuid()
const uuids = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(z.array(uuid))
const rsaKey = (read: (pem: string) => KeyObject) => z.string().refine((text) => isRsaKey(text, read))
const key32 = z.base64().refine((text) => Buffer.from(text, 'base64').length === 32)
const origins = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(z.array(z.string().refine(isHostOrigin)))

/** Every setting: its schema and, for people, what it has to be. A secret one is never shown in a message. */
const settings = {
  PORT: { schema: wholeNumber(1, 65_535), must: 'be a port from 1 to 65535' },
  HOST: { schema: z.string().regex(/^[\w.:-]+$/), must: 'be an address or a host name to listen on' },
  DATA_DIR: { schema: z.string(), must: 'be a folder' },
  DATABASE_URL: {
    schema: address('postgres:', 'postgresql:'),
    must: 'be an address such as postgresql://user:password@host:5432/database',
    secret: true,
  },
  DATABASE_OWNER_URL: {
    schema: address('postgres:', 'postgresql:'),
    must: 'be an address such as postgresql://owner:password@host:5432/database',
    secret: true,
  },
  SERVICE_SANDBOX_URL: {
    schema: serviceUrl,
    must: 'be the https base address of the service, ending in /v1 or the like, without a slash at its end; http is accepted on this machine alone',
  },
  SERVICE_SANDBOX_ACCESS_KEY: { schema: uuid, must: 'be a UUID' },
  SERVICE_SANDBOX_PRIVATE_KEY: {
    schema: rsaKey(readPrivateKey),
    must: 'be an RSA private key of 2048 bits or more, as PEM or as the path of a PEM file',
    secret: true,
  },
  SERVICE_SANDBOX_WEBHOOK_PUBLIC_KEY: {
    schema: rsaKey(readPublicKey),
    must: 'be an RSA public key of 2048 bits or more, as PEM or as the path of a PEM file',
    // A common mistake: the wrong half of the pair.
    secret: true,
  },
  SERVICE_PRODUCTION_URL: {
    schema: serviceUrl,
    must: 'be the https base address of the service, ending in /v1 or the like, without a slash at its end; http is accepted on this machine alone',
  },
  SERVICE_PRODUCTION_ACCESS_KEY: { schema: uuid, must: 'be a UUID' },
  SERVICE_PRODUCTION_PRIVATE_KEY: {
    schema: rsaKey(readPrivateKey),
    must: 'be an RSA private key of 2048 bits or more, as PEM or as the path of a PEM file',
    secret: true,
  },
  SERVICE_PRODUCTION_WEBHOOK_PUBLIC_KEY: {
    schema: rsaKey(readPublicKey),
    must: 'be an RSA public key of 2048 bits or more, as PEM or as the path of a PEM file',
    // A common mistake: the wrong half of the pair.
    secret: true,
  },
  SERVICE_NAMES_FILE: { schema: z.string(), must: 'be the path of a JSON file' },
  SERVICE_SANDBOX_WEBHOOK_IDS: { schema: uuids, must: 'be UUIDs, separated by commas' },
  SERVICE_PRODUCTION_PAYOUTS: { schema: onOff, must: 'be on or off' },
  BULK_ROWS_PER_SECOND: { schema: wholeNumber(1, 100), must: 'be a whole number from 1 to 100' },
  SERVICE_PRODUCTION_WEBHOOK_IDS: { schema: uuids, must: 'be UUIDs, separated by commas' },
  NOTIFY_URL: {
    schema: z.string().refine(isNotifyUrl),
    must: 'be an https address, or in demo mode an http address of this machine',
    secret: true,
  },
  OIDC_ISSUER: {
    schema: secureAddress,
    must: 'be the https address of the OpenID provider; http is accepted on this machine alone',
  },
  OIDC_CLIENT_ID: { schema: z.string(), must: 'be text' },
  OIDC_CLIENT_SECRET: { schema: z.string(), must: 'be text', secret: true },
  OIDC_ADMIN_EMAILS: {
    schema: z
      .string()
      .transform((text) => text.split(',').map((part) => part.trim()))
      .pipe(z.array(z.email())),
    must: 'be e-mail addresses, separated by commas',
  },
  OIDC_GROUP_ROLES: {
    schema: z
      .string()
      .transform(groupRolesOf)
      .pipe(z.array(z.object({ group: z.string().min(1), role: z.enum(roles) }))),
    must: `be pairs such as card-operations=operations, separated by commas, each with one of the roles ${roles.join(', ')}`,
  },
  OIDC_EMAIL_DOMAINS: {
    schema: z
      .string()
      .transform((text) => text.split(',').map((part) => part.trim()))
      .pipe(z.array(z.string().regex(/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/i))),
    must: 'be domains such as example.com, separated by commas',
  },
  OIDC_SCOPES: {
    schema: z.string().regex(/^openid( [\w.:/-]+)*$/),
    must: 'be scopes separated by spaces, openid first',
  },
  NEXTAUTH_SECRET: { schema: z.string().min(32), must: 'have 32 characters or more', secret: true },
  NEXTAUTH_URL: {
    schema: secureAddress,
    must: 'be the https address at which people open the console; http is accepted on this machine alone',
  },
  SESSION_IDLE_MINUTES: { schema: wholeNumber(3, 60), must: 'be a whole number from 3 to 60' },
  STEP_UP: { schema: z.enum(['required', 'optional']), must: 'be required or optional' },
  STEP_UP_PAYOUTS: {
    schema: z
      .string()
      .transform(pairsOf)
      .pipe(z.array(z.tuple([z.string().regex(/^[A-Z]{3}$/), z.string().regex(/^\d{1,13}(?:\.\d{1,8})?$/)]))),
    must: 'be pairs of a funding currency and an amount such as USD=10000, separated by commas',
  },
  CARD_NUMBER_KEY: { schema: key32, must: 'be 32 bytes in base64', secret: true },
  CARD_NUMBER_KEY_PREVIOUS: { schema: key32, must: 'be 32 bytes in base64', secret: true },
  CONSOLE_SEALING_KEY: { schema: key32, must: 'be 32 bytes in base64', secret: true },
  CONSOLE_SEALING_KEY_PREVIOUS: { schema: key32, must: 'be 32 bytes in base64', secret: true },
  NEXTAUTH_SECRET_PREVIOUS: { schema: z.string().min(32), must: 'have 32 characters or more', secret: true },
  AUDIT_SIGNING_KEY: {
    schema: z.string().refine(isSigningKey),
    must: 'be an Ed25519 private key, as PEM or as the path of a PEM file',
    secret: true,
  },
  AUDIT_CHECKPOINTS: { schema: z.string(), must: 'be the path of a file' },
  AUDIT_SINK_URL: {
    schema: z.string().refine(isNotifyUrl),
    must: 'be an https address, or an http address of this machine',
    secret: true,
  },
  AUDIT_SYSLOG: {
    schema: z.string().refine((text) => syslogOf(text) !== null),
    must: 'be an address such as udp://logs.example.com:514 or tcp://logs.example.com:601',
  },
  METRICS_PORT: { schema: wholeNumber(1, 65_535), must: 'be a port from 1 to 65535' },
  METRICS_HOST: { schema: z.string().regex(/^[\w.:-]+$/), must: 'be an address or a host name to listen on' },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: address('http:', 'https:'),
    must: 'be the http or https address of an OpenTelemetry collector, such as http://127.0.0.1:4318',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    schema: z.string().regex(/^[^=,\s]+=[^,]*(,[^=,\s]+=[^,]*)*$/),
    must: 'be pairs such as authorization=…, separated by commas',
    secret: true,
  },
  OTEL_TRACES_SAMPLER_ARG: {
    schema: z
      .string()
      .regex(/^(0(\.\d+)?|1(\.0+)?)$/)
      .transform(Number),
    must: 'be the share of traces to export, a number from 0 to 1',
  },
  EMBED_ALLOWED_ORIGINS: { schema: origins, must: 'be origins such as https://help.example.com, separated by commas' },
  DEMO_CARD_ACCOUNTS: { schema: wholeNumber(1, 1_000_000), must: 'be a whole number from 1 to 1000000' },
  SANDBOX_BASIC_AUTH: { schema: onOff, must: 'be on or off' },
  SANDBOX_RATE_LIMIT_PER_MINUTE: {
    schema: wholeNumber(0, 1_000_000),
    must: 'be a whole number from 0 (no limit) to 1000000',
  },
  SANDBOX_LOOPBACK_WEBHOOKS: { schema: onOff, must: 'be on or off' },
  TRUSTED_PROXY_HOPS: { schema: wholeNumber(0, 10), must: 'be a whole number from 0 to 10' },
} satisfies Record<string, { schema: z.ZodType<unknown, string>; must: string; secret?: boolean }>

type SettingName = keyof typeof settings
export const settingNames = Object.keys(settings) as SettingName[]

type GivenSettings = { [Name in SettingName]?: z.output<(typeof settings)[Name]['schema']> }

export type Settings = GivenSettings & {
  PORT: number
  HOST: string
  DATA_DIR: string
  DEMO_CARD_ACCOUNTS: number
  /** No OpenID provider and no real service: every visitor of the console may sign in. */
  isDemo: boolean
  hasBuiltInService: boolean
}

/** The settings that may come from a file: `NOTIFY_URL_FILE` names the file that holds `NOTIFY_URL`. */
const secretNames = settingNames.filter((name) => (settings[name] as { secret?: boolean }).secret === true)

/** The content of each file that a setting such as `NOTIFY_URL_FILE` names, and one line per mistake. */
export function secretsFromFiles(environment: Environment): {
  secrets: Partial<Record<SettingName, string>>
  mistakes: string[]
} {
  const secrets: Partial<Record<SettingName, string>> = {}
  const mistakes: string[] = []
  for (const name of secretNames) {
    const file = environment[`${name}_FILE`]?.trim()
    if (!file) continue
    const text = textOf(file)
    if (environment[name]?.trim()) mistakes.push(`${name} and ${name}_FILE cannot both be set.`)
    else if (text === null) mistakes.push(`${name}_FILE must be a file that can be read; it is "${file}".`)
    else if (text === '') mistakes.push(`${name}_FILE must not be empty; it is "${file}".`)
    else secrets[name] = text
  }
  return { secrets, mistakes }
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return null
  }
}

/** Reads every setting from the environment; otherwise one line per mistake, all of them at once, none with a secret in it. */
export function readSettings(variables: Environment): Result<Settings, string[]> {
  const { secrets, mistakes } = secretsFromFiles(variables)
  const environment: Environment = { ...variables, ...secrets }
  const given: Record<string, unknown> = {}
  for (const name of settingNames) {
    const text = environment[name]?.trim()
    if (!text) continue
    const { schema, must, secret }: { schema: z.ZodType; must: string; secret?: boolean } = settings[name]
    const parsed = schema.safeParse(text)
    if (parsed.success) given[name] = parsed.data
    else mistakes.push(`${name} must ${must}${secret ? '' : `; it is "${text}"`}.`)
  }
  const isSet = (name: SettingName) => Boolean(environment[name]?.trim())
  mistakes.push(...unknownNames(environment), ...incompleteGroups(isSet), ...contradictions(isSet, environment.HOST))
  if (isSet('OIDC_ISSUER') && /^http:/i.test(environment.NOTIFY_URL?.trim() ?? '')) {
    mistakes.push('NOTIFY_URL must be an https address where people sign in through OIDC_ISSUER.')
  }
  if (isSet('DATABASE_OWNER_URL') && !(isSet('DATABASE_URL') && isSet('SERVICE_SANDBOX_URL'))) {
    mistakes.push(
      'DATABASE_OWNER_URL needs DATABASE_URL and SERVICE_SANDBOX_URL: the built-in service makes and drops tables itself.',
    )
  }
  if (mistakes.length > 0) return fail(mistakes)

  const hasBuiltInService = !isSet('SERVICE_SANDBOX_URL')
  return ok({
    ...(given as GivenSettings),
    PORT: (given.PORT as number | undefined) ?? 3000,
    HOST: (given.HOST as string | undefined) ?? '127.0.0.1',
    DATA_DIR: (given.DATA_DIR as string | undefined) ?? '.data',
    DEMO_CARD_ACCOUNTS: (given.DEMO_CARD_ACCOUNTS as number | undefined) ?? 60,
    isDemo: !isSet('OIDC_ISSUER'),
    hasBuiltInService,
  })
}

/** Settings that mean something only together. */
const groups: SettingName[][] = [
  ['SERVICE_SANDBOX_URL', 'SERVICE_SANDBOX_ACCESS_KEY', 'SERVICE_SANDBOX_PRIVATE_KEY'],
  ['SERVICE_PRODUCTION_URL', 'SERVICE_PRODUCTION_ACCESS_KEY', 'SERVICE_PRODUCTION_PRIVATE_KEY'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
]

function incompleteGroups(isSet: (name: SettingName) => boolean): string[] {
  return groups.flatMap((group) => {
    const set = group.filter(isSet)
    return set.length === 0 || set.length === group.length
      ? []
      : [`${group.filter((name) => !isSet(name)).join(', ')} must be set too, since ${set.join(' and ')} is set.`]
  })
}

function contradictions(isSet: (name: SettingName) => boolean, host: string | undefined): string[] {
  if (isSet('OIDC_ISSUER')) {
    return (['NEXTAUTH_SECRET', 'NEXTAUTH_URL'] as const)
      .filter((name) => !isSet(name))
      .map((name) => `${name} must be set where people sign in through OIDC_ISSUER.`)
  }
  const anybody = 'without OIDC_ISSUER anybody who reaches the console can sign in with any role'
  const mistakes: string[] = []
  if (isSet('SERVICE_PRODUCTION_URL')) mistakes.push(`SERVICE_PRODUCTION_URL cannot be used in demo mode: ${anybody}.`)
  if (!isLoopback(host?.trim() || '127.0.0.1'))
    mistakes.push(`HOST must be 127.0.0.1, ::1 or localhost in demo mode: ${anybody}.`)
  return mistakes
}

/** A misspelt setting would otherwise be ignored in silence. */
function unknownNames(environment: Environment): string[] {
  return Object.keys(environment)
    .filter((name) => /^(SERVICE_SANDBOX|SERVICE_PRODUCTION|OIDC|SANDBOX|EMBED|DEMO|STEP|AUDIT|METRICS)_/.test(name))
    .filter((name) => !(name in settings) && !secretNames.some((secret) => name === `${secret}_FILE`))
    .map((name) => `${name} is not a setting of Carddesk.`)
}

function isLoopback(host: string): boolean {
  return /^(.+\.)?localhost$/i.test(host) || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

/** Which of the two it has to be is decided together with the other settings. */
function isNotifyUrl(text: string): boolean {
  const url = URL.parse(text)
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname.replace(/^\[|\]$/g, '')))
}

function isRsaKey(text: string, read: (pem: string) => KeyObject): boolean {
  try {
    read(pemOf(text))
    return true
  } catch {
    return false
  }
}

function isSigningKey(text: string): boolean {
  try {
    readSigningKey(pemOf(text))
    return true
  } catch {
    return false
  }
}
