'use client'

import { clsx } from 'clsx'
import { Search } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useReplayPreHydrationInput } from '#components/form/early-entry.ts'
import { MethodLabel } from '#components/requests/exchange-parts.tsx'
import type { EndpointSummary } from '#lib/qa/lab/types.ts'

/** The names of resources by the first segment of their paths, in the order of the list. */
const resourceNames: Readonly<Record<string, string>> = {
  cardaccounts: 'Card accounts',
  cards: 'Cards',
  fees: 'Fees',
  payouts: 'Payouts',
  accounts: 'Funding accounts',
  rates: 'Rates',
  banks: 'Banks',
  xmetadata: 'References',
  webhooks: 'Webhooks',
  ping: 'Service',
}

type Group = { name: string; endpoints: EndpointSummary[] }

/** Groups the endpoints that match a search by resource. */
export function endpointGroups(endpoints: readonly EndpointSummary[], search: string): Group[] {
  const parts = search.toLowerCase().split(/\s+/).filter(Boolean)
  const matching = endpoints.filter(({ name, method, path, summary }) => {
    const text = `${name} ${method} ${path} ${summary}`.toLowerCase()
    return parts.every((part) => text.includes(part))
  })
  const resourceName = ({ path }: EndpointSummary) => path.split('/')[1] ?? ''
  const resources = new Set([...Object.keys(resourceNames), ...endpoints.map(resourceName)])
  return [...resources].flatMap((resource) => {
    const found = matching.filter((endpoint) => resourceName(endpoint) === resource)
    return found.length > 0 ? [{ name: resourceNames[resource] ?? resource, endpoints: found }] : []
  })
}

/** Lists every endpoint of the contract, with a search. */
export function EndpointList({
  endpoints,
  chosen,
  onChoose,
}: {
  endpoints: readonly EndpointSummary[]
  chosen: string | null
  onChoose: (name: string) => void
}) {
  const [search, setSearch] = useState('')
  const earlyEntry = useReplayPreHydrationInput()
  const groups = useMemo(() => endpointGroups(endpoints, search), [endpoints, search])
  const count = groups.reduce((sum, group) => sum + group.endpoints.length, 0)
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="relative border-b p-2">
        <Search aria-hidden="true" className="pointer-events-none absolute top-4 left-4.5 size-4 text-faint" />
        <input
          ref={earlyEntry}
          type="search"
          aria-label="Search endpoints"
          placeholder="Search endpoints"
          autoComplete="off"
          spellCheck={false}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          className="h-8 w-full rounded-control border border-edge/70 bg-surface pr-2 pl-8.5 shadow-control hover:border-edge pointer-large"
        />
        <output className="sr-only">{search === '' ? '' : `${count} endpoints`}</output>
      </div>
      <nav aria-label="Endpoints" className="min-h-0 flex-1 overflow-y-auto py-2">
        {count === 0 && <p className="px-3 py-2 text-soft">No endpoint matches this search.</p>}
        {groups.map((group) => (
          <div key={group.name} className="mb-2">
            <h2 className="px-3 py-1 text-xs text-faint">{group.name}</h2>
            <ul aria-label={group.name}>
              {group.endpoints.map((endpoint) => (
                <li key={endpoint.name}>
                  <button
                    type="button"
                    title={endpoint.summary}
                    aria-current={endpoint.name === chosen ? 'true' : undefined}
                    onClick={() => onChoose(endpoint.name)}
                    className={clsx(
                      'flex min-h-7 w-full items-baseline gap-2 px-3 py-1 text-left font-mono text-xs pointer-large',
                      endpoint.name === chosen ? 'bg-accent-wash text-accent' : 'hover:bg-hover',
                    )}
                  >
                    <MethodLabel method={endpoint.method} />
                    <span className="min-w-0 wrap-anywhere">{endpoint.path}</span>
                  </button>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
    </div>
  )
}
