import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { globalSingleton } from './global-singleton.ts'

/** The headers of a request, by their names in lower case. */
export type RequestHeaders = Pick<Headers, 'get'>

/** Responds to a request without Next; false where Next has to, and nothing has been sent. */
type Responder = (request: IncomingMessage, response: ServerResponse) => boolean

const responder = globalSingleton<{ respond: Responder }>('carddeskDirectRequests', () => ({ respond: () => false }))

/** From now on `respond` is asked first. The HTTP server could not load the modules that it needs: Next has them. */
export function setDirectResponder(respond: Responder): void {
  responder().respond = respond
}

export function respondDirectly(request: IncomingMessage, response: ServerResponse): boolean {
  return responder().respond(request, response)
}

const sent = globalSingleton<AsyncLocalStorage<RequestHeaders>>('carddeskDirectHeaders', () => new AsyncLocalStorage())

export function withDirectHeaders<Value>(headers: RequestHeaders, work: () => Value): Value {
  return sent().run(headers, work)
}

/** The headers of a request that runs without Next; undefined where `next/headers` has them. */
export function directHeaders(): RequestHeaders | undefined {
  return sent().getStore()
}
