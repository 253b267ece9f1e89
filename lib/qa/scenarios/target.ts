import { parseResponse } from '#lib/client/parse-response.ts'
import { inputFor, prepare, prepareBytes } from '#lib/client/prepare.ts'
import {
  contractProfile,
  isContractProfile,
  responseNames,
  type ServiceConnection,
  type ServiceProfile,
} from '#lib/client/service-profile.ts'
import { openTransport, type Exchange } from '#lib/client/transport.ts'
import { endpointRow, type EndpointName } from '#lib/contract/endpoints.ts'
import { asFields, isFields, parseJson, textIn } from '#lib/shared/json.ts'
import { withoutTrailingSlashes } from '#lib/shared/texts.ts'
import { signAuthorization } from '#lib/signing/authorization.ts'
import { readPrivateKey } from '#lib/signing/keys.ts'

/** The service that scenarios run against. */
export type ScenarioService = ServiceConnection & {
  /** The control plane of the built-in sandbox; null for a real service, which has none. */
  controlUrl: string | null
  /** The PEM of the key that signs deliveries; null to read it from the control plane. */
  webhookKey: string | null
}

/** The response to a request. `status` is null where the connection was dropped. `body` has the contract's names. */
export type Response = {
  status: number | null
  code: string | null
  message: string | null
  body: unknown
  replayed: boolean
  dropped: boolean
  requestId: string | null
  durationMs: number
}

/** A request as it went out: the line and the JSON text of its body. */
export type SentRequest = { method: 'GET' | 'POST' | 'DELETE'; path: string; body: string | null }

type CallInput = {
  params?: object | undefined
  query?: object | undefined
  body?: unknown
  key?: string | undefined
}

/** The service can't be reached at all: nothing a scenario could expect. */
export class Unreachable extends Error {}

export type Target = {
  hasControl: boolean
  /** The request line and the body. Throws `TypeError` for a path parameter that cannot be in a path. */
  prepareCall: (name: EndpointName, input: CallInput) => SentRequest
  prepareControl: (call: string, input: Pick<CallInput, 'query' | 'body'>) => SentRequest
  /** Sends one signed request, once. Throws `Unreachable` where no connection could be made. */
  send: (
    request: SentRequest,
    options: { endpoint?: EndpointName; key?: string | undefined; signal?: AbortSignal | undefined },
  ) => Promise<Response>
  /**
   * Opens a link below the base URL without a signature. Throws `TypeError` for any other URL. A sandbox may know itself by another
   * origin than it is reached by: of its link the path counts, and it is opened at the base URL's origin.
   */
  open: (url: string, signal?: AbortSignal) => Promise<{ status: number | null; text: string }>
  profile: ServiceProfile
  /** The PEM of the key that signs deliveries; null where there is none to be had. Throws `Unreachable` where the service does not say. */
  webhookKey: () => Promise<string | null>
  close: () => Promise<void>
}

/** The interface gives most of its endpoints no number: a creation may be a 201, an action a 204 without a body. */
export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300
}

/** Moving the clock by days makes hundreds of deliveries before it responds. */
const requestTimeoutMs = 120_000

/** Opens connections to a service. Throws `TypeError` for a private key that can't be read. */
export function openTarget(connection: ScenarioService): Target {
  const { baseUrl, accessKey, controlUrl } = connection
  const profile = connection.profile ?? contractProfile
  const privateKey = connection.privateKey === null ? null : readPrivateKey(connection.privateKey)
  const base = new URL(baseUrl)
  const basePath = withoutTrailingSlashes(base.pathname)
  const transport = openTransport(base.origin, {
    connections: 8,
    connectTimeoutMs: 3000,
    headersTimeoutMs: requestTimeoutMs,
    bodyTimeoutMs: requestTimeoutMs,
    maximumResponseBytes: 10 * 1024 * 1024,
  })

  const unreachable = () => new Unreachable(`${baseUrl} can’t be reached.`)

  async function send(
    { method, path, body }: SentRequest,
    { endpoint, key, signal }: { endpoint?: EndpointName; key?: string | undefined; signal?: AbortSignal | undefined },
  ): Promise<Response> {
    const bytes = body === null ? null : Buffer.from(body)
    const startMs = performance.now()
    const now = Date.now() / 1000
    const authorization = await signAuthorization({ accessKey, privateKey, method, uri: path, body: bytes, now })
    const exchange = await transport.exchange({
      method,
      uri: path,
      bytes,
      timeoutMs: requestTimeoutMs,
      signal,
      headers: {
        accept: 'application/json',
        authorization,
        ...(bytes ? { 'content-type': 'application/json' } : {}),
        ...(key === undefined ? {} : { [profile.headers.idempotencyKey]: key }),
      },
    })
    return toResponse(exchange, endpoint, Math.round(performance.now() - startMs))
  }

  function toResponse(exchange: Exchange, endpoint: EndpointName | undefined, durationMs: number): Response {
    const { status, headers, failure } = exchange
    if (failure?.code === 'CONNECTION_FAILED') throw unreachable()
    const raw = parseJson(exchange.text ?? '', exchange.text?.slice(0, 2000) || null)
    const body = isSuccess(status) && endpoint ? withContractNames(endpoint, raw) : raw
    const requestId = headers[profile.headers.requestId]
    return {
      status: failure ? null : status,
      code: textIn(raw, 'code'),
      message: textIn(raw, 'message'),
      body,
      replayed: headers[profile.headers.replayed] === 'true',
      dropped: failure !== null,
      requestId: typeof requestId === 'string' ? requestId : null,
      durationMs,
    }
  }

  /** The response with the contract's names, where the service has others. */
  function withContractNames(endpoint: EndpointName, raw: unknown): unknown {
    if (isContractProfile(profile)) return raw
    const parsed = parseResponse(endpointRow(endpoint).response, raw, responseNames(profile, endpoint))
    if ('unexpected' in parsed) return raw
    // Scenarios name a field that the contract lacks beside the others.
    return JSON.parse(JSON.stringify(parsed.record), (_, value: unknown) => {
      if (!isFields(value) || value.otherFields === undefined) return value
      const { otherFields, ...rest } = value
      return { ...asFields(otherFields), ...rest }
    })
  }

  const controlPath = controlUrl === null ? '' : withoutTrailingSlashes(new URL(controlUrl).pathname)

  return {
    hasControl: controlUrl !== null,
    profile,
    prepareCall(name, { params, query, body }) {
      const { method } = endpointRow(name)
      const { path, bytes } =
        method === 'POST'
          ? prepare(name, inputFor(name, { params, query, body: body ?? {} }), profile)
          : prepareBytes(name, null, { params, query }, profile)
      return { method, path: `${basePath}${path}`, body: bytes ? Buffer.from(bytes).toString() : null }
    },
    prepareControl(call, { query = {}, body }) {
      const [method = 'GET', path = ''] = call.split(' ')
      const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
      return {
        method: method as SentRequest['method'],
        path: `${controlPath}${path}${search.size > 0 ? `?${search}` : ''}`,
        body: method === 'POST' ? JSON.stringify(body ?? {}) : null,
      }
    },
    send,
    async open(link, signal) {
      const url = URL.canParse(link) ? new URL(link) : null
      const isOfOrigin = controlUrl !== null || url?.origin === base.origin
      if (!url || !isOfOrigin || !url.pathname.startsWith(`${basePath}/`)) {
        throw new TypeError(`Only links below ${baseUrl} are opened.`)
      }
      const { status, text } = await transport.exchange({
        method: 'GET',
        uri: `${url.pathname}${url.search}`,
        bytes: null,
        timeoutMs: requestTimeoutMs,
        signal,
        headers: { accept: 'text/html' },
      })
      return { status, text: text ?? '' }
    },
    async webhookKey() {
      if (connection.webhookKey !== null) return connection.webhookKey
      if (controlUrl === null) return null
      const { status, text, failure } = await transport.exchange({
        method: 'GET',
        uri: `${controlPath}/webhook-key`,
        bytes: null,
        timeoutMs: requestTimeoutMs,
        signal: undefined,
        headers: {},
      })
      if (failure?.code === 'CONNECTION_FAILED') throw unreachable()
      if (status === null || status === 429 || status >= 500) {
        const said = status === null ? 'no response came' : `HTTP ${status}`
        throw new Unreachable(`${baseUrl} did not say whether it has a key of webhooks: ${said}.`)
      }
      return status === 200 && text?.startsWith('-----BEGIN PUBLIC KEY-----') ? text : null
    },
    close: transport.close,
  }
}
