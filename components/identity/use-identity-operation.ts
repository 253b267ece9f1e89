'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { type OperationProps, useOperation } from '#components/operations/use-operation.ts'
import type { IdentityCase } from '#lib/console/identity/types.ts'
import type { ClientIdentity } from '#lib/contract/records.ts'
import { readQuery } from '#lib/queries/reads.ts'

/** One operation on an identity; the case shows the identity as it was read afterwards. */
export function useIdentityOperation(
  kind: 'identity.resubmit' | 'identity.simulate',
  cardAccountId: string,
  dialog: OperationProps,
) {
  const environment = useEnvironment()
  const client = useQueryClient()
  return useOperation<ClientIdentity>({
    ...dialog,
    kind,
    onDone: ({ record: identity }) => {
      if (identity === null) return
      const { queryKey } = readQuery('readIdentityCase', environment, cardAccountId)
      client.setQueryData<IdentityCase>(queryKey, (before) => (before === undefined ? before : { ...before, identity }))
    },
  })
}
