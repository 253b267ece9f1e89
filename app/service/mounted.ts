import { handleSwitchedOff } from '#lib/service/openapi.ts'
import { type Connection, findConnection } from '#lib/shared/connections.ts'

type Handler = (request: Request, connection: Connection | undefined) => Promise<Response>

/** A part of the built-in service as a route handler of every method, while no real service takes its place. */
export function mounted(handle: Handler) {
  return everyMethod((request, connection) =>
    process.env.BUILT_IN_SERVICE === 'off' ? handleSwitchedOff(request, connection) : handle(request, connection),
  )
}

/** A route handler of every method. */
export function everyMethod(handle: Handler) {
  const handler = (request: Request): Promise<Response> => handle(request, findConnection(request.headers))
  return {
    GET: handler,
    HEAD: handler,
    POST: handler,
    PUT: handler,
    PATCH: handler,
    DELETE: handler,
    OPTIONS: handler,
  }
}
