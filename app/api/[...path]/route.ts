import { findRead } from '#lib/api/reads.ts'
import { answerRead } from '#lib/console/answer-read.ts'
import { exportList } from '#lib/console/export/export.ts'
import { findExport } from '#lib/console/export/table.ts'
import { answerEnvironmentRead, respondMethodNotAllowed, respondNotFound, toResponse } from '#lib/gate/api.ts'

type Context = { params: Promise<{ path: string[] }> }

/** The reads of `lib/api`, and the files of the exported ones; any other path of the API does not exist. */
export async function GET(request: Request, context: Context): Promise<Response> {
  const [environment = '', ...path] = (await context.params).path
  const file = findExport(path)
  if (file) {
    const answered = await answerEnvironmentRead(request, environment, (valid, search) =>
      exportList(valid, file.name, file.ids, search, request.signal),
    )
    return toResponse(answered)
  }
  const found = findRead(path)
  return found ? toResponse(await answerRead(request, environment, found)) : respondNotFound()
}

async function refuse(_: Request, context: Context): Promise<Response> {
  const [, ...path] = (await context.params).path
  return (findExport(path) ?? findRead(path)) ? respondMethodNotAllowed() : respondNotFound()
}

export { refuse as POST, refuse as PUT, refuse as PATCH, refuse as DELETE }
