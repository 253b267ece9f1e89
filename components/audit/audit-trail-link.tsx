import Link from 'next/link'

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
