import { parseResponse } from '#lib/client/parse-response.ts'
import type { ServiceClient } from '#lib/client/service-client.ts'
import { ServiceError } from '#lib/client/service-error.ts'
import { contractProfile, responseNames } from '#lib/client/service-profile.ts'
import { endpointRow, type EndpointName } from '#lib/contract/endpoints.ts'
import type { CallInput } from '#lib/service/testing.ts'
import type { TestConsole } from './open-console.ts'

/** Changes the recorded response of an endpoint; it may change the value that it is given. */
type ChangeResponse = (name: EndpointName, body: unknown) => unknown

export type RecordedService = {
  client: ServiceClient
  /** The endpoints requested since the last time that somebody emptied the list, in order. */
  requested: EndpointName[]
  /** The recorded bodies of an endpoint, as the built-in service sent them. */
  bodiesOf: (name: EndpointName) => unknown[]
  /** Changes the responses from now on. `restore` turns a query's JSON back into one that the built-in service knows. */
  replay: (change: ChangeResponse, restore?: (text: string) => string) => void
}

type Recorded = { status: number; text: string }

/**
 * A service client that requests each response of the built-in service once and repeats it from then on, changed as a
 * test wants, through the parser of the real client. It has no connection, so that thousands of responses take seconds.
 */
export function recordService({ service }: TestConsole): RecordedService {
  const recorded = new Map<string, Recorded>()
  const requested: EndpointName[] = []
  let change: ChangeResponse = (_, body) => body
  let restore = (text: string) => text

  async function responseTo(name: EndpointName, input: CallInput): Promise<Recorded> {
    const key = `${name} ${restore(JSON.stringify([input.params ?? {}, input.query ?? {}]))}`
    const cached = recorded.get(key)
    if (cached) return cached
    const [params, query] = JSON.parse(key.slice(name.length + 1)) as [Record<string, string>, Record<string, string>]
    const { status, text } = await service.call(name, { params, query })
    recorded.set(key, { status, text })
    return { status, text }
  }

  const client: ServiceClient = {
    async call(name, input) {
      requested.push(name)
      const { status, text } = await responseTo(name, input as CallInput)
      const body: unknown = JSON.parse(text)
      if (status !== 200) throw failed(status, body as { code: string; message: string })
      const row = endpointRow(name)
      const parsed = parseResponse(row.response, change(name, body), responseNames(contractProfile, name))
      if ('unexpected' in parsed) {
        const { expected, found } = parsed.unexpected
        const message = `${row.method} ${row.path} returned ${found}, expected ${expected}.`
        throw failed(200, { code: 'RESPONSE_UNEXPECTED', message })
      }
      const { record, excluded, hasTimeWithoutZone } = parsed
      return { response: record as never, excluded, hasTimeWithoutZone, requestId: null }
    },
    send: () => Promise.reject(new Error('a recorded service only reads')),
    clockOffsetMs: () => 0,
    quota: () => null,
    circuit: () => 'closed',
    pause: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }

  return {
    client,
    requested,
    bodiesOf: (name) =>
      [...recorded].flatMap(([key, { status, text }]): unknown[] =>
        key.startsWith(`${name} `) && status === 200 ? [JSON.parse(text)] : [],
      ),
    replay: (newChange, newRestore = (text) => text) => {
      change = newChange
      restore = newRestore
    },
  }
}

function failed(status: number, { code, message }: { code: string; message: string }): ServiceError {
  return new ServiceError(message, {
    outcome: 'refused',
    status,
    code,
    requestId: null,
    attempts: 1,
    retryAfterMs: null,
    diagnosis: null,
  })
}
