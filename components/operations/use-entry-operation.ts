'use client'

import { useState } from 'react'
import type { ActionResult } from '#lib/console/desk/shapes.ts'
import type { ReadTopic } from '#lib/shared/reads.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { useOperation } from './use-operation.ts'

/**
 * An operation whose dialog stays and shows how it ended. `onProblems` is called with the fields that the console or the
 * service refused; the form comes back as it was filled in.
 */
export function useEntryOperation<Read = unknown>(
  environment: Environment,
  touched: readonly ReadTopic[],
  onProblems: (fields: readonly string[]) => void = () => undefined,
) {
  const [operationId] = useState(() => crypto.randomUUID())
  const operation = useOperation<Read>({ environment, kind: null, operationId, touched, onClose: () => undefined })
  return {
    ...operation,
    start: (action: (operationId: string) => Promise<ActionResult<Read>>) => {
      operation.start(async (id) => {
        const result = await action(id)
        const problems = Object.keys(result.kind === 'refused' ? {} : result.fields)
        if (problems.length > 0) onProblems(problems)
        return result
      })
    },
  }
}
