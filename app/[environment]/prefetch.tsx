import { setTimeout as delay } from 'node:timers/promises'
import { dehydrate, HydrationBoundary, QueryClient, type DehydratedState, type QueryKey } from '@tanstack/react-query'
import { cookies } from 'next/headers'
import { forbidden, notFound, redirect } from 'next/navigation'
import type { SearchParams } from 'nuqs/server'
import type { ReactNode } from 'react'
import { defineListParams } from '#components/filters/list-params.ts'
import { readPreferences } from '#components/ui/preferences.ts'
import type { PageZone } from '#components/ui/time-format.ts'
import { operationDefinition, type OperationKind } from '#lib/api/actions.ts'
import type { ReadName } from '#lib/api/reads.ts'
import type { SavedList } from '#lib/api/saved-views.ts'
import type { Filters, SearchDefinition, Sorts } from '#lib/api/search.ts'
import { maskForReader } from '#lib/auth/masked-reads.ts'
import { withRequestContext } from '#lib/auth/session.ts'
import { reads } from '#lib/console/reads.ts'
import { defaultViewQuery } from '#lib/console/saved-views.ts'
import { requireNeeds } from '#lib/gate/implement.ts'
import { type ReadArguments, readKey } from '#lib/queries/reads.ts'
import { isAppError } from '#lib/shared/app-error.ts'
import { type Environment, isEnvironment, routes } from '#lib/shared/routes.ts'

/** How long a page waits for its reads; afterwards it is sent with skeletons, and the browser reads the rest. */
const timeoutMs = 2_500

type Read = (client: QueryClient) => Promise<unknown>

type Given<Id extends string> = Record<Id, string> & { environment: Environment; search: SearchParams }
/** `here` is where the sign-in returns to. */
type Content = { here: string; reads: Read[]; screen: ReactNode }

/** A page of the console: `work` gets its environment, the ids of its path and its search, and returns its reads and its screen. */
export function page<Id extends string = never>(work: (given: Given<Id>) => Content | Promise<Content>) {
  return async function Page({ params, searchParams }: PageProps<'/[environment]'>) {
    const { environment, ...ids } = await decoded(params)
    const given = { ...ids, environment: parseEnvironment(environment), search: await searchParams }
    const { here, reads, screen } = await work(given as Given<Id>)
    return <HydrationBoundary state={await prefetch(here, ...reads)}>{screen}</HydrationBoundary>
  }
}

/** One read of a page: done here on the server, masked for the reader, under the key that the browser uses. */
export function read<Name extends ReadName>(name: Name, environment: Environment, ...args: ReadArguments<Name>): Read {
  const response = reads[name] as (environment: Environment, ...args: readonly unknown[]) => Promise<unknown>
  return readAs({ queryKey: readKey(name, environment, ...args) }, () => response(environment, ...args))
}

/** A read that is not in the table of reads, masked for the reader, under the key that the browser uses. */
export function readAs({ queryKey }: { queryKey: QueryKey }, response: () => Promise<unknown>): Read {
  const [first] = queryKey
  const environment = typeof first === 'string' && isEnvironment(first) ? first : undefined
  const queryFn = async () => maskForReader(await response(), environment)
  return (client) => client.fetchQuery({ queryKey, queryFn, retry: false })
}

/** A page that is the form of an operation is for those alone who may send it. */
export function requireOperation(kind: OperationKind, environment: Environment): Read {
  return () => requireNeeds(operationDefinition(kind), environment)
}

/** One read for a part of a page: a 404 is shown in its place, and the rest of the page stays. */
export function readPart<Name extends ReadName>(
  name: Name,
  environment: Environment,
  ...args: ReadArguments<Name>
): Read {
  const whole = read(name, environment, ...args)
  return (client) =>
    whole(client).catch((error: unknown) => {
      throw isAppError(error) && error.status === 404 ? new Error(error.code) : error
    })
}

/**
 * Reads what a page shows and hands it to the browser's cache. Missing objects, missing permissions and missing
 * sessions lead to their own pages (`here` is where the sign-in returns to); the browser repeats and reports any other
 * failure.
 */
export async function prefetch(here: string, ...reads: Read[]): Promise<DehydratedState> {
  const client = new QueryClient()
  const refused: unknown[] = []
  const waiting = new AbortController()
  let isRefused = false
  const context = { signal: waiting.signal, onRefused: () => void (isRefused = true) }
  const settled = Promise.all(
    reads.map((one) =>
      withRequestContext(context, () => one(client)).catch((error: unknown) => {
        if (!waiting.signal.aborted) refused.push(error)
      }),
    ),
  )
  await Promise.race([settled, delay(timeoutMs, undefined, { ref: false })])
  if (isRefused) {
    // Waits for the audit entry of the refusal; a failure to write it refuses, too.
    await settled
    forbidden()
  }
  // The browser reads the rest itself.
  waiting.abort()
  for (const error of refused) respondToError(error, here)
  return dehydrate(client)
}

function respondToError(error: unknown, here: string): void {
  if (!isAppError(error)) return
  if (error.status === 401) redirect(routes.signIn({ callbackUrl: here }))
  if (error.status === 403) forbidden()
  if (error.status === 404) notFound()
}

/** Search of a page's list, by its URL and the time zone. */
export async function readSearch<Filtered extends Filters, Sorted extends Sorts>(
  definition: SearchDefinition<Filtered, Sorted>,
  search: SearchParams,
) {
  const { load, toSearch } = defineListParams(definition)
  return toSearch(load(search) as Parameters<typeof toSearch>[0], await readPageZone())
}

type List<Params, Search> = {
  load: (search: SearchParams) => Params
  toSearch: (params: Params, zone: PageZone) => Search
}

/** Like `readSearch`, for a list with its own `toSearch`. */
export async function readParams<Params, Search>(list: List<Params, Search>, search: SearchParams): Promise<Search> {
  return list.toSearch(list.load(search), await readPageZone())
}

/** Opens a list that is requested without a search with the view that the person pinned for it. */
export async function openDefaultView(
  environment: Environment,
  list: SavedList,
  path: string,
  search: SearchParams,
): Promise<void> {
  if (Object.keys(search).length > 0) return
  const query = await defaultViewQuery(environment, list)
  if (query !== null) redirect(`${path}?${query}`)
}

/** The zone of the page, in which a day of a filter begins and ends. */
export async function readPageZone(): Promise<PageZone> {
  const cookieStore = await cookies()
  return readPreferences((name) => cookieStore.get(name)?.value).zone
}

/** The dynamic segments of a page's path as text: Next passes them encoded, and an id may have any form. */
async function decoded<Params extends Record<string, string>>(params: Promise<Params>): Promise<Params> {
  const entries = Object.entries(await params).map(([name, text]) => [name, decodeURIComponent(text)])
  return Object.fromEntries(entries) as Params
}

/** The environment of an address; anything else is a page that does not exist. */
export function parseEnvironment(text: string): Environment {
  return isEnvironment(text) ? text : notFound()
}
