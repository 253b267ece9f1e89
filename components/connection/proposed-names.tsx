import { CopyButton } from '#components/ui/id-text.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { CheckReport } from '#lib/console/connection/shapes.ts'

/** The lines that make the names of this service known, and what a person has to fill in. */
export function ProposedNames({ report }: { report: CheckReport }) {
  const part = report.names
  const open = report.proposals.filter(({ value }) => value === null)
  if (!part && open.length === 0) return null
  const json = JSON.stringify(part, null, 2)
  return (
    <Panel
      title="Lines for carddesk.service.json"
      note="Add them, restart Carddesk and check again."
      {...(part ? { actions: <CopyButton text={json} label="lines" /> } : {})}
    >
      {part && (
        <pre className="rounded-control border bg-canvas p-3 font-mono text-xs whitespace-pre-wrap wrap-anywhere">
          {json}
        </pre>
      )}
      {open.length > 0 && (
        <ul className="mt-3 grid gap-1">
          {open.map(({ at, reason }) => (
            <li key={at.join('.')} className="wrap-anywhere">
              <span className="font-mono text-[0.92em]">{[report.environment, ...at].join('.')}</span>
              <span className="text-soft"> {reason}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
