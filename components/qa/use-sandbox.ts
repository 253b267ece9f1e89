'use client'

import type { QueryClient } from '@tanstack/react-query'
import { usePathname } from 'next/navigation'
import { parseAsInteger, parseAsString, useQueryStates } from 'nuqs'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { readKey } from '#lib/queries/reads.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'

/** The name of a sandbox of one's own, short enough for a sentence. */
export function sandboxName(id: string): string {
  return `Sandbox ${id.slice(0, 6)}`
}

/**
 * Drops the list of sandboxes, for when one was made that it lacks: what is missing in the list that is read after that has ended.
 */
export function forgetSandboxes(client: QueryClient, environment: Environment): void {
  void client.resetQueries({ queryKey: readKey('listSandboxes', environment) })
}

/** The run and its case that the page of scenarios shows are of one sandbox. */
const sandboxParams = { sandbox: parseAsString, run: parseAsString, case: parseAsInteger }

/**
 * The sandbox that the lab acts on, by the URL: the id of one of its own, or null for the one that everybody shares, which all other
 * pages show. `search` is what its actions and links take; `searches` are the arguments of a read, which a page prefetches without
 * any for the shared one.
 */
export function useSandbox() {
  const environment = useEnvironment()
  const lab = routes.lab(environment)
  const pathname = usePathname()
  const [{ sandbox: named }, setParams] = useQueryStates(sandboxParams, { history: 'push' })
  const choose = (chosen: string | null) => setParams({ sandbox: chosen, run: null, case: null })
  const isInLab = pathname === lab || pathname.startsWith(`${lab}/`)
  const sandbox = isInLab ? named : null
  const search: { sandbox?: string } = sandbox === null ? {} : { sandbox }
  const searches: [] | [{ sandbox: string }] = sandbox === null ? [] : [{ sandbox }]
  return { sandbox, search, searches, choose }
}
