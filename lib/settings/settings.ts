import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import path from 'node:path'
import { z } from 'zod'
import { roles } from '#lib/auth/permissions.ts'
import { readClientKey, readPrivateKey, readPublicKey, readSigningKey } from '#lib/signing/keys.ts'
import { isHostOrigin, isLoopback } from './embed-origins.ts'

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
const list = <Part>(part: z.ZodType<Part, string>) => z.string().transform(splitList).pipe(z.array(part))
/** Pairs such as `a=1,b=2`. A name may contain `=`: the value is behind the last one. */
const pairs = <Pair>(pair: z.ZodType<Pair, [name: string, value: string]>) =>
  z
    .string()
    .transform((text) => splitList(text).map(splitPair))
    .pipe(z.array(pair))
const key = (read: (pem: string) => KeyObject | X509Certificate) =>
  z.string().refine((text) => {
    try {
      return read(readPem(text))
    } catch {
      return false
    }
  })

const text = { schema: z.string(), must: 'be text' }
const onOrOff = { schema: z.enum(['on', 'off']).transform((value) => value === 'on'), must: 'be on or off' }
const port = { ...wholeNumber(1, 65_535), must: 'be a port from 1 to 65535' }
const host = { schema: z.string().regex(/^[\w.:-]+$/), must: 'be an address or a host name to listen on' }
const databaseUrl = {
  schema: address('postgres:', 'postgresql:'),
  must: 'be an address such as postgresql://user:password@host:5432/database',
  secret: true,
}
const serviceUrl = {
  schema: secureAddress.refine((url) => {
    const { search, hash, username, pathname } = new URL(url)
    return !search && !hash && !username && !pathname.endsWith('/')
  }),
  must: 'be the https base address of the service, ending in /v1 or the like, without a slash at its end; http is accepted on this machine alone',
}
/** Where HTTP Basic is accepted, it is the password. */
const accessKey = { schema: z.uuid(), must: 'be a UUID', secret: true }
const privateKey = {
  schema: key(readPrivateKey),
  must: 'be an RSA private key of 2048 bits or more, as PEM or as the path of a PEM file',
  secret: true,
}
const publicKey = {
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
/** The user and the password in it are sent decoded, as HTTP Basic. */
const sinkUrl = {
  schema: secureAddress.refine((url) => {
    const { username, password } = new URL(url)
    return !/%(?![0-9a-f]{2})/i.test(username + password)
  }),
  must: 'be an https address, or an http address of this machine; a % of its password is written as %25',
  secret: true,
}
const sessionSecret = { schema: z.string().min(32), must: 'have 32 characters or more', secret: true }

/** A host name, an address, or a network with the length of its prefix. */
function isHostOrNetwork(part: string): boolean {
  const [network = '', prefix] = part.split('/')
  const version = isIP(network)
  if (prefix === undefined) return version !== 0 || /^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/.test(part)
  return version !== 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128)
}

/** `must`: what the value has to be, for people. `meaning` and `unset` (what holds without it) are a line of docs/settings.md. */
type Row = { schema: z.ZodType<unknown, string>; must: string; secret?: boolean; meaning: string; unset?: string }

/** Every setting: its schema and, for people, what it has to be. A secret one is never shown in a message. */
export const settings = {
  PORT: { meaning: 'port of the console and of the built-in service', unset: '`3000`', ...port },
  HOST: { meaning: 'address to listen on', unset: '`127.0.0.1`', ...host },
  TLS_CERTIFICATE: {
    meaning:
      'certificate, with those of its issuers behind it (PEM or its path): `PORT` and `METRICS_PORT` speak https ([deploy.md](deploy.md))',
    unset: 'http',
    schema: key((pem) => new X509Certificate(pem)),
    must: 'be a certificate, with those of its issuers behind it, as PEM or as the path of a PEM file',
  },
  TLS_KEY: {
    meaning: 'its private key (PEM or its path)',
    schema: key(createPrivateKey),
    must: 'be a private key without a passphrase, as PEM or as the path of a PEM file',
    secret: true,
  },
  DATA_DIR: {
    meaning: 'folder of the embedded database, generated keys and the audit checkpoints',
    unset: '`.data`',
    ...text,
    must: 'be a folder',
  },
  DATABASE_URL: {
    meaning: 'a PostgreSQL of your own, with a password or a client certificate ([deploy.md](deploy.md))',
    unset: 'the embedded one',
    ...databaseUrl,
  },
  DATABASE_REPLICA_URL: {
    meaning: 'a replica of that database, from which lists, totals and search are read ([deploy.md](deploy.md))',
    unset: '`DATABASE_URL`',
    ...databaseUrl,
  },
  DATABASE_OWNER_URL: {
    meaning:
      'the same database as the role that owns its tables; it runs the migrations at start, nothing else ([deploy.md](deploy.md))',
    unset: '`DATABASE_URL`',
    ...databaseUrl,
    must: 'be an address such as postgresql://owner:password@host:5432/database',
  },
  SERVICE_SANDBOX_URL: {
    meaning: 'base address of a real sandbox service',
    unset: 'the built-in service',
    ...serviceUrl,
  },
  SERVICE_SANDBOX_ACCESS_KEY: { meaning: 'the access key that its operator gave', ...accessKey },
  SERVICE_SANDBOX_PRIVATE_KEY: {
    meaning: 'the private key that signs requests (PEM or its path)',
    unset: 'the access key alone (HTTP Basic)',
    ...privateKey,
  },
  SERVICE_SANDBOX_WEBHOOK_PUBLIC_KEY: {
    meaning: 'the public key that verifies its deliveries (PEM or its path)',
    ...publicKey,
  },
  SERVICE_SANDBOX_WEBHOOK_IDS: {
    meaning: 'webhooks to watch where the service cannot list them, separated by commas',
    ...webhookIds,
  },
  SERVICE_PRODUCTION_URL: { meaning: 'base address of the production service', unset: 'not connected', ...serviceUrl },
  SERVICE_PRODUCTION_ACCESS_KEY: { meaning: 'the access key that its operator gave', ...accessKey },
  SERVICE_PRODUCTION_PRIVATE_KEY: { meaning: 'the private key that signs requests (PEM or its path)', ...privateKey },
  SERVICE_PRODUCTION_WEBHOOK_PUBLIC_KEY: {
    meaning: 'the public key that verifies its deliveries (PEM or its path)',
    ...publicKey,
  },
  SERVICE_PRODUCTION_WEBHOOK_IDS: {
    meaning: 'webhooks to watch where the service cannot list them, separated by commas',
    ...webhookIds,
  },
  SERVICE_PRODUCTION_PAYOUTS: {
    meaning: '`on` allows payouts to be submitted in production; quoting is always allowed',
    unset: '`off`',
    ...onOrOff,
  },
  SERVICE_NAMES_FILE: {
    meaning: 'file with the names in which a service differs from the contract ([connecting.md](connecting.md))',
    unset: '`carddesk.service.json`',
    ...text,
    must: 'be the path of a JSON file',
  },
  BULK_ROWS_PER_SECOND: {
    meaning: 'rows that the bulk jobs of an environment send each second; the rate limit slows them further',
    unset: '`5`',
    ...wholeNumber(1, 100),
  },
  NOTIFY_URL: {
    meaning:
      'a Slack-compatible URL (`https://user:password@…` for HTTP Basic) that is notified when a webhook is in trouble, a request waits for approval, a funding account is below its threshold, the audit log was changed or its entries are late',
    ...sinkUrl,
  },
  OIDC_ISSUER: {
    meaning: 'the OpenID provider through which staff sign in',
    unset: 'demo sign-in',
    schema: secureAddress,
    must: 'be the https address of the OpenID provider; http is accepted on this machine alone',
  },
  OIDC_CLIENT_ID: { meaning: 'the id of the console at the provider', ...text },
  OIDC_CLIENT_SECRET: { meaning: 'the secret that both know', ...text, secret: true },
  OIDC_CLIENT_KEY: {
    meaning:
      'instead of the secret, the private key that signs an assertion for each sign-in (`private_key_jwt`; PEM or its path)',
    schema: key(readClientKey),
    must: 'be a private key, RSA of 2048 bits or more or EC P-256, as PEM or as the path of a PEM file',
    secret: true,
  },
  OIDC_CLIENT_KEY_ID: { meaning: 'the id of that key at the provider', ...text },
  OIDC_ADMIN_EMAILS: {
    meaning: 'verified addresses that become admin at sign-in, separated by commas',
    schema: list(z.email().toLowerCase()),
    must: 'be e-mail addresses, separated by commas',
  },
  OIDC_GROUP_ROLES: {
    meaning:
      'roles by group of the ID token’s `groups` claim, such as `card-ops=operations,desk=viewer`; the first match counts',
    schema: pairs(z.tuple([z.string().min(1), z.enum(roles)]).transform(([group, role]) => ({ group, role }))),
    must: `be pairs such as card-operations=operations, separated by commas, each with one of the roles ${roles.join(', ')}`,
  },
  METADATA_KEYS: {
    meaning:
      'keys of metadata whose values roles without personal data see and filter by, separated by commas; `none` for none',
    unset: '`costCentre,department,region,team`',
    schema: z.union([z.literal('none').transform((): string[] => []), list(z.string().max(256))]),
    must: 'be keys of metadata, separated by commas, or none',
  },
  OIDC_EMAIL_DOMAINS: {
    meaning: 'domains whose verified addresses become viewer, separated by commas',
    schema: list(
      z
        .string()
        .toLowerCase()
        .regex(/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/),
    ),
    must: 'be domains such as example.com, separated by commas',
  },
  OIDC_SCOPES: {
    meaning: 'scopes to request, for a provider that needs one for `groups`',
    unset: '`openid email profile`',
    schema: z.string().regex(/^openid( [\w.:/-]+)*$/),
    must: 'be scopes separated by spaces, openid first',
  },
  OIDC_SIGN_OUT: {
    meaning: '`post` for a provider whose sign-out requires the ID token (Okta); it gets it in a form',
    unset: '`get`',
    schema: z.enum(['get', 'post']),
    must: 'be get or post',
  },
  OIDC_MAX_AGE_MINUTES: {
    meaning:
      'minutes after a person’s last sign-in at the provider in which single sign-on is accepted, from 5 to 43200; `off` for a provider without `auth_time`',
    unset: '`720`',
    schema: z.literal('off').or(wholeNumber(5, 43_200).schema),
    must: 'be a whole number from 5 to 43200, or off',
  },
  OIDC_ACR_VALUES: {
    meaning: 'accepted strengths of a sign-in: the ID token’s `acr` has to be one of them',
    unset: 'any',
    schema: list(z.string().regex(/^[!-~]+$/)),
    must: 'be values of acr, separated by commas',
  },
  OIDC_AMR_VALUES: {
    meaning: 'accepted methods of a sign-in: the ID token’s `amr` has to hold one of them',
    unset: 'any',
    schema: list(z.string().regex(/^[!-~]+$/)),
    must: 'be values of amr, separated by commas',
  },
  NEXTAUTH_URL: {
    meaning: 'the https address at which people open the console; required with OpenID',
    unset: 'set in demo mode',
    schema: secureAddress.refine((url) => new URL(url).href === `${new URL(url).origin}/`),
    must: 'be the https address at which people open the console, without a path; http is accepted on this machine alone',
  },
  NEXTAUTH_SECRET: {
    meaning: 'the secret of sessions, 32 characters or more; required with OpenID',
    unset: 'generated in demo mode',
    ...sessionSecret,
  },
  NEXTAUTH_SECRET_PREVIOUS: {
    meaning: 'the secret before, while it is replaced ([deploy.md](deploy.md))',
    ...sessionSecret,
  },
  SESSION_IDLE_MINUTES: {
    meaning: 'minutes without input after which a person is signed out, from 3 to 60',
    unset: '`15`',
    ...wholeNumber(3, 60),
  },
  STEP_UP: {
    meaning:
      '`required`: revealing or cancelling a card, large payouts, removing a webhook, changing roles and ending other sessions of one’s own need a passkey; `optional`: only of people who have one',
    unset: '`required`; a demo: `optional`',
    schema: z.enum(['required', 'optional']),
    must: 'be required or optional',
  },
  STEP_UP_PAYOUTS: {
    meaning: 'amounts from which a payout needs a passkey, by funding currency; always in a currency that is left out',
    unset: '`USD=10000,HKD=80000`',
    schema: pairs(z.tuple([z.string().regex(/^[A-Z]{3}$/), z.string().regex(/^\d{1,13}(?:\.\d{1,8})?$/)])),
    must: 'be pairs of a funding currency and an amount such as USD=10000, separated by commas',
  },
  CARD_NUMBER_KEY: {
    meaning: '32 bytes in base64 that seal the built-in service’s card numbers and keys',
    unset: 'generated into `DATA_DIR`',
    ...key32,
  },
  CARD_NUMBER_KEY_PREVIOUS: { meaning: 'the key before, while it is replaced ([deploy.md](deploy.md))', ...key32 },
  CONSOLE_SEALING_KEY: {
    meaning: '32 bytes in base64 that seal journalled requests',
    unset: 'generated into `DATA_DIR`',
    ...key32,
  },
  CONSOLE_SEALING_KEY_PREVIOUS: { meaning: 'the key before, while it is replaced ([deploy.md](deploy.md))', ...key32 },
  AUDIT_SIGNING_KEY: {
    meaning: 'the Ed25519 key that signs checkpoints of the audit log (PEM or its path): [audit.md](audit.md)',
    unset: 'generated into `DATA_DIR`',
    schema: key(readSigningKey),
    must: 'be an Ed25519 private key, as PEM or as the path of a PEM file',
    secret: true,
  },
  AUDIT_ENTRIES_URL: {
    meaning:
      'an https URL (`https://user:password@…` for HTTP Basic) to which the audit entries are sent: [audit.md](audit.md)',
    ...sinkUrl,
  },
  METRICS_PORT: { meaning: 'port at which Prometheus reads `/metrics`', unset: 'no metrics', ...port },
  METRICS_HOST: { meaning: 'address of that port', unset: '`127.0.0.1`', ...host },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    meaning: 'an OpenTelemetry collector that takes traces over HTTP',
    unset: 'no traces',
    schema: address('http:', 'https:'),
    must: 'be the http or https address of an OpenTelemetry collector, such as http://127.0.0.1:4318',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    meaning: 'its headers, such as `authorization=…`',
    schema: z.string().regex(/^[^=,\s]+=[^,]*(,[^=,\s]+=[^,]*)*$/),
    must: 'be pairs such as authorization=…, separated by commas',
    secret: true,
  },
  OTEL_TRACES_SAMPLER_ARG: {
    meaning: 'share of the traces to export',
    unset: '`1`',
    schema: z
      .string()
      .regex(/^(0(\.\d+)?|1(\.0+)?)$/)
      .transform(Number),
    must: 'be the share of traces to export, a number from 0 to 1',
  },
  EMBED_ALLOWED_ORIGINS: {
    meaning: 'origins that may show embedded views, separated by commas: [embedding.md](embedding.md)',
    unset: 'none; a demo has its own',
    schema: list(z.string().refine(isHostOrigin)),
    must: 'be origins such as https://help.example.com, separated by commas',
  },
  DEMO_CARD_ACCOUNTS: {
    meaning: 'card accounts of the built-in service’s seed',
    unset: '`60`; `0` with `SANDBOX_SEED_FILE`',
    ...wholeNumber(0, 1_000_000),
  },
  SANDBOX_ORIGIN: {
    meaning: 'an origin of its own for the built-in service: [deploy.md](deploy.md)',
    unset: 'the console’s',
    schema: address('http:', 'https:')
      .transform((url) => new URL(url))
      .refine(({ href, origin }) => href === `${origin}/`),
    must: 'be an origin such as https://sandbox.example.com',
  },
  SANDBOX_BASIC_AUTH: { meaning: '`off` refuses HTTP Basic, at the control plane too', unset: '`on`', ...onOrOff },
  SANDBOX_RATE_LIMIT_PER_MINUTE: {
    meaning: 'requests per key, endpoint and minute; `0`: no limit',
    unset: '`1200`',
    ...wholeNumber(0, 1_000_000),
    must: 'be a whole number from 0 (no limit) to 1000000',
  },
  SANDBOX_WEBHOOK_HOSTS: {
    meaning:
      'hosts and networks of your own that webhooks may lead to, by http too, such as `app,10.0.0.0/8`: [sandbox.md](sandbox.md)',
    unset: 'public addresses alone; in demo mode this machine, too',
    schema: list(z.string().toLowerCase().refine(isHostOrNetwork)),
    must: 'be host names, addresses or networks such as app,10.0.0.0/8, separated by commas',
  },
  SANDBOX_ACCESS_KEY: {
    meaning: 'the access key of the built-in service’s callers',
    unset: 'generated into `DATA_DIR`',
    ...accessKey,
  },
  SANDBOX_CALLER_PUBLIC_KEY: {
    meaning: 'the public key that verifies the signed tokens of that access key (PEM or its path)',
    unset: 'of a generated pair in `DATA_DIR`',
    ...publicKey,
  },
  SANDBOX_WEBHOOK_KEY: {
    meaning: 'the private key that signs the built-in service’s deliveries (PEM or its path)',
    unset: 'generated',
    ...privateKey,
  },
  SANDBOX_CLOCK: {
    meaning: 'where the sandbox clock of a new or reset sandbox starts, such as `2026-01-01T00:00:00Z`',
    unset: 'real time',
    schema: z.iso.datetime({ offset: true }).transform((time) => new Date(time)),
    must: 'be an ISO 8601 time with its zone, such as 2026-01-01T00:00:00Z',
  },
  SANDBOX_SEED_FILE: {
    meaning: 'a JSON file with card accounts of your own for the seed: [sandbox.md](sandbox.md)',
    ...text,
    must: 'be the path of a JSON file',
  },
  TRUSTED_PROXY_HOPS: {
    meaning: 'proxies in front whose forwarded address is believed',
    unset: '`0`',
    ...wholeNumber(0, 10),
  },
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
    else mistakes.push(`${name} must ${must}${secret ? '' : `; it is "${value.replace(/\/\/[^/@]*@/, '//…@')}"`}.`)
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
    const content = readContent(file)
    if (variables[name]?.trim()) mistakes.push(`${name} and ${name}_FILE cannot both be set.`)
    else if (content === null) mistakes.push(`${name}_FILE must be a file that can be read${namedPath(file)}.`)
    else if (content === '') mistakes.push(`${name}_FILE must not be empty; it is "${file}".`)
    else secrets[name] = content
  }
  return { secrets, mistakes }
}

/** What stands where a path is expected may be the secret itself: it is shown where its folder is there. */
function namedPath(file: string): string {
  const folder = path.dirname(file)
  return path.isAbsolute(file) && folder !== '/' && existsSync(folder) ? `; it is "${file}"` : ''
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

function readContent(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return null
  }
}

function splitList(value: string): string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function splitPair(value: string): [name: string, value: string] {
  const end = value.lastIndexOf('=')
  return [value.slice(0, Math.max(0, end)).trim(), value.slice(end + 1).trim()]
}

/** The PEM that a setting holds, or that the file holds which it names. */
export function readPem(setting: string): string {
  return setting.includes('-----BEGIN') ? setting.replaceAll(String.raw`\n`, '\n') : readFileSync(setting, 'utf8')
}
