'use client'

import { useState } from 'react'
import type { ActionResult } from '#lib/console/desk/operations/act.ts'
import type { ReadTopic } from '#lib/shared/reads.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { useOperation } from './use-operation.ts'

/**
 * An operation whose request a person enters in a form. A refusal gives the form back, filled as it was, under a new operation
 * id: at once where the refusal names fields, which then are in `errors`, otherwise by "Try again". `onProblems` is called with
 * the fields that the console or the service refused.
 */
export function useEntryOperation<Read = unknown>(
  environment: Environment,
  touched: readonly ReadTopic[],
  onProblems: (fields: readonly string[]) => void = () => undefined,
) {
  const [operationId, setOperationId] = useState(() => crypto.randomUUID())
  const operation = useOperation<Read>(environment, operationId, touched, (result) => {
    const refused = refusedIn(result)
    if (Object.keys(refused).length > 0) giveBack(refused)
  })
  const { outcome, setErrors, clear } = operation

  function giveBack(fields: Record<string, string>) {
    setOperationId(crypto.randomUUID())
    clear()
    setErrors(fields)
  }

  // The service has refused it for good: the same operation would only return the same refusal.
  const isFinal = outcome?.state === 'refused' && outcome.status !== null
  return {
    ...operation,
    operationId,
    start: (action: (operationId: string) => Promise<ActionResult<Read>>) => {
      operation.start(async () => {
        const result = await action(operationId)
        const problems = Object.keys(result.kind === 'invalid' ? result.fields : refusedIn(result))
        if (problems.length > 0) onProblems(problems)
        return result
      })
    },
    retry: isFinal ? () => giveBack({}) : operation.retry,
  }
}

function refusedIn(result: ActionResult): Record<string, string> {
  return result.kind === 'settled' && result.operation.outcome.state === 'refused' ? result.fields : {}
}
