'use client'

import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { Callout } from '#components/ui/callout.tsx'
import { Link } from '#components/ui/link.tsx'
import { quietLink } from '#components/ui/text-link.tsx'
import { Time } from '#components/ui/time.tsx'
import { routes } from '#lib/shared/routes.ts'

/** On every page while the audit log does not hold: which entry is the first that was changed. */
export function IntegrityBanner() {
  const environment = useEnvironment()
  const { data } = useRead('readAuditIntegrity')
  const { may } = usePermissions()
  if (data?.state !== 'broken') return null
  return (
    <Callout
      tone="bad"
      title="The audit log was changed outside Carddesk."
      isAlert
      actions={
        may.has('audit.read') && (
          <Link href={routes.audit(environment, { open: data.entry })} className={quietLink}>
            {data.entry === null ? 'Open the audit log' : `Open entry ${data.entry}`}
          </Link>
        )
      }
    >
      {data.message} Contact an administrator. Checked{' '}
      <Time instant={data.verifiedAt} format="time-seconds" isZoneShown />.
    </Callout>
  )
}
