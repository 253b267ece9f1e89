import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { isHostOrigin } from '#lib/shared/embed-origins.ts'
import { roles } from '#lib/shared/roles.ts'
import { sealingAlgorithms } from '#lib/shared/sealing.ts'
import { readClientKey, readPrivateKey, readPublicKey, readSigningKey } from '#lib/signing/keys.ts'

export type Variables = Readonly<Record<string, string | undefined>>

const wholeNumber = (least: number, most: number) => ({
  schema: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .refine((value) => value >= least && value <= most),
  must: `be a whole number from ${least} to ${most}`,
})
const address = (...protocols: string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), { abort: true })
/** https, or http of this machine: on any other http address passwords, codes and cookies travel in clear. */
const secureAddress = address('http:', 'https:').refine((text) => {
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || isLoopback(hostname)
})
/** Parts separated by commas. */
const list = <Part>(part: z.ZodType<Part, string>) => z.string().transform(partsOf).pipe(z.array(part))
/** Pairs such as `a=1,b=2`. A name may contain `=`: the value is behind the last one. */
const pairs = <Pair>(pair: z.ZodType<Pair, [name: string, value: string]>) =>
  z
    .string()
    .transform((text) => partsOf(text).map(pairOf))
    .pipe(z.array(pair))
const key = (read: (pem: string) => KeyObject | X509Certificate) =>
  z.string().refine((text) => {
    try {
      return read(pemOf(text))
    } catch {
      return false
    }
  })

const text = { schema: z.string(), must: 'be text' }
const onOrOff = { schema: z.enum(['on', 'off']).transform((value) => value === 'on'), must: 'be on or off' }
const port = { ...wholeNumber(1, 65_535), must: 'be a port from 1 to 65535' }
const host = { schema: z.string().regex(/^[\w.:-]+$/), must: 'be an address or a host name to listen on' }
const serviceUrl = {
  schema: secureAddress.refine((url) => {
    const { search, hash, username, pathname } = new URL(url)
    return !search && !hash && !username && !pathname.endsWith('/')
  }),
  must: 'be the https base address of the service, ending in /v1 or the like, without a slash at its end; http is accepted on this machine alone',
}
const accessKey = { schema: z.uuid(), must: 'be a UUID' }
const privateKey = {
  schema: key(readPrivateKey),
  must: 'be an RSA private key of 2048 bits or more, as PEM or as the path of a PEM file',
  secret: true,
}
const webhookKey = {
  schema: key(readPublicKey),
  must: 'be an RSA public key of 2048 bits or more, as PEM or as the path of a PEM file',
  // A common mistake: the private half of the pair.
  secret: true,
}
const webhookIds = { schema: list(z.uuid()), must: 'be UUIDs, separated by commas' }
const key32 = {
  schema: z.base64().refine((base64) => Buffer.from(base64, 'base64').length === 32),
  must: 'be 32 bytes in base64',
  secret: true,
}
const sinkUrl = { schema: secureAddress, must: 'be an https address, or an http address of this machine', secret: true }
const sessionSecret = { schema: z.string().min(32), must: 'have 32 characters or more', secret: true }

type Row = { schema: z.ZodType<unknown, string>; must: string; secret?: boolean }

/** Every setting: its schema and, for people, what it has to be. A secret one is never shown in a message. */
const settings = {
  PORT: port,
  HOST: host,
  TLS_CERTIFICATE: {
    schema: key((pem) => new X509Certificate(pem)),
    must: 'be a certificate, with those of its issuers behind it, as PEM or as the path of a PEM file',
  },
  TLS_KEY: {
    schema: key(createPrivateKey),
    must: 'be a private key without a passphrase, as PEM or as the path of a PEM file',
    secret: true,
  },
  DATA_DIR: { ...text, must: 'be a folder' },
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
  SERVICE_SANDBOX_URL: serviceUrl,
  SERVICE_SANDBOX_ACCESS_KEY: accessKey,
  SERVICE_SANDBOX_PRIVATE_KEY: privateKey,
  SERVICE_SANDBOX_WEBHOOK_PUBLIC_KEY: webhookKey,
  SERVICE_SANDBOX_WEBHOOK_IDS: webhookIds,
  SERVICE_PRODUCTION_URL: serviceUrl,
  SERVICE_PRODUCTION_ACCESS_KEY: accessKey,
  SERVICE_PRODUCTION_PRIVATE_KEY: privateKey,
  SERVICE_PRODUCTION_WEBHOOK_PUBLIC_KEY: webhookKey,
  SERVICE_PRODUCTION_WEBHOOK_IDS: webhookIds,
  SERVICE_PRODUCTION_PAYOUTS: onOrOff,
  SERVICE_NAMES_FILE: { ...text, must: 'be the path of a JSON file' },
  BULK_ROWS_PER_SECOND: wholeNumber(1, 100),
  NOTIFY_URL: {
    schema: secureAddress,
    must: 'be an https address, or in demo mode an http address of this machine',
    secret: true,
  },
  OIDC_ISSUER: {
    schema: secureAddress,
    must: 'be the https address of the OpenID provider; http is accepted on this machine alone',
  },
  OIDC_CLIENT_ID: text,
  OIDC_CLIENT_SECRET: { ...text, secret: true },
  OIDC_CLIENT_KEY: {
    schema: key(readClientKey),
    must: 'be a private key, RSA of 2048 bits or more or EC P-256, as PEM or as the path of a PEM file',
    secret: true,
  },
  OIDC_CLIENT_KEY_ID: text,
  OIDC_ADMIN_EMAILS: { schema: list(z.email().toLowerCase()), must: 'be e-mail addresses, separated by commas' },
  OIDC_GROUP_ROLES: {
    schema: pairs(z.tuple([z.string().min(1), z.enum(roles)]).transform(([group, role]) => ({ group, role }))),
    must: `be pairs such as card-operations=operations, separated by commas, each with one of the roles ${roles.join(', ')}`,
  },
  OIDC_EMAIL_DOMAINS: {
    schema: list(
      z
        .string()
        .toLowerCase()
        .regex(/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/),
    ),
    must: 'be domains such as example.com, separated by commas',
  },
  OIDC_SCOPES: {
    schema: z.string().regex(/^openid( [\w.:/-]+)*$/),
    must: 'be scopes separated by spaces, openid first',
  },
  OIDC_SIGN_OUT: { schema: z.enum(['get', 'post']), must: 'be get or post' },
  OIDC_MAX_AGE_MINUTES: {
    schema: z.literal('off').or(wholeNumber(5, 43_200).schema),
    must: 'be a whole number from 5 to 43200, or off',
  },
  OIDC_ACR_VALUES: { schema: list(z.string().regex(/^[!-~]+$/)), must: 'be values of acr, separated by commas' },
  OIDC_AMR_VALUES: { schema: list(z.string().regex(/^[!-~]+$/)), must: 'be values of amr, separated by commas' },
  NEXTAUTH_URL: {
    schema: secureAddress,
    must: 'be the https address at which people open the console; http is accepted on this machine alone',
  },
  NEXTAUTH_SECRET: sessionSecret,
  NEXTAUTH_SECRET_PREVIOUS: sessionSecret,
  SESSION_IDLE_MINUTES: wholeNumber(3, 60),
  STEP_UP: { schema: z.enum(['required', 'optional']), must: 'be required or optional' },
  PASSKEY_RSA: onOrOff,
  STEP_UP_PAYOUTS: {
    schema: pairs(z.tuple([z.string().regex(/^[A-Z]{3}$/), z.string().regex(/^\d{1,13}(?:\.\d{1,8})?$/)])),
    must: 'be pairs of a funding currency and an amount such as USD=10000, separated by commas',
  },
  CARD_NUMBER_KEY: key32,
  CARD_NUMBER_KEY_PREVIOUS: key32,
  CONSOLE_SEALING_KEY: key32,
  CONSOLE_SEALING_KEY_PREVIOUS: key32,
  SEALING_ALGORITHM: { schema: z.enum(sealingAlgorithms), must: `be ${sealingAlgorithms.join(' or ')}` },
  AUDIT_SIGNING_KEY: {
    schema: key(readSigningKey),
    must: 'be an Ed25519 private key, as PEM or as the path of a PEM file',
    secret: true,
  },
  AUDIT_CHECKPOINTS: { ...text, must: 'be the path of a file' },
  AUDIT_SINK_URL: sinkUrl,
  AUDIT_ENTRIES_URL: sinkUrl,
  AUDIT_SYSLOG: {
    schema: z.string().transform(syslogOf).pipe(z.custom<Syslog>(Boolean)),
    must: 'be an address such as tls://logs.example.com:6514, tcp://logs.example.com:601 or udp://logs.example.com:514',
  },
  METRICS_PORT: port,
  METRICS_HOST: host,
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
  EMBED_ALLOWED_ORIGINS: {
    schema: list(z.string().refine(isHostOrigin)),
    must: 'be origins such as https://help.example.com, separated by commas',
  },
  DEMO_CARD_ACCOUNTS: wholeNumber(1, 1_000_000),
  SANDBOX_ORIGIN: {
    schema: secureAddress.transform((url) => new URL(url)).refine(({ href, origin }) => href === `${origin}/`),
    must: 'be an https origin such as https://sandbox.example.com; http is accepted on this machine alone',
  },
  SANDBOX_BASIC_AUTH: onOrOff,
  SANDBOX_RATE_LIMIT_PER_MINUTE: {
    ...wholeNumber(0, 1_000_000),
    must: 'be a whole number from 0 (no limit) to 1000000',
  },
  SANDBOX_LOOPBACK_WEBHOOKS: onOrOff,
  TRUSTED_PROXY_HOPS: wholeNumber(0, 10),
} satisfies Record<string, Row>

export type SettingName = keyof typeof settings
export const settingNames = Object.keys(settings) as SettingName[]

/** The settings that are set, each as its schema returns it. */
export type ParsedSettings = { [Name in SettingName]?: z.output<(typeof settings)[Name]['schema']> }

/**
 * Parses these settings. `NOTIFY_URL_FILE` names the file that holds `NOTIFY_URL`, and so for every secret one. An empty
 * setting is not set. Each mistake is one line, which repeats no secret.
 */
export function parseSettings(
  variables: Variables,
  names: readonly SettingName[] = settingNames,
): { values: ParsedSettings; mistakes: string[] } {
  const values: Record<string, unknown> = {}
  const { secrets, mistakes } = secretsFromFiles(variables, names)
  for (const name of names) {
    const value = secrets[name] ?? variables[name]?.trim()
    if (!value) continue
    const { schema, must, secret }: Row = settings[name]
    const parsed = schema.safeParse(value)
    if (parsed.success) values[name] = parsed.data
    else mistakes.push(`${name} must ${must}${secret ? '' : `; it is "${value}"`}.`)
  }
  return { values, mistakes }
}

/** The content of each file that a setting such as `NOTIFY_URL_FILE` names, and one line per mistake. */
function secretsFromFiles(
  variables: Variables,
  names: readonly SettingName[],
): { secrets: Partial<Record<SettingName, string>>; mistakes: string[] } {
  const secrets: Partial<Record<SettingName, string>> = {}
  const mistakes: string[] = []
  for (const name of names) {
    const file = variables[`${name}_FILE`]?.trim()
    if (!file || !isSecret(name)) continue
    const content = contentOf(file)
    if (variables[name]?.trim()) mistakes.push(`${name} and ${name}_FILE cannot both be set.`)
    else if (content === null) mistakes.push(`${name}_FILE must be a file that can be read; it is "${file}".`)
    else if (content === '') mistakes.push(`${name}_FILE must not be empty; it is "${file}".`)
    else secrets[name] = content
  }
  return { secrets, mistakes }
}

/** Puts each secret that a file holds into its own variable, for code that reads the variable. */
export function replaceSecretFiles(variables: Record<string, string | undefined>): void {
  const { secrets } = secretsFromFiles(variables, settingNames)
  for (const name of Object.keys(secrets)) delete variables[`${name}_FILE`]
  Object.assign(variables, secrets)
}

export function isSet(variables: Variables, name: SettingName): boolean {
  return Boolean(variables[name]?.trim() || (isSecret(name) && variables[`${name}_FILE`]?.trim()))
}

/** Whether a variable is a setting, or names the file of a secret one. */
export function isSetting(variable: string): boolean {
  return settingNames.some((name) => variable === name || (isSecret(name) && variable === `${name}_FILE`))
}

function isSecret(name: SettingName): boolean {
  const { secret }: Row = settings[name]
  return secret === true
}

function contentOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return null
  }
}

function partsOf(value: string): string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function pairOf(value: string): [name: string, value: string] {
  const end = value.lastIndexOf('=')
  return [value.slice(0, Math.max(0, end)).trim(), value.slice(end + 1).trim()]
}

/** The PEM that a setting holds, or that the file holds which it names. */
export function pemOf(setting: string): string {
  return setting.includes('-----BEGIN') ? setting.replaceAll(String.raw`\n`, '\n') : readFileSync(setting, 'utf8')
}

const syslogPorts = { udp: 514, tcp: 514, tls: 6514 }
export type Syslog = { protocol: keyof typeof syslogPorts; host: string; port: number }

/** `udp://host:514`, `tcp://host:601` or `tls://host:6514`; null for anything else. */
function syslogOf(value: string): Syslog | null {
  const [, protocol, host = '', port] =
    /^(udp|tcp|tls):\/\/([\w.-]+|\[[\da-f:]+\])(?::(\d{1,5}))?\/?$/i.exec(value) ?? []
  if (!protocol) return null
  const known = protocol.toLowerCase() as Syslog['protocol']
  return { protocol: known, host: host.replace(/^\[|\]$/g, ''), port: Number(port ?? syslogPorts[known]) }
}

export function isLoopback(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|\[?::1\]?|127(?:\.\d{1,3}){3})$/i.test(hostname)
}
