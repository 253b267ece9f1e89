import { respondToRead } from '#lib/console/desk/api.ts'
import type { Environment } from '#lib/shared/routes.ts'

type Search = Record<string, string | string[]>

/** A GET route of one environment for a file or a stream. `Ids` names the other segments of its path. */
export function environmentRoute<Ids extends string = never>(
  read: (
    params: Record<Ids, string> & { environment: Environment },
    search: Search,
    request: Request,
  ) => Promise<Response>,
) {
  return (request: Request, context: { params: Promise<Record<Ids | 'environment', string>> }): Promise<Response> =>
    respondToRead(request, context, (params, search) => read(params as Parameters<typeof read>[0], search, request))
}
