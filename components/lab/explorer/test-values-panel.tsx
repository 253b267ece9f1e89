import { Panel } from '#components/ui/panel.tsx'
import type { TestValue } from '#lib/contract/test-values.ts'

/** Values with which the built-in service does something that is worth a test. */
export function TestValuesPanel({
  values,
  onChoose,
}: {
  values: readonly TestValue[]
  onChoose?: (endpoint: string) => void
}) {
  if (values.length === 0) return null
  return (
    <Panel title="Test values" isFlush>
      <ul className="divide-y">
        {values.map(({ endpoint, field, value, result }) => (
          <li
            key={`${endpoint} ${field} ${value}`}
            className="grid gap-x-4 gap-y-0.5 px-4 py-2 sm:grid-cols-[minmax(0,14rem)_minmax(0,1fr)_minmax(0,1fr)]"
          >
            <span className="font-mono text-xs wrap-anywhere">
              {onChoose && (
                <button
                  type="button"
                  className="rounded-chip underline decoration-line underline-offset-2 hover:decoration-current"
                  onClick={() => onChoose(endpoint)}
                >
                  {endpoint}
                </button>
              )}
              <span className={onChoose ? 'block text-soft' : undefined}>{field}</span>
            </span>
            <span className="wrap-anywhere">{value}</span>
            <span className="text-soft wrap-anywhere">{result}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
