'use client'

import { useQuery } from '@tanstack/react-query'
import { CoverageText } from '#components/environment/as-of.tsx'
import { ServiceHealthPanel } from '#components/environment/service-health-panel.tsx'
import { WhenRead } from '#components/environment/when-read.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { Loading, Skeleton } from '#components/ui/skeleton.tsx'
import { readQuery } from '#lib/queries/reads.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { AttentionList } from './attention-list.tsx'
import { CardsByStatus } from './cards-by-status.tsx'
import { ProgramTotals } from './program-totals.tsx'

/** How often the figures are read: while the console still reads the accounts, and afterwards. */
const [whileReadingMs, refetchMs] = [2_000, 15_000]

export function OverviewScreen({ environment }: { environment: Environment }) {
  const overview = useQuery({
    ...readQuery('readOverview', environment),
    refetchInterval: ({ state }) => (state.data?.coverage.isComplete === false ? whileReadingMs : refetchMs),
  })
  const { data } = overview
  return (
    <div className="grid min-w-0 gap-5">
      <PageHeader
        title="Overview"
        breadcrumbs={[{ label: 'Overview' }]}
        subtitle={
          data && <CoverageText coverage={data.coverage} lead={data.coverage.isComplete ? 'All card accounts, ' : ''} />
        }
      />
      <WhenRead query={overview} what="The overview" skeleton={<OverviewSkeleton />}>
        {(read) => (
          <>
            <ProgramTotals environment={environment} overview={read} />
            <div className="grid min-w-0 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_minmax(14rem,22rem)]">
              <div className="grid min-w-0 gap-5">
                <AttentionList environment={environment} items={read.attention} />
                <ServiceHealthPanel environment={environment} health={read.health} />
              </div>
              <CardsByStatus
                environment={environment}
                cardsByStatus={read.cardsByStatus}
                excluded={read.cardsExcluded}
              />
            </div>
          </>
        )}
      </WhenRead>
    </div>
  )
}

function OverviewSkeleton() {
  return (
    <>
      <Loading what="the overview" />
      <Skeleton className="h-44 w-full rounded-panel" />
      <div className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_minmax(14rem,22rem)]">
        <Skeleton className="h-80 w-full rounded-panel" />
        <Skeleton className="h-80 w-full rounded-panel" />
      </div>
    </>
  )
}
