import { handleSwitchedOff } from '#lib/service/switched-off.ts'
import { connectionOf, type Connection } from '#lib/shared/connections.ts'

type Answer = (request: Request, connection: Connection | undefined) => Promise<Response>

/** A part of the built-in service as a route handler of every method, while no real service takes its place. */
export function mounted(answer: Answer) {
  return everyMethod((request, connection) =>
    process.env.BUILT_IN_SERVICE === 'off' ? handleSwitchedOff(request, connection) : answer(request, connection),
  )
}

/** A route handler of every method. */
export function everyMethod(answer: Answer) {
  const handler = (request: Request): Promise<Response> => answer(request, connectionOf(request.headers))
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
