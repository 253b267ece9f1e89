import type { QueryKey } from '@tanstack/react-query'
import { definitionOf, type ReadName, readDefinitions } from '#lib/api/reads.ts'
import type { Change } from '#lib/live/types.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { readKey } from './reads.ts'

const names = Object.keys(readDefinitions) as ReadName[]

/** The beginning of the key of what a change makes stale of a read; null where it leaves the read as it is. */
function staleKey(name: ReadName, environment: Environment, change: Change): QueryKey | null {
  const { staleOn = {} } = definitionOf(name)
  const ids = Object.hasOwn(staleOn, change.type) ? staleOn[change.type] : undefined
  if (!ids) return null
  return readKey(name, environment, ...(ids === true ? [] : (ids as (change: Change) => readonly string[])(change)))
}

/** The keys of the reads that changes make stale, each once. */
export function staleKeys(environment: Environment, changes: readonly Change[]): QueryKey[] {
  const keys = changes
    .flatMap((change) => names.map((name) => staleKey(name, environment, change)))
    .filter((key) => key !== null)
  return [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()]
}
