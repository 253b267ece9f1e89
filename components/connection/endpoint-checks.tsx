import { IdText } from '#components/ui/id-text.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { StatusBadge } from '#components/ui/status-badge.tsx'
import type { CheckReport, EndpointCheck } from '#lib/console/connection/shapes.ts'
import { counted, verdictTexts } from './connection-text.ts'

/** Each read endpoint with its verdict, status and duration, and what differs. */
export function EndpointChecks({ report: { endpoints } }: { report: CheckReport }) {
  const called = endpoints.filter(({ verdict }) => verdict !== 'not called')
  const matching = called.filter(({ verdict }) => verdict === 'matches').length
  return (
    <Panel title="Read endpoints" note={`${matching} of ${called.length} match`} isFlush>
      <ul className="divide-y">
        {endpoints.map((check) => (
          <EndpointRow key={check.name} check={check} />
        ))}
      </ul>
    </Panel>
  )
}

function EndpointRow({ check }: { check: EndpointCheck }) {
  const { endpoint, verdict, status, code, durationMs, records, reason, requestId, differences, unknownFields } = check
  const { label, tone } = verdictTexts[verdict]
  // The reason describes the response as a whole.
  const inner = reason === null ? differences : differences.filter(({ path }) => path !== '')
  const isNotable = verdict !== 'matches' && verdict !== 'not called'
  const facts = [
    [status, code].filter(Boolean).join(' '),
    durationMs !== null && `${durationMs} ms`,
    records > 0 && counted(records, 'record'),
  ].filter(Boolean)
  return (
    <li className="grid gap-1 px-4 py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-0 font-mono text-[0.92em] break-all sm:w-72">{endpoint}</span>
        <StatusBadge tone={tone} label={label} />
        <span className="ml-auto text-soft tabular-nums">{facts.join(' · ')}</span>
      </div>
      {reason !== null && (
        <p className="text-xs text-soft wrap-anywhere">
          {reason}
          {isNotable && requestId !== null && <IdText id={requestId} label="request id" className="ml-1" />}
        </p>
      )}
      {inner.length > 0 && (
        <details>
          <summary className="w-fit cursor-pointer rounded-chip text-warn">
            {counted(inner.length, 'difference')}
          </summary>
          <ul className="mt-1 grid gap-0.5 pl-4">
            {inner.map(({ path, expected, found }) => (
              <li key={`${path}${expected}${found}`} className="wrap-anywhere">
                <span className="font-mono text-[0.92em]">{path || 'the response'}</span>
                <span className="text-soft">
                  {' '}
                  expected {expected}, found {found}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {unknownFields.length > 0 && (
        <details>
          <summary className="w-fit cursor-pointer rounded-chip text-soft">
            {counted(unknownFields.length, 'unknown field')}
          </summary>
          <p className="mt-1 pl-4 font-mono text-[0.92em] wrap-anywhere">{unknownFields.join(', ')}</p>
        </details>
      )}
    </li>
  )
}
