import { keepPreviousData, QueryClient, queryOptions, type QueryKey } from '@tanstack/react-query'
import { findReadDefinition, type ReadName, readDefinitions, readTopic, readUrl } from '#lib/api/reads.ts'
import type { reads } from '#lib/console/reads.ts'
import type { Change } from '#lib/live/types.ts'
import { sameId } from '#lib/shared/ids.ts'
import type { Environment, Search } from '#lib/shared/routes.ts'
import { isWorthRetrying, ReadError, readJson } from './read.ts'

export type { ExportName } from '#lib/console/export/table.ts'

type Reads = typeof reads
export type ReadResult<Name extends ReadName> = Awaited<ReturnType<Reads[Name]>>
type Rest<Parameters> = Parameters extends [Environment, ...infer Others] ? Others : never
/** Arguments of a read after its environment: its ids, then its search if it has one. */
export type ReadArguments<Name extends ReadName> = Rest<Parameters<Reads[Name]>>
/** The search of a read: its filters, its sort and its page. */
export type ReadSearch<Name extends ReadName> = Extract<ReadArguments<Name>[number], object>

type Query = { queryKey: QueryKey; state: { data: unknown; error: Error | null } }

/** Reads are fresh for five seconds and read again when the window comes back; a failure is retried twice, a 4xx never. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: 5_000, retry: isWorthRetrying, refetchOnWindowFocus: true },
      mutations: { retry: false },
    },
  })
}

/** One read of the table as options for react-query. */
export function readQuery<Name extends ReadName>(name: Name, environment: Environment, ...args: ReadArguments<Name>) {
  return queryOptions({
    queryKey: readKey(name, environment, ...args),
    queryFn: ({ signal }) => fetchRead(signal, name, environment, ...args),
    ...queryTiming(name),
  })
}

/** How often a read is repeated and how long it stays fresh, by its definition. */
function queryTiming(name: ReadName) {
  const { every = false, staleAfter, keepFor, keepsRows, backsOff } = findReadDefinition(name).poll
  return {
    ...(staleAfter !== undefined && { staleTime: staleAfter }),
    ...(keepFor !== undefined && { gcTime: keepFor }),
    ...(keepsRows && { placeholderData: keepPreviousData }),
    refetchInterval({ queryKey, state: { data, error } }: Query) {
      // A read that is forbidden after a change of role is not polled.
      if (isForbidden(error)) return false
      if (backsOff && data === undefined && error !== null) return isWorthRetrying(0, error) ? 15_000 : false
      return typeof every === 'object' ? every.of(data, ...argumentsIn(queryKey)) : every
    },
  }
}

function isForbidden(error: Error | null): boolean {
  return error instanceof ReadError && error.status === 403
}

/** Runs a read once. Throws `ReadError`. */
export function fetchRead<Name extends ReadName>(
  signal: AbortSignal,
  name: Name,
  environment: Environment,
  ...args: ReadArguments<Name>
): Promise<ReadResult<Name>> {
  return readJson<ReadResult<Name>>(readUrl(name, environment, args as (string | Search)[]), signal)
}

/** The key of a read; with fewer ids, the beginning of the keys of several. */
export function readKey(name: ReadName, environment: Environment, ...args: readonly unknown[]): QueryKey {
  return [environment, readTopic(name), name, ...args]
}

function argumentsIn(key: QueryKey): readonly unknown[] {
  return key.slice(3)
}

const names = Object.keys(readDefinitions) as ReadName[]

/** The beginning of the key of what a change makes stale of a read; null where it leaves the read as it is. */
function staleKey(name: ReadName, environment: Environment, change: Change): QueryKey | null {
  const { staleOn = {} } = findReadDefinition(name)
  const ids = Object.hasOwn(staleOn, change.type) ? staleOn[change.type] : undefined
  if (!ids) return null
  return readKey(name, environment, ...(ids === true ? [] : (ids as (change: Change) => readonly string[])(change)))
}

/** Whether the key of a read begins with a stale key. A page's address may write an id in capitals. */
export function isBelow(stale: QueryKey, key: QueryKey): boolean {
  return stale.every((part, index) => sameId(String(part), String(key[index])))
}

/** The keys of the reads that changes make stale, each once. */
export function staleKeys(environment: Environment, changes: readonly Change[]): QueryKey[] {
  const keys = changes
    .flatMap((change) => names.map((name) => staleKey(name, environment, change)))
    .filter((key) => key !== null)
  return [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()]
}
