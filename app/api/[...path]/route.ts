import { respondMethodNotAllowed, respondNotFound, respondToRead } from '#lib/console/desk/api.ts'
import { forCaller } from '#lib/console/desk/session/session.ts'
import { reads } from '#lib/console/reads.ts'
import { findRead } from '#lib/shared/reads.ts'

type Context = { params: Promise<{ path: string[] }> }
type Read = (environment: string, ...rest: unknown[]) => Promise<object>

/** The reads of `lib/shared/reads.ts`; any other path of the API does not exist. */
export async function GET(request: Request, context: Context): Promise<Response> {
  const [environment = '', ...path] = (await context.params).path
  const found = findRead(path)
  if (!found) return respondNotFound()
  const read = reads[found.name] as Read
  return respondToRead(request, { params: Promise.resolve({ environment }) }, (_, search) =>
    forCaller({ signal: request.signal }, () => read(environment, ...found.ids, search)),
  )
}

async function refuse(_: Request, context: Context): Promise<Response> {
  const [, ...path] = (await context.params).path
  return findRead(path) ? respondMethodNotAllowed() : respondNotFound()
}

export { refuse as POST, refuse as PUT, refuse as PATCH, refuse as DELETE }
