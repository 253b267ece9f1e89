import { HydrationBoundary } from '@tanstack/react-query'
import { ApprovalScreen } from '#components/approvals/approval-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { environmentOf, prefetch, read } from '../../prefetch.ts'

export const metadata = { title: 'Approval' }

export default async function ApprovalPage({ params }: PageProps<'/[environment]/approvals/[approvalId]'>) {
  const { environment: named, approvalId } = await params
  const environment = environmentOf(named)
  const state = await prefetch(routes.approval(environment, approvalId), read('readApproval', environment, approvalId))
  return (
    <HydrationBoundary state={state}>
      <ApprovalScreen environment={environment} approvalId={approvalId} />
    </HydrationBoundary>
  )
}
