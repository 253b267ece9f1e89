import 'server-only'
import type { EndpointInput } from '#lib/client/prepare.ts'
import type { EndpointName } from '#lib/contract/endpoints.ts'
import type { ReceivedResponse } from '#lib/contract/records.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { callService } from './environments.ts'

/** The endpoints whose responses come in pages. */
export type PagedEndpoint = {
  [Name in EndpointName]: ReceivedResponse<Name> extends { nextPageToken: string | null } ? Name : never
}[EndpointName]

/**
 * One page of a list. `hasMore` after the last page that is fetched: `no`, or why fetching stopped before the end, which
 * is the bound on pages or a service that repeats a page token.
 */
export type Page<Name extends PagedEndpoint> = {
  response: ReceivedResponse<Name>
  /** Records of this page that were left out because they cannot be used. */
  excluded: number
  fetchedAt: Date
  hasMore: 'next' | 'no' | 'limit' | 'repeated-token'
}

/** The pages of a list in order, at most `maximumPages`. Throws an `AppError` like every call of the service. */
export async function* fetchPages<Name extends PagedEndpoint>(
  environment: Environment,
  name: Name,
  query: object,
  { maximumPages, pageSize = 100 }: { maximumPages: number; pageSize?: number },
): AsyncGenerator<Page<Name>> {
  const usedTokens = new Set<string>()
  let pageToken: string | null = null
  for (let page = 1; ; page += 1) {
    const paged = { ...query, pageSize: String(pageSize), ...(pageToken === null ? {} : { pageToken }) }
    const input = { query: paged } as unknown as EndpointInput<Name>
    const { response, excluded, fetchedAt } = await callService(environment, name, input)
    const next: string | null = (response as { nextPageToken: string | null }).nextPageToken
    const hasMore =
      next === null ? 'no' : usedTokens.has(next) ? 'repeated-token' : page >= maximumPages ? 'limit' : 'next'
    yield { response: response, excluded, fetchedAt: fetchedAt, hasMore }
    if (hasMore !== 'next' || next === null) return
    usedTokens.add(next)
    pageToken = next
  }
}
