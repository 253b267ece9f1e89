import Link from 'next/link'
import { quietLink } from '#components/ui/link-style.ts'
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
          <Link prefetch={false} href={routes.audit(environment, { operationId })} className={quietLink}>
            Audit entry
          </Link>
        </>
      )}
    </>
  )
}
