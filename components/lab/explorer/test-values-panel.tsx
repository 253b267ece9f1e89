import { quietLink } from '#components/ui/link-style.ts'
import { Panel } from '#components/ui/panel.tsx'
import type { EndpointSummary } from '#lib/console/lab/shapes.ts'
import type { TestValue } from '#lib/contract/test-values.ts'

/** Values with which the built-in service does something that is worth a test; with the endpoints, each by its own. */
export function TestValuesPanel({
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
