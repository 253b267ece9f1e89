import { connectionOf, type Connection } from '#lib/shared/connections.ts'

type Answer = (request: Request, connection: Connection | undefined) => Promise<Response>

/** A part of the built-in service as a route handler of every method; 404 where the service is switched off. */
export function mounted(answer: Answer) {
  const handler = async (request: Request): Promise<Response> =>
    process.env.BUILT_IN_SERVICE === 'off'
      ? new Response(null, {
          status: 404,
          headers: { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' },
        })
      : answer(request, connectionOf(request.headers))
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
