'use client'

import { useQuery } from '@tanstack/react-query'
import { useQueryState } from 'nuqs'
import { WhenRead } from '#components/environment/when-read.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { Loading, Skeleton } from '#components/ui/skeleton.tsx'
import { readQuery } from '#lib/queries/reads.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'
import { limitLineList } from './limits-params.ts'
import { LimitsWork } from './limits-work.tsx'

/** Many fixed limits at once: a file, what it would do, and the job that does it. */
export function LimitsScreen({ environment }: { environment: Environment }) {
  const [job] = useQueryState('job', limitLineList.parsers.job)
  const start = useQuery(readQuery('limitsStart', environment, job ? { job } : {}))
  return (
    <div className="grid min-w-0 gap-4">
      <PageHeader
        title="Set limits by CSV"
        breadcrumbs={[
          { label: 'Card accounts', href: routes.cardAccounts(environment) },
          { label: 'Set limits by CSV' },
        ]}
        subtitle="One line for each account. You’ll review every line before anything changes."
      />
      <WhenRead query={start} what="This page" skeleton={<FormSkeleton />}>
        {(data) => <LimitsWork key={data.job?.id ?? ''} environment={environment} start={data} />}
      </WhenRead>
    </div>
  )
}

function FormSkeleton() {
  return (
    <>
      <Loading what="the form" />
      <Skeleton className="h-72 w-full rounded-panel" />
    </>
  )
}
