import Link from 'next/link'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { TextLink } from '#components/ui/text-link.tsx'
import { routes } from '#lib/shared/routes.ts'

/** Links an object or an operation to its audit history, for people who may read the audit trail. */
export function AuditTrailLink(of: { targetId: string } | { operationId: string }) {
  const environment = useEnvironment()
  const { may } = usePermissions()
  if (!may.has('audit.read')) return null
  return (
    <Link
      href={routes.audit(environment, of)}
      prefetch={false}
      className="inline-flex min-h-6 items-center text-xs text-soft hover:text-ink hover:underline"
    >
      Audit trail
    </Link>
  )
}

/** Leads from a text about an operation to what is known of its outcome. */
export function OperationLink({ operationId }: { operationId: string }) {
  const environment = useEnvironment()
  return (
    <>
      {' '}
      <TextLink href={routes.operation(environment, operationId)}>What is known</TextLink>
    </>
  )
}

/** Leads from a text about an operation to its audit entries, for people who may read them. */
export function AuditEntryLink({ operationId }: { operationId: string }) {
  const environment = useEnvironment()
  const { may } = usePermissions()
  if (!may.has('audit.read')) return null
  return (
    <>
      {' '}
      <TextLink href={routes.audit(environment, { operationId })}>Audit entry</TextLink>
    </>
  )
}
