import { CircleCheck, CircleHelp, CircleX } from 'lucide-react'
import Link from 'next/link'
import type { DataColumn } from '#components/data-table/data-column.ts'
import { roleNames } from '#components/environment/role-names.ts'
import { IdText } from '#components/ui/id-text.tsx'
import { StatusBadge } from '#components/ui/status-badge.tsx'
import { Time } from '#components/ui/time.tsx'
import type { AuditEntry } from '#lib/console/audit.ts'
import { shortId } from '#lib/shared/ids.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'
import { actWord, outcomeTable } from './audit-words.ts'

const icons = { done: CircleCheck, refused: CircleX, unknown: CircleHelp }

function Outcome({ outcome }: { outcome: AuditEntry['outcome'] }) {
  const { word, tone } = outcomeTable[outcome]
  const Icon = icons[outcome]
  return <StatusBadge tone={tone} word={word} icon={<Icon aria-hidden="true" />} />
}

function Target({ environment, target }: { environment: Environment; target: AuditEntry['target'] }) {
  if (target === null) return <span className="text-faint">–</span>
  const text = target.label ?? `${target.type} ${shortId(target.id)}`
  const href = hrefOf(environment, target)
  if (href === null) return <span className="wrap-anywhere">{text}</span>
  return (
    <Link
      href={href}
      prefetch={false}
      className="wrap-anywhere underline decoration-line underline-offset-2 hover:decoration-current"
    >
      {text}
    </Link>
  )
}

/** Where a target is shown; null where no page is its own. */
function hrefOf(environment: Environment, { type, id, parentId }: NonNullable<AuditEntry['target']>): string | null {
  if (type === 'card' && parentId) return routes.card(environment, parentId, id)
  if (type === 'cardaccount') return routes.cardAccount(environment, id)
  if (type === 'bulk-job') return routes.bulkJob(environment, id)
  return null
}

function Why({ entry }: { entry: AuditEntry }) {
  const { reason, comment } = entry
  const text = [reason && reason !== 'other' ? reason.replaceAll('-', ' ') : null, comment && `“${comment}”`]
  const why = text.filter(Boolean).join(', ')
  return why === '' ? null : <span className="line-clamp-2 max-w-72 wrap-anywhere">{why}</span>
}

const nameOf = (by: AuditEntry['by']) => by?.name ?? 'The console'

export function auditColumns(environment: Environment): DataColumn<AuditEntry>[] {
  return [
    {
      id: 'at',
      header: 'When',
      cell: ({ at }) => <Time instant={at} format="exact" className="text-soft" />,
      below: ({ number, by }) => (
        <>
          entry {number}
          {/* Where there is no room for the column that says who. */}
          <span className="@min-[40rem]:hidden"> · {nameOf(by)}</span>
        </>
      ),
    },
    {
      id: 'by',
      header: 'Who',
      priority: 2,
      cell: ({ by }) => <span className="inline-block min-w-22 font-medium wrap-anywhere">{nameOf(by)}</span>,
      below: ({ by }) => by && roleNames[by.role],
    },
    {
      id: 'act',
      header: 'What',
      cell: ({ act }) => actWord(act),
      below: (entry) => <Why entry={entry} />,
    },
    {
      id: 'target',
      header: 'On',
      priority: 2,
      cell: ({ target }) => <Target environment={environment} target={target} />,
    },
    {
      id: 'outcome',
      header: 'Outcome',
      cell: ({ outcome }) => <Outcome outcome={outcome} />,
      below: ({ code }) => code && <span className="font-mono">{code}</span>,
    },
    {
      id: 'request',
      header: 'Request',
      priority: 3,
      cell: ({ requestId }) => <IdText id={requestId} label="request id" />,
    },
    {
      id: 'hash',
      header: 'Chain',
      priority: 4,
      cell: ({ hash }) => <IdText id={hash} label="hash of the entry" />,
    },
  ]
}
