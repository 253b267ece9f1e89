import { ApprovalListScreen } from '#components/approvals/approval-list-screen.tsx'
import { approvalSearch } from '#lib/api/approvals.ts'
import { routes } from '#lib/shared/routes.ts'
import { page, read, readSearch } from '../prefetch.tsx'

export const metadata = { title: 'Approvals' }

export default page(async ({ environment, search }) => {
  const filters = await readSearch(approvalSearch, search)
  return {
    here: routes.approvals(environment, search),
    reads: [read('listApprovals', environment, filters)],
    screen: <ApprovalListScreen />,
  }
})
