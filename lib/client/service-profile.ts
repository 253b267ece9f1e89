import type { EndpointName } from '#lib/contract/endpoints.ts'

/**
 * The names in which a service may differ from the contract. Every part is optional; a missing part is as in the
 * contract.
 */
export type ServiceProfile = {
  /** Paths below the base URL, by endpoint. */
  paths: Partial<Record<EndpointName, string>>
  /** The key of a response's list, by endpoint; `''` where the list is the response itself. */
  lists: Partial<Record<EndpointName, string>>
  /** Query parameters, by endpoint: the contract's name to the service's. */
  query: Partial<Record<EndpointName, Readonly<Record<string, string>>>>
  /** Fields, by record (`CardAccount`, `FeeEntry`): the contract's name to the service's. */
  fields: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Codes, by field (`Card.status`): the service's spelling to the contract's. */
  values: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Event names: the service's to the contract's. */
  events: Readonly<Record<string, string>>
  headers: HeaderNames
  /** Whether amounts are JSON numbers or decimal text, in responses and in requests. */
  amounts: 'number' | 'text'
}

/**
 * The URL of a service, the console's credentials, and the names in which it differs from the contract. `privateKey` (PEM) is null
 * where a sandbox is called with the access key alone.
 */
export type ServiceConnection = {
  baseUrl: string
  accessKey: string
  privateKey: string | null
  profile?: ServiceProfile
}

/** Header names in lower case. */
export type HeaderNames = {
  idempotencyKey: string
  replayed: string
  requestId: string
  rateLimit: string
  rateLimitRemaining: string
  rateLimitReset: string
  webhookSignature: string
}

/** The names that one endpoint's response is parsed with. */
export type ResponseNames = Pick<ServiceProfile, 'fields' | 'values'> & {
  list: string | undefined
  /** Decimal text is no difference then. */
  amountsAreText: boolean
}

/** The contract's own names. */
export const contractProfile: ServiceProfile = {
  paths: {},
  lists: {},
  query: {},
  fields: {},
  values: {},
  events: {},
  headers: {
    idempotencyKey: 'idempotency-key',
    replayed: 'idempotency-replayed',
    requestId: 'x-request-id',
    rateLimit: 'x-ratelimit-limit',
    rateLimitRemaining: 'x-ratelimit-remaining',
    rateLimitReset: 'x-ratelimit-reset',
    webhookSignature: 'x-access-signature',
  },
  amounts: 'number',
}

/** Whether a profile changes no name. By content: a bundler may give each entry its own copy of the contract's profile. */
export function isContractProfile(profile: ServiceProfile): boolean {
  const { headers, amounts, ...parts } = profile
  const names = Object.keys(contractProfile.headers) as (keyof HeaderNames)[]
  return (
    amounts === contractProfile.amounts &&
    names.every((name) => headers[name] === contractProfile.headers[name]) &&
    Object.values(parts).every((part) => Object.keys(part).length === 0)
  )
}

/** The field of a record that holds event names. */
const eventNameField = 'Webhook.events'

const responseNamesCache = new WeakMap<ServiceProfile, Map<EndpointName, ResponseNames>>()

/** The same object each time, so that what is made for it (the readers of responses) is made once. */
export function responseNames(profile: ServiceProfile, name: EndpointName): ResponseNames {
  const made = responseNamesCache.get(profile) ?? new Map<EndpointName, ResponseNames>()
  responseNamesCache.set(profile, made)
  const names = made.get(name) ?? namesFor(profile, name)
  made.set(name, names)
  return names
}

function namesFor({ lists, fields, values, events, amounts }: ServiceProfile, name: EndpointName): ResponseNames {
  const hasEvents = Object.keys(events).length > 0
  return {
    list: lists[name],
    fields,
    values: hasEvents ? { ...values, [eventNameField]: events } : values,
    amountsAreText: amounts === 'text',
  }
}

/** The contract's spelling of a code, or the code itself where no other spelling is configured. */
export function contractSpelling(spellings: Readonly<Record<string, string>> | undefined, code: string): string {
  return (spellings && Object.hasOwn(spellings, code) ? spellings[code] : undefined) ?? code
}

/** The service's spelling of a code of the contract: the first one that is configured for it. */
export function serviceSpelling(spellings: Readonly<Record<string, string>> | undefined, code: string): string {
  return Object.entries(spellings ?? {}).find(([, contractCode]) => contractCode === code)?.[0] ?? code
}
