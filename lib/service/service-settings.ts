import { parseSettings, type Variables } from '#lib/settings/settings.ts'
import type { AccountPlan } from './seed/plan.ts'
import { readSeedFile } from './seed/seed-file.ts'

/** The settings that the built-in service reads; lib/launch checks them at start and fills in what is generated. */
export type ServiceSettings = {
  /** The service's base address as callers know it, without a slash at its end. */
  baseUrl: string
  acceptsBasic: boolean
  /** Webhooks may lead to loopback addresses, and by http: in demo mode, unless `webhookHosts` says where they may lead. */
  acceptsLoopbackWebhooks: boolean
  /** 0: no limit. */
  rateLimitPerMinute: number
  seededCardAccounts: number
  /** Seals card numbers and the service's own keys. */
  cardNumberKey: Buffer
  /** The key before it, while it is replaced. */
  previousCardNumberKey: Buffer | null
  /** `SANDBOX_WEBHOOK_KEY` signs the deliveries of every sandbox; without it each has a key of its own. */
  hasGivenWebhookKey: boolean
  /** How many proxies are in front; 0: the socket's peer is the caller. */
  trustedProxyHops: number
  /** Where the console receives events of the sandbox. */
  consoleInboxUrl?: string | undefined
  /** Hosts and networks of one's own that webhooks may lead to, also by http. */
  webhookHosts: readonly string[]
  /** Where the clock of a new or reset sandbox starts; real time where it is null. */
  startsAt: Date | null
  /** Accounts of one's own in the seed. */
  ownAccounts: readonly AccountPlan[]
}

/** Where the service is mounted, below the console's origin. */
export const servicePrefix = '/service/v1'
export const controlPrefix = '/service/control'
export const sandboxesPrefix = '/service/sandboxes'

/** The base address of the built-in service. */
export function serviceBaseUrl(variables: Variables): string {
  return new URL(servicePrefix, serviceOrigin(variables)).href
}

/** Throws an `Error` with a line per mistake. */
export function readServiceSettings(variables: Variables): ServiceSettings {
  const { values: set, mistakes } = parseSettings(variables, [
    'SANDBOX_BASIC_AUTH',
    'SANDBOX_RATE_LIMIT_PER_MINUTE',
    'DEMO_CARD_ACCOUNTS',
    'SANDBOX_WEBHOOK_HOSTS',
    'SANDBOX_CLOCK',
    'SANDBOX_SEED_FILE',
    'CARD_NUMBER_KEY',
    'CARD_NUMBER_KEY_PREVIOUS',
    'TRUSTED_PROXY_HOPS',
    'NEXTAUTH_URL',
    'SANDBOX_ORIGIN',
    'OIDC_ISSUER',
  ])
  if (!set.CARD_NUMBER_KEY || mistakes.length > 0)
    throw new Error(mistakes.join('\n') || 'CARD_NUMBER_KEY must be set.')
  const origin = serviceOrigin(variables)
  return {
    baseUrl: serviceBaseUrl(variables),
    acceptsBasic: set.SANDBOX_BASIC_AUTH ?? true,
    acceptsLoopbackWebhooks: !set.OIDC_ISSUER && !set.SANDBOX_WEBHOOK_HOSTS,
    rateLimitPerMinute: set.SANDBOX_RATE_LIMIT_PER_MINUTE ?? 1200,
    seededCardAccounts: set.DEMO_CARD_ACCOUNTS ?? (set.SANDBOX_SEED_FILE ? 0 : 60),
    webhookHosts: set.SANDBOX_WEBHOOK_HOSTS ?? [],
    startsAt: set.SANDBOX_CLOCK ?? null,
    ownAccounts: set.SANDBOX_SEED_FILE ? readSeedFile(set.SANDBOX_SEED_FILE) : [],
    cardNumberKey: Buffer.from(set.CARD_NUMBER_KEY, 'base64'),
    previousCardNumberKey: set.CARD_NUMBER_KEY_PREVIOUS ? Buffer.from(set.CARD_NUMBER_KEY_PREVIOUS, 'base64') : null,
    hasGivenWebhookKey: Boolean(variables.SANDBOX_WEBHOOK_KEY),
    trustedProxyHops: set.TRUSTED_PROXY_HOPS ?? 0,
    // Under a host name of its own the service has no path of the console.
    consoleInboxUrl: new URL('/api/webhooks/inbox/sandbox', (set.SANDBOX_ORIGIN && set.NEXTAUTH_URL) || origin).href,
  }
}

function serviceOrigin({ BUILT_IN_SERVICE_ORIGIN, PORT }: Variables): string {
  return BUILT_IN_SERVICE_ORIGIN || `http://127.0.0.1:${PORT || 3000}`
}
