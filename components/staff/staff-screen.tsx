'use client'

import { useQuery } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { DataTable } from '#components/data-table/data-table.tsx'
import { WhenRead } from '#components/environment/when-read.tsx'
import { Button } from '#components/ui/button.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Loading, Skeleton } from '#components/ui/skeleton.tsx'
import type { StaffChange, StaffEntry } from '#lib/console/desk/shapes.ts'
import { readQuery } from '#lib/queries/reads.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { staffColumns } from './staff-columns.tsx'
import { InviteDialog, StaffChangeDialog } from './staff-dialogs.tsx'

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
            {...(canInvite ? {} : { unavailable: 'A demo has these six people only.' })}
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
