import Link from 'next/link'

/** Leads from a thing to what was done with it, for whoever may read the audit trail. */
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
