import { auditList } from '#components/audit/audit-params.ts'
import { AuditScreen } from '#components/audit/audit-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { openDefaultView, page, read, readSearch } from '../prefetch.tsx'

export const metadata = { title: 'Audit' }

export default page(async ({ environment, search }) => {
  await openDefaultView(environment, 'audit', routes.audit(environment), search)
  const filters = await readSearch(auditList, search)
  return {
    here: routes.audit(environment, search),
    reads: [read('listAudit', environment, filters)],
    screen: <AuditScreen />,
  }
})
