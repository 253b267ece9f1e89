import { Ellipsis } from 'lucide-react'
import type { DataColumn } from '#components/data-table/data-column.ts'
import { Menu } from '#components/ui/menu.tsx'
import { StatusBadge } from '#components/ui/status-badge.tsx'
import type { Tone } from '#components/ui/tone.ts'
import { roleNames } from '#lib/console/desk/permissions.ts'
import type { StaffChange, StaffEntry } from '#lib/console/desk/shapes.ts'
import { staffChangeTable } from './staff-change-table.ts'

const states: Record<StaffEntry['state'], { label: string; tone: Tone }> = {
  active: { label: 'Active', tone: 'good' },
  invited: { label: 'Invited', tone: 'info' },
  disabled: { label: 'Disabled', tone: 'neutral' },
}

/** `onChange` opens the question of a change. */
export function staffColumns(
  ownId: string,
  onChange: (act: StaffChange, entry: StaffEntry) => void,
): DataColumn<StaffEntry>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      cell: ({ name }) => <span className="font-medium wrap-anywhere">{name}</span>,
      below: ({ email, name }) => (email === name ? null : <span className="wrap-anywhere">{email}</span>),
    },
    {
      id: 'role',
      header: 'Role',
      cell: ({ role }) => roleNames[role],
      below: ({ isRoleByClaims }) => (isRoleByClaims ? 'by group' : null),
    },
    { id: 'state', header: 'Status', cell: ({ state }) => <StatusBadge {...states[state]} /> },
    { id: 'sessions', header: 'Sessions', align: 'end', priority: 2, cell: ({ openSessions }) => openSessions },
    { id: 'passkeys', header: 'Passkeys', align: 'end', priority: 2, cell: ({ passkeys }) => passkeys },
    {
      id: 'action',
      header: 'Action',
      isHideable: false,
      align: 'end',
      cell: (entry) =>
        entry.id === ownId ? (
          <span className="text-xs text-faint">You</span>
        ) : (
          <Menu
            label={`Actions on ${entry.name}`}
            trigger={<Ellipsis />}
            variant="quiet"
            isSquare
            items={Object.entries(staffChangeTable)
              .filter(([, row]) => row.isOffered(entry))
              .map(([act, { label, tone }]) => ({
                kind: 'action' as const,
                label: `${label}…`,
                onSelect: () => onChange(act as StaffChange, entry),
                ...(tone ? { tone } : {}),
              }))}
          />
        ),
    },
  ]
}
