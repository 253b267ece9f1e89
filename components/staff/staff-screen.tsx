'use client'

import { useQuery } from '@tanstack/react-query'
import { UserPlus, Ellipsis } from 'lucide-react'
import { useState } from 'react'
import type { DataColumn } from '#components/data-table/data-column.ts'
import { DataTable } from '#components/data-table/data-table.tsx'
import { WhenRead } from '#components/environment/when-read.tsx'
import { Button } from '#components/ui/button.tsx'
import { Menu } from '#components/ui/menu.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Loading, Skeleton } from '#components/ui/skeleton.tsx'
import { StatusBadge } from '#components/ui/status-badge.tsx'
import type { Tone } from '#components/ui/tone.ts'
import { roleNames } from '#lib/console/desk/permissions.ts'
import type { StaffChange, StaffEntry } from '#lib/console/desk/shapes.ts'
import { readQuery } from '#lib/queries/reads.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { staffChangeTable } from './staff-change-table.ts'
import { InviteDialog, StaffChangeDialog } from './staff-dialogs.tsx'

const states: Record<StaffEntry['state'], { label: string; tone: Tone }> = {
  active: { label: 'Active', tone: 'good' },
  invited: { label: 'Invited', tone: 'info' },
  disabled: { label: 'Disabled', tone: 'neutral' },
}

/** `onChange` opens the question of a change. */
function staffColumns(
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

type Opened = { times: number; isOpen: boolean }

/** Who may sign in, and with which role. */
export function StaffScreen({ environment }: { environment: Environment }) {
  const query = useQuery(readQuery('listStaff', environment))
  const [invitation, setInvitation] = useState<Opened>({ times: 0, isOpen: false })
  const [change, setChange] = useState<(Opened & { act: StaffChange; entry: StaffEntry }) | null>(null)
  const canInvite = query.data?.canInvite ?? true
  return (
    <div className="grid min-w-0 gap-5">
      <PageHeader
        title="Staff"
        breadcrumbs={[{ label: 'Settings' }, { label: 'Staff' }]}
        subtitle="Who can sign in, and with which role"
        actions={
          <Button
            variant="primary"
            icon={<UserPlus />}
            {...(canInvite ? {} : { unavailable: 'A demo has these people only.' })}
            onClick={() => setInvitation(({ times }) => ({ times: times + 1, isOpen: true }))}
          >
            Invite person…
          </Button>
        }
      />
      <WhenRead query={query} what="The staff" skeleton={<StaffSkeleton />}>
        {({ staff, ownId }) => (
          <Panel isFlush>
            <DataTable
              tableId="staff"
              caption="Staff"
              columns={staffColumns(ownId, (act, entry) =>
                setChange((last) => ({ times: (last?.times ?? 0) + 1, isOpen: true, act, entry })),
              )}
              rows={staff}
              rowId={({ id }) => id}
              empty={{ title: 'No staff yet', body: 'Invite the first person.' }}
              isBare
            />
          </Panel>
        )}
      </WhenRead>
      {invitation.times > 0 && (
        <InviteDialog
          key={`invitation ${invitation.times}`}
          environment={environment}
          isOpen={invitation.isOpen}
          onClose={() => setInvitation((last) => ({ ...last, isOpen: false }))}
        />
      )}
      {change && (
        <StaffChangeDialog
          key={`change ${change.times}`}
          environment={environment}
          act={change.act}
          entry={change.entry}
          isOpen={change.isOpen}
          onClose={() => setChange((last) => last && { ...last, isOpen: false })}
        />
      )}
    </div>
  )
}

function StaffSkeleton() {
  return (
    <>
      <Loading what="the staff" />
      <Skeleton className="h-72 w-full rounded-panel" />
    </>
  )
}
