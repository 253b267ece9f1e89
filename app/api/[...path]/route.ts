import { findRead } from '#lib/api/reads.ts'
import { withRequestContext } from '#lib/auth/session.ts'
import { exportList } from '#lib/console/export/export.ts'
import { findExport } from '#lib/console/export/table.ts'
import { reads } from '#lib/console/reads.ts'
import { respondMethodNotAllowed, respondNotFound, respondToEnvironmentRead } from '#lib/gate/api.ts'
import type { Environment } from '#lib/shared/routes.ts'

type Context = { params: Promise<{ path: string[] }> }
type Read = (environment: Environment, ...rest: unknown[]) => Promise<object>

/** The reads of `lib/api`, and the files of the exported ones; any other path of the API does not exist. */
export async function GET(request: Request, context: Context): Promise<Response> {
  const [environment = '', ...path] = (await context.params).path
  const { signal } = request
  const file = findExport(path)
  if (file) {
    return respondToEnvironmentRead(request, environment, (valid, search) =>
      exportList(valid, file.name, file.ids, search, signal),
    )
  }
  const found = findRead(path)
  if (!found) return respondNotFound()
  const read = reads[found.name] as Read
  return respondToEnvironmentRead(request, environment, (valid, search) =>
    withRequestContext({ signal }, () => read(valid, ...found.ids, search)),
  )
}

async function refuse(_: Request, context: Context): Promise<Response> {
  const [, ...path] = (await context.params).path
  return (findExport(path) ?? findRead(path)) ? respondMethodNotAllowed() : respondNotFound()
}

export { refuse as POST, refuse as PUT, refuse as PATCH, refuse as DELETE }
