'use client'

import { useQuery } from '@tanstack/react-query'
import { ButtonLink } from '#components/ui/button-link.tsx'
import { RelativeTime } from '#components/ui/time.tsx'
import { readQuery } from '#lib/queries/reads.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'
import { approversText } from './approval-labels.ts'

/** In the maker's dialog: why the request waits, who can decide, until when. */
export function WaitingRequest({ environment, approvalId }: { environment: Environment; approvalId: string }) {
  const { data } = useQuery(readQuery('readApproval', environment, approvalId))
  return (
    <div className="mt-2 grid gap-2">
      {data && (
        <>
          {data.approval.because.map((rule) => (
            <p key={rule} className="text-xs">
              {rule}
            </p>
          ))}
          <p>
            {approversText(data.approvers)} Expires <RelativeTime instant={data.approval.expiresAt} />.
          </p>
        </>
      )}
      <div>
        <ButtonLink href={routes.approval(environment, approvalId)}>View request</ButtonLink>
      </div>
    </div>
  )
}
