import { lookup as systemLookup, Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, type Dispatcher, errors, request as send, buildConnector } from 'undici'
import { webhookSignatureHeader } from '#lib/contract/events.ts'
import { withoutCardNumbers } from '#lib/shared/card-numbers.ts'
import { secondMs } from '#lib/shared/time.ts'
import { isConsoleInbox, isOwnHost, webhookUrlError, type AddressPolicy, isOpenAddress } from '../webhook-address.ts'
import type { Signer } from './signer.ts'

/** The addresses of a host name. Throws where it has none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

// Not the system's lookup, which blocks one of a few threads while a name server does not respond. Callers choose these names.
const resolver = new Resolver({ timeout: 3000, tries: 2 })

/** Nothing was connected to: an address that the policy does not allow. */
class AddressRefused extends Error {}

/** RFC 6761, 6.3: localhost and what is below it are loopback, whatever a name server says. */
const loopbackName = /^(?:.+\.)?localhost\.?$/i

async function resolveByDns(hostname: string): Promise<readonly string[]> {
  if (loopbackName.test(hostname)) return ['127.0.0.1', '::1']
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const addresses = [ipv4, ipv6].flatMap((found) => (found.status === 'fulfilled' ? found.value : []))
  if (addresses.length === 0 && ipv4.status === 'rejected') throw ipv4.reason
  return addresses
}

/** For the hosts that the settings name, which may be in the hosts file of the machine or container alone. */
async function resolveBySystem(hostname: string): Promise<readonly string[]> {
  return (await systemLookup(hostname, { all: true })).map(({ address }) => address)
}

type Resolvers = { resolve: Resolve; resolveOwn: Resolve }

/**
 * Opens connections to addresses that were checked, and to no others: the name is resolved here, once a connection, every
 * address that it has is checked, and these very addresses are connected to. TLS goes on verifying the name.
 */
function openConnector(policy: AddressPolicy, resolvers: Resolvers, timeoutMs: number): buildConnector.connector {
  const lookup: LookupFunction = (hostname, options, callback) => {
    void respondToLookup()
    async function respondToLookup(): Promise<void> {
      try {
        const addresses = await resolveAllowedAddresses(hostname, policy, resolvers)
        const [first] = addresses
        if (options.all) callback(null, addresses)
        else callback(null, first.address, first.family)
      } catch (error) {
        callback(error instanceof Error ? error : refused(hostname), '', 0)
      }
    }
  }
  const connect = buildConnector({ lookup, timeout: timeoutMs, allowH2: false })
  return (options, callback) => {
    // A literal is connected to without being looked up.
    const host = options.hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) !== 0 && !isOpenAddress(host, policy)) return callback(refused(host), null)
    connect(options, callback)
  }
}

type AllowedAddress = { address: string; family: number }

async function resolveAllowedAddresses(
  hostname: string,
  policy: AddressPolicy,
  { resolve, resolveOwn }: Resolvers,
): Promise<[AllowedAddress, ...AllowedAddress[]]> {
  const isOwn = isOwnHost(hostname, policy)
  const addresses = await (isOwn ? resolveOwn : resolve)(hostname)
  const [first, ...others] = addresses.map((address) => ({ address, family: isIP(address) }))
  const isOpen = isOwn || addresses.every((address) => isOpenAddress(address, policy))
  if (!first || !isOpen) throw refused(hostname)
  return [first, ...others]
}

function refused(host: string): AddressRefused {
  return new AddressRefused(`${host} does not lead to a public address`)
}

/** One attempt at a delivery. */
export type Attempt = { url: string; body: string; signal: AbortSignal }

/** Why a delivery failed: another status than 200, no response in time, an IP address that is not allowed, no connection. */
export type DeliveryProblem = 'HTTP_STATUS' | 'TIMEOUT' | 'ADDRESS_REFUSED' | 'NO_CONNECTION'

/**
 * The result of an attempt; `status` is null where the receiver did not respond. `response` is the beginning of its body, with card
 * numbers masked.
 */
export type Attempted = { response?: string | null } & (
  | { taken: true; status: 200; problem: null }
  | { taken: false; status: number | null; problem: DeliveryProblem }
)

/** Makes an attempt and returns whether the receiver took it. Throws only where nothing was sent for reasons of our own. */
export type Transport = (attempt: Attempt) => Promise<Attempted>

/** How long a receiver has to respond, by the real clock. */
export const deliveryTimeoutMs = 15 * secondMs

/** This much of a response's body is read, so that the connection can be used again. */
const readResponseBytes = 16_384
/** This much of it is kept for the log, if it comes in time: a slow body holds the next delivery back no longer. */
const keptResponseCharacters = 1000
const responseBodyMs = 500
/** Short, so that a receiver hardly ever closes a connection at the moment it is used again. */
const idleConnectionMs = secondMs

/**
 * Sends deliveries, signed, over HTTP. Only the status 200 is a success, within the time; redirects are not followed. The address
 * is checked at each attempt and what its name resolves to at each connection, but for the console's inbox.
 */
export function httpTransport(
  policy: AddressPolicy,
  sign: Signer,
  {
    resolve = resolveByDns,
    resolveOwn = resolveBySystem,
    timeoutMs = deliveryTimeoutMs,
  }: Partial<Resolvers> & { timeoutMs?: number } = {},
): Transport {
  const agent = (connect: Agent.Options['connect']) =>
    new Agent({
      connect,
      keepAliveTimeout: idleConnectionMs,
      keepAliveMaxTimeout: idleConnectionMs,
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  const checked = agent(openConnector(policy, { resolve, resolveOwn }, timeoutMs))
  // Only for the console's inbox, which may be at any address and have a name that only this machine knows.
  const unchecked = agent({ timeout: timeoutMs })
  return async ({ url, body, signal }) => {
    if (webhookUrlError(url, policy) !== null) return notTaken('ADDRESS_REFUSED')
    const signature = await sign(body)
    const time = AbortSignal.timeout(timeoutMs)
    const limit = AbortSignal.any([signal, time])
    try {
      const response = await send(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Carddesk-Webhooks/1',
          [webhookSignatureHeader]: signature,
        },
        body,
        dispatcher: isConsoleInbox(url, policy) ? unchecked : checked,
        signal: limit,
      })
      const { statusCode: status } = response
      const result: Attempted =
        status === 200 ? { taken: true, status, problem: null } : notTaken('HTTP_STATUS', status)
      return { ...result, response: await readBeginning(response.body) }
    } catch (error) {
      if (error instanceof AddressRefused) return notTaken('ADDRESS_REFUSED')
      return notTaken(time.aborted || isConnectTimeout(error) ? 'TIMEOUT' : 'NO_CONNECTION')
    }
  }
}

/** The beginning of a body as text, or null where nothing came in time. What comes after `readResponseBytes` ends the connection. */
async function readBeginning(body: Dispatcher.ResponseData['body']): Promise<string | null> {
  const chunks: Buffer[] = []
  let length = 0
  const read = async () => {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      length += chunk.length
      if (length >= readResponseBytes) break
    }
  }
  const time = AbortSignal.timeout(responseBodyMs)
  const isOver = new Promise((resolve) => time.addEventListener('abort', resolve, { once: true }))
  await Promise.race([read().catch(() => undefined), isOver])
  if (time.aborted) body.destroy()
  const text = Buffer.concat(chunks).toString('utf8').replaceAll('\0', '')
  return text === '' ? null : withoutCardNumbers(text).slice(0, keptResponseCharacters)
}

function notTaken(problem: DeliveryProblem, status: number | null = null): Attempted {
  return { taken: false, status, problem }
}

function isConnectTimeout(error: unknown): boolean {
  return error instanceof errors.ConnectTimeoutError
}
