'use client'

import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { ButtonLink } from '#components/ui/button-link.tsx'
import { RelativeTime } from '#components/ui/time.tsx'
import { routes } from '#lib/shared/routes.ts'
import { approversText } from './approval-labels.ts'

/** Who can decide a waiting request, and until when; without `approvals.read`, only that it waits. */
export function WaitingRequest({ approvalId }: { approvalId: string }) {
  const { role, may } = usePermissions()
  if (may.has('approvals.read')) return <ReadableRequest approvalId={approvalId} />
  return role && <p>Another person must approve it.</p>
}

function ReadableRequest({ approvalId }: { approvalId: string }) {
  const environment = useEnvironment()
  const { data } = useRead('readApproval', approvalId)
  return (
    <div className="grid gap-2 not-first:mt-2">
      {data && (
        <p>
          {approversText(data.approvers)} It expires <RelativeTime instant={data.approval.expiresAt} />.
        </p>
      )}
      <div>
        <ButtonLink href={routes.approval(environment, approvalId)}>View request</ButtonLink>
      </div>
    </div>
  )
}
