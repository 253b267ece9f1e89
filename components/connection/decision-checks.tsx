import type { ReactNode } from 'react'
import { Panel } from '#components/ui/panel.tsx'
import { StatusBadge } from '#components/ui/status-badge.tsx'
import type { CheckReport, DecisionCheck } from '#lib/console/connection/shapes.ts'
import { decisionTexts } from './connection-text.ts'

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
    <details open={verdict === 'contradicted'} className="px-4 py-2.5">
      <summary className="w-fit cursor-pointer rounded-chip">{head}</summary>
      <ul className="mt-2 grid gap-x-6 gap-y-2 lg:grid-cols-2">
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
    </details>
  )
}
