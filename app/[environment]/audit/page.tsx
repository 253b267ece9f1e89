import { AuditScreen } from '#components/audit/audit-screen.tsx'
import { auditSearch } from '#lib/api/audit.ts'
import { routes } from '#lib/shared/routes.ts'
import { openDefaultView, page, read, readSearch } from '../prefetch.tsx'

export const metadata = { title: 'Audit' }

export default page(async ({ environment, search }) => {
  await openDefaultView(environment, 'audit', routes.audit(environment), search)
  const filters = await readSearch(auditSearch, search)
  return {
    here: routes.audit(environment, search),
    reads: [read('listAudit', environment, filters)],
    screen: <AuditScreen />,
  }
})
