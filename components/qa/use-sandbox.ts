'use client'

import { usePathname } from 'next/navigation'
import { parseAsString, useQueryState } from 'nuqs'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { routes } from '#lib/shared/routes.ts'

/** The name of a sandbox of one's own, short enough for a sentence. */
export function sandboxName(id: string): string {
  return `Sandbox ${id.slice(0, 6)}`
}

/**
 * The sandbox that the lab acts on, by the URL: the id of one of its own, or null for the one that everybody shares, which all other
 * pages show. `search` is what its actions and links take; `searches` are the arguments of a read, which a page prefetches without
 * any for the shared one.
 */
export function useSandbox() {
  const environment = useEnvironment()
  const lab = routes.lab(environment)
  const pathname = usePathname()
  const [named, choose] = useQueryState('sandbox', parseAsString.withOptions({ history: 'push' }))
  const isInLab = pathname === lab || pathname.startsWith(`${lab}/`)
  const sandbox = isInLab ? named : null
  const search: { sandbox?: string } = sandbox === null ? {} : { sandbox }
  const searches: [] | [{ sandbox: string }] = sandbox === null ? [] : [{ sandbox }]
  return { sandbox, search, searches, choose }
}
