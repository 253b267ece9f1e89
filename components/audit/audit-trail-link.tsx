import Link from 'next/link'
import { TextLink } from '#components/ui/text-link.tsx'
import { type Environment, routes } from '#lib/shared/routes.ts'

/** Links an object to its audit history, for people who may read the audit trail. */
export function AuditTrailLink({ href }: { href: string }) {
  return (
    <Link
      href={href}
      prefetch={false}
      className="inline-flex min-h-6 items-center text-xs text-soft hover:text-ink hover:underline"
    >
      Audit trail
    </Link>
  )
}

/**
 * What is known of an operation, with a link to its audit entries for people who may read them (`environment` is null
 * for others).
 */
export function AuditedDetail({
  text,
  environment,
  operationId,
}: {
  text: string
  environment: Environment | null
  operationId: string
}) {
  return (
    <>
      {text}
      {environment !== null && (
        <>
          {' '}
          <TextLink href={routes.audit(environment, { operationId })}>Audit entry</TextLink>
        </>
      )}
    </>
  )
}
