import { HydrationBoundary } from '@tanstack/react-query'
import { auditList } from '#components/audit/audit-params.ts'
import { AuditScreen } from '#components/audit/audit-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { environmentOf, openDefaultView, prefetch, read, searchOf } from '../prefetch.ts'

export const metadata = { title: 'Audit' }

export default async function AuditPage({ params, searchParams }: PageProps<'/[environment]/audit'>) {
  const environment = environmentOf((await params).environment)
  await openDefaultView(environment, 'audit', routes.audit(environment), searchParams)
  const filters = await searchOf(auditList, searchParams)
  const state = await prefetch(routes.audit(environment, await searchParams), read('listAudit', environment, filters))
  return (
    <HydrationBoundary state={state}>
      <AuditScreen environment={environment} />
    </HydrationBoundary>
  )
}
