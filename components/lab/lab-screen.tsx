'use client'

import { useQuery } from '@tanstack/react-query'
import { WhenRead } from '#components/environment/when-read.tsx'
import { Loading, Skeleton } from '#components/ui/skeleton.tsx'
import { readQuery } from '#lib/queries/reads.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { ClockPanel } from './clock-panel.tsx'
import { FaultPanel } from './fault-panel.tsx'
import { LabFrame } from './lab-frame.tsx'
import { SimulatePanel } from './simulate-panel.tsx'
import { SnapshotPanel } from './snapshot-panel.tsx'

/** The sandbox: its clock, faults, simulators and snapshots. */
export function LabScreen({ environment }: { environment: Environment }) {
  const details = useQuery(readQuery('readLabDetails', environment))
  return (
    <LabFrame environment={environment}>
      <WhenRead query={details} what="The sandbox" skeleton={<LabSkeleton />}>
        {(found) => (
          <div className="grid min-w-0 items-start gap-5 xl:grid-cols-2">
            <div className="grid min-w-0 gap-5">
              <SimulatePanel environment={environment} />
              <SnapshotPanel environment={environment} details={found} />
            </div>
            <div className="grid min-w-0 gap-5">
              <ClockPanel environment={environment} details={found} />
              <FaultPanel environment={environment} />
            </div>
          </div>
        )}
      </WhenRead>
    </LabFrame>
  )
}

function LabSkeleton() {
  return (
    <div className="grid gap-5 xl:grid-cols-2">
      <Loading what="the sandbox" />
      <Skeleton className="h-72 w-full rounded-panel" />
      <Skeleton className="h-72 w-full rounded-panel" />
    </div>
  )
}
