'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useOperation } from '#components/operations/use-operation.ts'
import type { IdentityCase } from '#lib/console/identity/read.ts'
import type { ClientIdentity } from '#lib/contract/records.ts'
import { identityCaseQuery } from '#lib/queries/identity.ts'
import type { Environment } from '#lib/shared/routes.ts'

/** What on screen a decision may change. */
const touched = ['identity', 'card-accounts', 'overview']

/** One operation on an identity; the case shows the identity as it was read afterwards. */
export function useIdentityOperation(environment: Environment, cardAccountId: string, operationId: string) {
  const client = useQueryClient()
  return useOperation<{ identity: ClientIdentity | null }>(environment, operationId, touched, ({ identity }) => {
    if (identity === null) return
    client.setQueryData<IdentityCase>(identityCaseQuery(environment, cardAccountId).queryKey, (before) =>
      before === undefined ? before : { ...before, identity },
    )
  })
}
