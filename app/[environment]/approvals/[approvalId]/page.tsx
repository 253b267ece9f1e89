import { ApprovalScreen } from '#components/approvals/approval-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { page, read } from '../../prefetch.tsx'

export const metadata = { title: 'Approval' }

export default page<'approvalId'>(({ environment, approvalId }) => ({
  here: routes.approval(environment, approvalId),
  reads: [read('readApproval', environment, approvalId)],
  screen: <ApprovalScreen approvalId={approvalId} />,
}))
