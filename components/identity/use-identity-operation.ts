'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useOperation } from '#components/operations/use-operation.ts'
import type { IdentityCase } from '#lib/console/identity/shapes.ts'
import type { ClientIdentity } from '#lib/contract/records.ts'
import { readQuery } from '#lib/queries/reads.ts'
import type { Environment } from '#lib/shared/routes.ts'

/** What on screen a decision may change. */
const touched = ['identity', 'card-accounts', 'overview'] as const

type Opened = { environment: Environment; cardAccountId: string; operationId: string; onClose: () => void }

/** One operation on an identity; the case shows the identity as it was read afterwards. */
export function useIdentityOperation(
  kind: 'identity.resubmit' | 'identity.simulate',
  { cardAccountId, ...opened }: Opened,
) {
  const client = useQueryClient()
  return useOperation<ClientIdentity>({
    ...opened,
    kind,
    touched,
    onDone: ({ record: identity }) => {
      if (identity === null) return
      const { queryKey } = readQuery('readIdentityCase', opened.environment, cardAccountId)
      client.setQueryData<IdentityCase>(queryKey, (before) => (before === undefined ? before : { ...before, identity }))
    },
  })
}
