'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useOperation } from '#components/operations/use-operation.ts'
import type { IdentityCase } from '#lib/console/identity/read.ts'
import type { ClientIdentity } from '#lib/contract/records.ts'
import { readQuery } from '#lib/queries/reads.ts'
import type { Environment } from '#lib/shared/routes.ts'

/** What on screen a decision may change. */
const touched = ['identity', 'card-accounts', 'overview'] as const

/** One operation on an identity; the case shows the identity as it was read afterwards. */
export function useIdentityOperation(environment: Environment, cardAccountId: string, operationId: string) {
  const client = useQueryClient()
  return useOperation<ClientIdentity>(environment, operationId, touched, ({ record: identity }) => {
    if (identity === null) return
    client.setQueryData<IdentityCase>(readQuery('readIdentityCase', environment, cardAccountId).queryKey, (before) =>
      before === undefined ? before : { ...before, identity },
    )
  })
}
