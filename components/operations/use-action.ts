'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { showToast } from '#components/ui/toasts.tsx'
import type { NotStarted, Outcome } from '#lib/console/desk/shapes.ts'
import type { ReadTopic } from '#lib/shared/reads.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { lostResponse } from './outcome-text.tsx'
import { withStepUp } from './with-step-up.ts'

/**
 * An action that is no operation: one at a time, confirmed by a passkey where that is required. `run` resolves to the result of
 * an action that was done, once the reads of the `touched` topics show it; otherwise to null, and `problem` or `errors` say why.
 */
export function useAction(environment: Environment, ...touched: ReadTopic[]) {
  const client = useQueryClient()
  const isRunning = useRef(false)
  const [isPending, setIsPending] = useState(false)
  const [problem, setProblem] = useState<Outcome | null>(null)
  const [errors, setErrors] = useState<Record<string, string>>({})

  async function run<Result extends { kind: string }>(
    send: () => Promise<Result>,
  ): Promise<Exclude<Result, NotStarted> | null> {
    if (isRunning.current) return null
    isRunning.current = true
    setIsPending(true)
    setProblem(null)
    setErrors({})
    const result: { kind: string } = await withStepUp(send).catch(() => ({ kind: 'refused', outcome: lostResponse }))
    const refreshed = Promise.all(touched.map((topic) => client.invalidateQueries({ queryKey: [environment, topic] })))
    if (!isNotStarted(result)) await refreshed
    else if (result.kind === 'invalid') setErrors(result.fields)
    else setProblem(result.outcome)
    isRunning.current = false
    setIsPending(false)
    return isNotStarted(result) ? null : (result as Exclude<Result, NotStarted>)
  }

  return { isPending, problem, errors, run }
}

function isNotStarted(result: { kind: string }): result is NotStarted {
  return result.kind === 'invalid' || result.kind === 'refused'
}

/** An action of a dialog that closes once it is done; a toast says so. */
export function useDialogAction(environment: Environment, touched: ReadTopic, onClose: () => void) {
  const action = useAction(environment, touched)
  return {
    ...action,
    run: async (done: string, send: () => Promise<{ kind: 'done' } | NotStarted>) => {
      if (!(await action.run(send))) return
      showToast({ tone: 'good', title: done })
      onClose()
    },
  }
}
