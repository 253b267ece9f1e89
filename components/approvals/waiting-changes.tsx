import type { ReactNode } from 'react'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { ButtonLink } from '#components/ui/button-link.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { RelativeTime } from '#components/ui/time.tsx'
import type { WaitingRequestOf } from '#lib/operations/approvals/types.ts'
import { routes } from '#lib/shared/routes.ts'

/** On the page of a record: each change of it that waits for an approval, with the way to the request. */
export function WaitingChanges({
  title,
  waiting,
  isEffectShown = false,
}: {
  title: string
  waiting: readonly WaitingRequestOf[]
  isEffectShown?: boolean
}): ReactNode {
  const environment = useEnvironment()
  const { may } = usePermissions()
  return waiting.map(({ approvalId, effect, by, since, expiresAt }) => (
    <Callout
      key={approvalId}
      tone="warn"
      title={title}
      actions={
        may.has('approvals.read') ? (
          <ButtonLink href={routes.approval(environment, approvalId)}>View request</ButtonLink>
        ) : undefined
      }
    >
      {isEffectShown && `${effect} `}
      {by} asked for it <RelativeTime instant={since} />. It expires <RelativeTime instant={expiresAt} />.
    </Callout>
  ))
}
