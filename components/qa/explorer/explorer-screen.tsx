'use client'

import { ChevronDown, FlaskConical, History } from 'lucide-react'
import { useQueryStates } from 'nuqs'
import { useState } from 'react'
import { useRead } from '#components/environment/use-environment.ts'
import { WhenRead } from '#components/environment/when-read.tsx'
import { Button } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Popover } from '#components/ui/popover.tsx'
import { quietLink } from '#components/ui/text-link.tsx'
import type { TestValue } from '#lib/contract/test-values.ts'
import type { Explorer, EndpointSummary } from '#lib/qa/lab/types.ts'
import { LabFrame } from '../lab-frame.tsx'
import { useSandbox } from '../use-sandbox.ts'
import type { Prefill } from './draft.ts'
import { EndpointList } from './endpoint-list.tsx'
import { explorerParams } from './explorer-params.ts'
import { RecentRequests } from './recent-requests.tsx'
import { RequestEditor } from './request-editor.tsx'

/** Requests any endpoint of the service from a form. */
export function ExplorerScreen() {
  const { searches } = useSandbox()
  const explorer = useRead('readExplorer', ...searches)
  const [{ view, endpoint }, setParams] = useQueryStates(explorerParams, { history: 'push' })
  // The request that fills the form. `count` is part of the form's key, so that each request starts a new form.
  const [given, setGiven] = useState<{ endpoint: string; prefill: Prefill; count: number } | null>(null)
  const choose = (name: string) => {
    setGiven(null)
    void setParams({ endpoint: name, view: null })
  }
  const open = (name: string, prefill: Prefill) => {
    setGiven((before) => ({ endpoint: name, prefill, count: (before?.count ?? 0) + 1 }))
    void setParams({ endpoint: name, view: null, method: null, failed: null, open: null })
  }
  const actions =
    view === 'requests' ? (
      <Button icon={<FlaskConical />} onClick={() => void setParams({ view: null, method: null, failed: null })}>
        Back to explorer
      </Button>
    ) : (
      <Button icon={<History />} onClick={() => void setParams({ view: 'requests' })}>
        Recent requests
      </Button>
    )
  return (
    <LabFrame actions={actions}>
      {view === 'requests' ? (
        <RecentRequests onOpen={open} />
      ) : (
        <WhenRead query={explorer} what="The endpoints" blocks={['h-96']}>
          {(found) => (
            <div className="grid min-w-0 items-start gap-4 lg:grid-cols-[17rem_minmax(0,1fr)]">
              <EndpointChooser explorer={found} chosen={endpoint} onChoose={choose} />
              {endpoint === null ? (
                <Welcome explorer={found} onChoose={choose} />
              ) : (
                <Endpoint
                  key={`${endpoint} ${given?.count ?? 0}`}
                  explorer={found}
                  name={endpoint}
                  prefill={given?.endpoint === endpoint ? given.prefill : null}
                />
              )}
            </div>
          )}
        </WhenRead>
      )}
    </LabFrame>
  )
}

/** The list of endpoints: beside the form where there is room, otherwise behind a button. */
function EndpointChooser({
  explorer: { endpoints },
  chosen,
  onChoose,
}: {
  explorer: Explorer
  chosen: string | null
  onChoose: (name: string) => void
}) {
  const current = endpoints.find(({ name }) => name === chosen)
  return (
    <>
      <div className="lg:hidden">
        <Popover
          label="Choose an endpoint"
          trigger={
            <>
              <span className="truncate">{current ? `${current.method} ${current.path}` : 'Choose an endpoint'}</span>
              <ChevronDown />
            </>
          }
          triggerClassName="max-w-full"
          className="w-[min(22rem,calc(100vw-2rem))] !p-0"
        >
          {(close) => (
            <EndpointList
              endpoints={endpoints}
              chosen={chosen}
              onChoose={(name) => {
                close()
                onChoose(name)
              }}
            />
          )}
        </Popover>
      </div>
      <div className="sticky top-[calc(var(--band-height)+var(--header-height)+1rem)] hidden max-h-[calc(100dvh-var(--header-height)-3rem)] min-w-0 flex-col overflow-clip rounded-panel border bg-surface lg:flex">
        <EndpointList endpoints={endpoints} chosen={chosen} onChoose={onChoose} />
      </div>
    </>
  )
}

function Welcome({ explorer, onChoose }: { explorer: Explorer; onChoose: (name: string) => void }) {
  return (
    <div className="grid min-w-0 gap-4">
      <Panel>
        <EmptyState title="Choose an endpoint" icon={<FlaskConical strokeWidth={1.5} />}>
          {explorer.signings.includes('expired')
            ? 'Requests are signed and sent to'
            : 'Requests have the access key and are sent to'}{' '}
          <span className="font-mono text-xs wrap-anywhere">{explorer.baseUrl}</span>
        </EmptyState>
      </Panel>
      <TestValuesPanel values={explorer.testValues} endpoints={explorer.endpoints} onChoose={onChoose} />
    </div>
  )
}

function Endpoint({ explorer, name, prefill }: { explorer: Explorer; name: string; prefill: Prefill | null }) {
  const endpoint = useRead('readExplorerEndpoint', name)
  const values = explorer.testValues.filter((value) => value.endpoint === name)
  return (
    <WhenRead query={endpoint} what="The endpoint" blocks={['h-96']}>
      {(found) => (
        <div className="grid min-w-0 gap-4">
          <RequestEditor explorer={explorer} endpoint={found} prefill={prefill} />
          <TestValuesPanel values={values} />
        </div>
      )}
    </WhenRead>
  )
}

/** Values that make the built-in service behave in a way worth testing. With `endpoints`, each value names its endpoint. */
function TestValuesPanel({
  values,
  endpoints = [],
  onChoose,
}: {
  values: readonly TestValue[]
  endpoints?: readonly EndpointSummary[]
  onChoose?: (endpoint: string) => void
}) {
  if (values.length === 0) return null
  return (
    <Panel title="Test values" isFlush>
      <ul className="@container divide-y">
        {values.map(({ endpoint, field, value, result }) => {
          const known = endpoints.find(({ name }) => name === endpoint)
          return (
            <li
              key={`${endpoint} ${field} ${value}`}
              className="grid gap-x-4 gap-y-0.5 px-4 py-2 @xl:grid-cols-[minmax(0,14rem)_minmax(0,1fr)_minmax(0,1fr)]"
            >
              <span className="font-mono text-xs wrap-anywhere">
                {known && (
                  <button type="button" className={`text-left ${quietLink}`} onClick={() => onChoose?.(endpoint)}>
                    {known.method} {known.path}
                  </button>
                )}
                <span className={known ? 'block text-soft' : undefined}>{field}</span>
              </span>
              <span className="wrap-anywhere">{value}</span>
              <span className="text-soft wrap-anywhere">{result}</span>
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}
