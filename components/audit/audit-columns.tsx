import type { DataColumn } from '#components/data-table/data-column.ts'
import { StatusBadge } from '#components/ui/badge.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { Time } from '#components/ui/time.tsx'
import type { AuditEntry } from '#lib/console/desk/shapes.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { actorName, actorRole, actLabel, whyText, outcomeTable } from './audit-labels.ts'
import { AuditLimit, AuditTarget, AuditTargetDetail } from './audit-object.tsx'

/** Only where there is no room for the columns of their own. */
const narrowOnly = '@min-[40rem]:hidden'

export function auditColumns(environment: Environment): DataColumn<AuditEntry>[] {
  return [
    {
      id: 'at',
      header: 'Time',
      cell: ({ at }) => <Time instant={at} format="exact" className="text-soft" />,
      below: ({ number, by, outcome, code }) => (
        <>
          entry {number}
          <span className={narrowOnly}> · {actorName(by)}</span>
          <span className={`flex flex-wrap items-center gap-1 pb-1 ${narrowOnly}`}>
            <StatusBadge {...outcomeTable[outcome]} />
            <Code code={code} />
          </span>
        </>
      ),
    },
    {
      id: 'by',
      header: 'User',
      priority: 2,
      cell: ({ by }) => <span className="inline-block min-w-22 font-medium wrap-anywhere">{actorName(by)}</span>,
      below: ({ by }) => by && actorRole(by),
    },
    {
      id: 'act',
      header: 'Action',
      cell: (entry) => <What environment={environment} entry={entry} />,
      below: (entry) => <Why entry={entry} />,
    },
    {
      id: 'target',
      header: 'Object',
      priority: 2,
      cell: (entry) => <AuditTarget environment={environment} entry={entry} />,
      below: (entry) => <AuditTargetDetail entry={entry} />,
    },
    {
      id: 'outcome',
      header: 'Result',
      priority: 2,
      cell: ({ outcome }) => <StatusBadge {...outcomeTable[outcome]} />,
      below: ({ code }) => code && <Code code={code} />,
    },
    {
      id: 'request',
      header: 'Request',
      priority: 3,
      cell: ({ requestId }) => <IdText id={requestId} label="request ID" />,
    },
  ]
}

function What({ environment, entry }: { environment: Environment; entry: AuditEntry }) {
  const { act, target, facts } = entry
  return (
    <span className="block max-w-72 py-0.5">
      {actLabel(act)}
      {target && (
        <span className={`block ${narrowOnly}`}>
          <AuditTarget environment={environment} entry={entry} />
          <span className="block text-2xs text-faint">
            <AuditTargetDetail entry={entry} />
          </span>
        </span>
      )}
      {facts.limit && (
        <span className="block text-xs">
          <AuditLimit limit={facts.limit} />
        </span>
      )}
    </span>
  )
}

function Code({ code }: { code: string | null }) {
  return code === null ? null : <span className="font-mono wrap-anywhere">{code}</span>
}

function Why({ entry }: { entry: AuditEntry }) {
  const why = whyText(entry)
  return why === '' ? null : <span className="line-clamp-2 max-w-72 wrap-anywhere">{why}</span>
}
