'use client'

import { UserPlus, Ellipsis } from 'lucide-react'
import type { DataColumn } from '#components/data-table/data-column.ts'
import { DataTable } from '#components/data-table/data-table.tsx'
import { useRead } from '#components/environment/use-environment.ts'
import { WhenRead } from '#components/environment/when-read.tsx'
import { StatusBadge } from '#components/ui/badge.tsx'
import { Button } from '#components/ui/button.tsx'
import { useOpened } from '#components/ui/dialog.tsx'
import { Menu } from '#components/ui/menu.tsx'
import { Page } from '#components/ui/page.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Time } from '#components/ui/time.tsx'
import type { Tone } from '#components/ui/tone.ts'
import { roleNames } from '#lib/auth/permissions.ts'
import type { StaffChange, StaffEntry } from '#lib/console/staff/types.ts'
import { InviteDialog, StaffChangeDialog, staffChangeTable } from './staff-dialogs.tsx'

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
      below: ({ email, name, role }) => (
        <>
          {email !== name && <span className="wrap-anywhere">{email}</span>}
          <span className="block @min-[40rem]:hidden">{roleNames[role]}</span>
        </>
      ),
    },
    {
      id: 'role',
      header: 'Role',
      priority: 2,
      cell: ({ role }) => roleNames[role],
      below: ({ isRoleByClaims }) => (isRoleByClaims ? 'by group' : null),
    },
    { id: 'state', header: 'Status', cell: ({ state }) => <StatusBadge {...states[state]} /> },
    {
      id: 'last-sign-in',
      header: 'Last sign-in',
      priority: 2,
      cell: ({ lastSignInAt }) => <Time instant={lastSignInAt} className="text-soft" missing="Never" />,
    },
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

/** Who may sign in, and with which role. */
export function StaffScreen() {
  const query = useRead('listStaff')
  const invitation = useOpened()
  const change = useOpened<{ act: StaffChange; entry: StaffEntry }>()
  const canInvite = query.data?.canInvite ?? true
  return (
    <Page
      title="Staff"
      above={[{ label: 'Settings' }]}
      subtitle="Who can sign in, and with which role"
      actions={
        <Button
          variant="primary"
          icon={<UserPlus />}
          unavailable={canInvite ? undefined : 'A demo has these people only.'}
          onClick={() => invitation.open({})}
        >
          Invite person…
        </Button>
      }
    >
      <WhenRead query={query} what="The staff" blocks={['h-72']}>
        {({ staff, ownId }) => (
          <Panel isFlush>
            <DataTable
              tableId="staff"
              caption="Staff"
              columns={staffColumns(ownId, (act, entry) => change.open({ act, entry }))}
              rows={staff}
              rowId={({ id }) => id}
              empty={{ title: 'No staff yet', body: 'Invite the first person.' }}
              isBare
            />
          </Panel>
        )}
      </WhenRead>
      {invitation.opened && <InviteDialog key={invitation.opened.operationId} {...invitation.opened} />}
      {change.opened && <StaffChangeDialog key={change.opened.operationId} {...change.opened} />}
    </Page>
  )
}
