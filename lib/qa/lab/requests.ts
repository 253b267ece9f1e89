import 'server-only'
import { z } from 'zod'
import { endpointNames, endpointRow } from '#lib/contract/endpoints.ts'
import { builtInControl } from '#lib/environments/control-plane.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { isUuid } from '#lib/shared/ids.ts'
import { parseSearch } from '#lib/shared/parse.ts'
import { decodedSegment, type Environment } from '#lib/shared/routes.ts'
import { type LabSearch, readControl, SandboxId, sandboxIn } from './control.ts'
import type { LoggedExchange, LoggedRequest } from './types.ts'

/** `isAvailable` is false for a service without a request log, which a real one is. */
type RequestList = { isAvailable: boolean; requests: LoggedRequest[] }

const RequestFilters = z
  .object({
    method: z.enum(['GET', 'POST'], 'must be GET or POST'),
    failed: z.literal('true', 'must be true'),
    sandbox: SandboxId,
  })
  .partial()
type RequestFilters = z.input<typeof RequestFilters>

/**
 * Requests of the console's access key to the shared sandbox, or all to one of its own, newest first; background requests are not among
 * them.
 */
export async function listServiceRequests(environment: Environment, search: RequestFilters): Promise<RequestList> {
  const { sandbox = null, ...filters } = parseSearch(RequestFilters, search)
  const control = builtInControl(environment, sandbox)
  if (!control) return { isAvailable: false, requests: [] }
  const query = new URLSearchParams({ limit: '50', ...filters })
  const page = z.custom<Omit<RequestList, 'isAvailable'>>()
  const { requests } = await readControl(control, `/requests?${query}`, page)
  return { isAvailable: true, requests }
}

/** One request with its bodies. Throws `REQUEST_NOT_FOUND`. */
export async function readServiceRequest(
  environment: Environment,
  requestId: string,
  search?: LabSearch,
): Promise<LoggedExchange> {
  const control = builtInControl(environment, sandboxIn(search))
  const notFound = new AppError('REQUEST_NOT_FOUND', 'The request log does not have this request.')
  if (!control || !isUuid(requestId)) throw notFound
  const found = z.custom<{ request: Omit<LoggedExchange, 'prefill'> | null }>()
  const { request } = await readControl(control, `/requests?requestId=${requestId}`, found)
  if (!request) throw notFound
  return { ...request, prefill: toPrefill(request) }
}

function toPrefill({ endpoint, path }: Pick<LoggedRequest, 'endpoint' | 'path'>): LoggedExchange['prefill'] {
  const name = endpointNames.find((known) => known === endpoint)
  if (!name) return null
  const [place = '', ...search] = path.split('?')
  const segments = endpointRow(name).path.split('/')
  const given = place.split('/')
  const params = segments.flatMap((segment, at) =>
    segment.startsWith('{') ? [[segment.slice(1, -1), decodedSegment(given[at] ?? '')]] : [],
  )
  const query: Record<string, string[]> = {}
  for (const [key, value] of new URLSearchParams(search.join('?'))) query[key] = [...(query[key] ?? []), value]
  return { endpoint: name, params: Object.fromEntries(params) as Record<string, string>, query }
}
