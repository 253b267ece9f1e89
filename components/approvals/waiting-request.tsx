'use client'

import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { ButtonLink } from '#components/ui/button-link.tsx'
import { RelativeTime } from '#components/ui/time.tsx'
import { routes } from '#lib/shared/routes.ts'
import { approversText } from './approval-labels.ts'

/** In the maker's dialog: who can decide, and until when. */
export function WaitingRequest({ approvalId }: { approvalId: string }) {
  const environment = useEnvironment()
  const { data } = useRead('readApproval', approvalId)
  return (
    <div className="mt-2 grid gap-2">
      {data && (
        <>
          <p>
            {approversText(data.approvers)} It expires <RelativeTime instant={data.approval.expiresAt} />.
          </p>
        </>
      )}
      <div>
        <ButtonLink href={routes.approval(environment, approvalId)}>View request</ButtonLink>
      </div>
    </div>
  )
}
