import type { DataColumn } from '#components/data-table/data-column.ts'
import { Button } from '#components/ui/button.tsx'
import { StatusBadge } from '#components/ui/status-badge.tsx'
import { Time } from '#components/ui/time.tsx'
import type { EmbedKey } from '#lib/console/embed/shapes.ts'

/** The columns of the keys; `onRevoke` opens the question. */
export function keyColumns(onRevoke: (key: EmbedKey) => void): DataColumn<EmbedKey>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      cell: ({ name }) => <span className="font-medium wrap-anywhere">{name}</span>,
      below: ({ ending }) => <span className="font-mono">…{ending}</span>,
    },
    {
      id: 'status',
      header: 'Status',
      cell: ({ revokedAt }) =>
        revokedAt === null ? <StatusBadge tone="good" label="Active" /> : <StatusBadge label="Revoked" />,
    },
    {
      id: 'used',
      header: 'Last used',
      priority: 2,
      cell: ({ lastUsedAt }) =>
        lastUsedAt === null ? (
          <span className="text-faint">Never</span>
        ) : (
          <Time instant={lastUsedAt} format="date-time" />
        ),
    },
    {
      id: 'created',
      header: 'Created',
      priority: 3,
      cell: ({ createdAt }) => <Time instant={createdAt} format="date-time" />,
      below: ({ createdBy }) => `by ${createdBy}`,
    },
    {
      id: 'revoke',
      header: 'Action',
      isHideable: false,
      align: 'end',
      cell: (key) =>
        key.revokedAt === null ? (
          <Button size="small" variant="danger-quiet" onClick={() => onRevoke(key)}>
            <span>
              Revoke<span className="sr-only"> {key.name}</span>
            </span>
          </Button>
        ) : (
          <span className="text-xs text-faint">by {key.revokedBy}</span>
        ),
    },
  ]
}
