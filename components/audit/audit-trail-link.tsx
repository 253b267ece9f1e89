import { useEnvironment } from '#components/environment/use-environment.ts'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { Link } from '#components/ui/link.tsx'
import { Quoted } from '#components/ui/quoted.tsx'
import { TextLink } from '#components/ui/text-link.tsx'
import type { Outcome } from '#lib/operations/types.ts'
import { routes } from '#lib/shared/routes.ts'

/** Links an object or an operation to its audit history, for people who may read the audit trail. */
export function AuditTrailLink(of: { targetId: string } | { operationId: string }) {
  const environment = useEnvironment()
  const { may } = usePermissions()
  if (!may.has('audit.read')) return null
  return (
    <Link
      href={routes.audit(environment, of)}
      className="inline-flex min-h-6 items-center text-xs text-soft hover:text-ink hover:underline"
    >
      Audit trail
    </Link>
  )
}

/** An operation in the history of a record: `facts`, its comment, and the ways to what is known of it. */
export function OperationDetail({
  operation: { operationId, comment, outcome },
  facts,
}: {
  operation: { operationId: string; comment: string | null; outcome: Pick<Outcome, 'state'> }
  facts: readonly (string | null | undefined)[]
}) {
  const environment = useEnvironment()
  return (
    <>
      {facts.filter(Boolean).join(' · ')}
      {comment && (
        <>
          {' · '}
          <Quoted>{comment}</Quoted>
        </>
      )}
      {outcome.state === 'unknown' && (
        <>
          {' '}
          <TextLink href={routes.operation(environment, operationId)}>What is known</TextLink>
        </>
      )}
      <AuditEntryLink operationId={operationId} />
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
