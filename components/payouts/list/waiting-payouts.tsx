import { useQuery } from '@tanstack/react-query'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { Callout } from '#components/ui/callout.tsx'
import { TextLink } from '#components/ui/text-link.tsx'
import { RelativeTime } from '#components/ui/time.tsx'
import { readQuery } from '#lib/queries/reads.ts'
import { routes } from '#lib/shared/routes.ts'

/** Payouts that are not sent yet: a second person has to approve them. Nothing where there is none. */
export function WaitingPayouts() {
  const environment = useEnvironment()
  const { may } = usePermissions()
  const { data } = useQuery({
    ...readQuery('listApprovals', environment, { state: 'waiting', topic: 'payouts', pageSize: '5' }),
    enabled: may.has('approvals.read'),
  })
  if (!data || data.approvals.length === 0) return null
  return (
    <Callout tone="info" title="Waiting for approval, not sent yet.">
      <ul className="mt-1">
        {data.approvals.map(({ id, target, by, expiresAt }) => (
          <li key={id} className="flex flex-wrap items-baseline gap-x-3">
            <TextLink href={routes.approval(environment, id)} className="inline-flex min-h-6 items-center font-medium">
              {target.label ?? 'Payout'}
            </TextLink>
            <span className="text-xs text-soft">
              {by.name}, expires <RelativeTime instant={expiresAt} />
            </span>
          </li>
        ))}
        {data.nextPageToken !== null && (
          <li>
            <TextLink
              href={routes.approvals(environment, { state: 'waiting', topic: 'payouts' })}
              className="inline-flex min-h-6 items-center"
            >
              See all
            </TextLink>
          </li>
        )}
      </ul>
    </Callout>
  )
}
