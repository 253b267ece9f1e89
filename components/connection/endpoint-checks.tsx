import type { ReactNode } from 'react'
import { StatusBadge } from '#components/ui/badge.tsx'
import { formatCount } from '#components/ui/count.ts'
import { Disclosure } from '#components/ui/disclosure.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { CheckReport, EndpointCheck, DecisionCheck } from '#lib/console/connection/types.ts'
import { verdictTexts, decisionTexts } from './connection-text.ts'

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
  const isNotable = verdict !== 'matches' && verdict !== 'no records' && verdict !== 'not called'
  const facts = [
    [status, code].filter(Boolean).join(' '),
    durationMs !== null && `${durationMs} ms`,
    records > 0 && formatCount(records, 'record'),
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
          {isNotable && requestId !== null && <IdText id={requestId} label="request ID" className="ml-1" />}
        </p>
      )}
      {inner.length > 0 && (
        <Disclosure title={formatCount(inner.length, 'difference')} tone="warn">
          <ul className="grid gap-0.5 pl-4">
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
        </Disclosure>
      )}
      {unknownFields.length > 0 && (
        <Disclosure title={formatCount(unknownFields.length, 'unknown field')}>
          <p className="pl-4 font-mono text-[0.92em] wrap-anywhere">{unknownFields.join(', ')}</p>
        </Disclosure>
      )}
    </li>
  )
}

const groups = ['contradicted', 'confirmed', 'open'] as const

/** The documented assumptions about a service, by what the check says of them. */
export function DecisionChecks({ report: { decisions } }: { report: CheckReport }) {
  return (
    <Panel title="Documented assumptions" note={`${decisions.length} in all`} isFlush>
      <div className="divide-y">
        {groups.map((verdict) => (
          <Group
            key={verdict}
            verdict={verdict}
            decisions={decisions.filter((decision) => decision.verdict === verdict)}
          />
        ))}
      </div>
    </Panel>
  )
}

/** Text with its parts between backticks as code. */
function withCode(text: string): ReactNode[] {
  return text.split('`').map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      <code key={`${part}${at}`} className="font-mono text-[0.92em]">
        {part}
      </code>
    ),
  )
}

function Group({ verdict, decisions }: { verdict: DecisionCheck['verdict']; decisions: readonly DecisionCheck[] }) {
  const { label, tone } = decisionTexts[verdict]
  const head = (
    <span className="inline-flex items-center gap-2">
      <StatusBadge tone={decisions.length === 0 ? 'neutral' : tone} label={label} />
      <span className="tabular-nums">{decisions.length}</span>
    </span>
  )
  if (decisions.length === 0) return <p className="px-4 py-2.5 text-soft">{head}</p>
  return (
    <div className="px-4 py-2.5">
      <Disclosure title={head} tone="ink" isOpen={verdict === 'contradicted'}>
        <ul className="grid gap-x-6 gap-y-2 lg:grid-cols-2">
          {decisions.map(({ id, topic, about, decision, note }) => (
            <li key={id} className="min-w-0 wrap-anywhere">
              <p>
                <span className="text-faint">{topic} · </span>
                <span className="font-medium">{about}</span>
              </p>
              <p className="text-soft">{withCode(decision)}</p>
              {note !== null && <p className="text-xs text-soft">{note}</p>}
            </li>
          ))}
        </ul>
      </Disclosure>
    </div>
  )
}
