'use client'

import { Gauge } from 'lucide-react'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { ButtonLink } from '#components/ui/button-link.tsx'
import type { BulkJob } from '#lib/console/bulk/shapes.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'

/** Leads to the limits of many accounts, for people who may set them. */
export function LimitsLink({ environment }: { environment: Environment }) {
  const { may } = usePermissions(environment)
  if (!may.has('limits.set')) return null
  return (
    <ButtonLink href={routes.limits(environment)} prefetch={false} icon={<Gauge aria-hidden="true" />}>
      Set limits by CSV
    </ButtonLink>
  )
}

/** A job of limits that is over and left rows undone: they can be looked at again and become a new job. */
export function LeftOverLink({ job }: { job: BulkJob }) {
  const { may } = usePermissions(job.environment)
  const rows = job.counts.refused + job.counts.cancelled
  if (job.kind !== 'account.set-limit' || job.finishedAt === null || rows === 0 || !may.has('limits.set')) return null
  return (
    <ButtonLink href={routes.limits(job.environment, { job: job.id })} prefetch={false}>
      Prepare the {rows === 1 ? 'row' : `${rows.toLocaleString('en-HK')} rows`} left again
    </ButtonLink>
  )
}
