import { readCardNumberKey } from './card-number.ts'

/** The settings that the built-in service reads; lib/launch checks them at start and fills in what is generated. */
export type ServiceSettings = {
  /** The service's base address as callers know it, without a slash at its end. */
  baseUrl: string
  acceptsBasic: boolean
  /** Webhooks may lead to loopback addresses, and by http. */
  acceptsLoopbackWebhooks: boolean
  /** 0: no limit. */
  rateLimitPerMinute: number
  seededCardAccounts: number
  /** Seals card numbers and the service's own keys. */
  cardNumberKey: Buffer
  /** The key before it, while it is replaced. */
  previousCardNumberKey: Buffer | null
  /** How many proxies are in front; 0: the socket's peer is the caller. */
  trustedProxyHops: number
  /** Where the console receives events of the sandbox. */
  consoleInboxUrl: string
}

/** Where the service is mounted, below the console's origin. */
export const servicePrefix = '/service/v1'
export const controlPrefix = '/service/control'

/** Which service the docs describe: the built-in one, or the real one that takes its place. */
export type DescribedService = { baseUrl: string; isBuiltIn: boolean }

export function describedService(environment: Readonly<Record<string, string | undefined>>): DescribedService {
  const connectedUrl = environment.BUILT_IN_SERVICE === 'off' ? environment.SERVICE_SANDBOX_URL : undefined
  return connectedUrl
    ? { baseUrl: connectedUrl, isBuiltIn: false }
    : { baseUrl: readServiceSettings(environment).baseUrl, isBuiltIn: true }
}

const defaultRateLimitPerMinute = 1200
const defaultSeededCardAccounts = 60

export function readServiceSettings(environment: Readonly<Record<string, string | undefined>>): ServiceSettings {
  const origin = environment.BUILT_IN_SERVICE_ORIGIN || `http://127.0.0.1:${environment.PORT || 3000}`
  return {
    baseUrl: new URL(servicePrefix, origin).href,
    acceptsBasic: environment.SANDBOX_BASIC_AUTH !== 'off',
    acceptsLoopbackWebhooks: isOn(environment.SANDBOX_LOOPBACK_WEBHOOKS, !environment.OIDC_ISSUER),
    rateLimitPerMinute: Number(environment.SANDBOX_RATE_LIMIT_PER_MINUTE || defaultRateLimitPerMinute),
    seededCardAccounts: Number(environment.DEMO_CARD_ACCOUNTS || defaultSeededCardAccounts),
    cardNumberKey: readCardNumberKey(environment.CARD_NUMBER_KEY),
    previousCardNumberKey: environment.CARD_NUMBER_KEY_PREVIOUS?.trim()
      ? readCardNumberKey(environment.CARD_NUMBER_KEY_PREVIOUS, 'CARD_NUMBER_KEY_PREVIOUS')
      : null,
    trustedProxyHops: Number(environment.TRUSTED_PROXY_HOPS || 0),
    consoleInboxUrl: new URL('/api/webhooks/inbox/sandbox', origin).href,
  }
}

function isOn(setting: string | undefined, byDefault: boolean): boolean {
  return setting ? setting === 'on' : byDefault
}
