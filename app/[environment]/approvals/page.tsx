import { HydrationBoundary } from '@tanstack/react-query'
import { approvalList } from '#components/approvals/approval-labels.ts'
import { ApprovalListScreen } from '#components/approvals/approval-list-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { environmentOf, prefetch, read, searchOf } from '../prefetch.ts'

export const metadata = { title: 'Approvals' }

export default async function ApprovalsPage({ params, searchParams }: PageProps<'/[environment]/approvals'>) {
  const environment = environmentOf((await params).environment)
  const search = await searchOf(approvalList, searchParams)
  const state = await prefetch(
    routes.approvals(environment, await searchParams),
    read('listApprovals', environment, search),
  )
  return (
    <HydrationBoundary state={state}>
      <ApprovalListScreen environment={environment} />
    </HydrationBoundary>
  )
}
