'use client'

import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { showToast } from '#components/ui/toasts.tsx'
import { runAction } from '#lib/actions/run-action.ts'
import { actionDefinition, type ActionName } from '#lib/api/actions.ts'
import type { ReadTopic } from '#lib/api/reads.ts'
import type { NotStarted, Outcome } from '#lib/operations/types.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { lostResponse } from './outcome-text.tsx'

/** Refetches the reads that an action changes, and the audit log. */
export function refetchChanged(client: QueryClient, environment: Environment, name: ActionName): Promise<unknown> {
  const { changes = [] } = actionDefinition(name)
  const keys = changes === 'everything' ? [[environment]] : [...changes, 'audit'].map((topic) => [environment, topic])
  return Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })))
}

/**
 * An action that is no operation: one at a time, confirmed by a passkey where that is required. `run` gives it the page's
 * environment and resolves to the result of
 * an action that was done, once the reads of the `touched` topics show it; otherwise to null, and `problem` or `errors` say why.
 */
export function useAction(...touched: ReadTopic[]) {
  const environment = useEnvironment()
  const client = useQueryClient()
  const isRunning = useRef(false)
  const [isPending, setIsPending] = useState(false)
  const [problem, setProblem] = useState<Outcome | null>(null)
  const [errors, setErrors] = useState<Record<string, string>>({})

  async function run<Result extends { kind: string }>(
    send: (environment: Environment) => Promise<Result>,
  ): Promise<Exclude<Result, NotStarted> | null> {
    if (isRunning.current) return null
    isRunning.current = true
    setIsPending(true)
    setProblem(null)
    setErrors({})
    const result: { kind: string } = await withStepUp(() => send(environment)).catch(() => ({
      kind: 'refused',
      outcome: lostResponse,
    }))
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
export function useDialogAction(touched: ReadTopic, onClose: () => void) {
  const action = useAction(touched)
  return {
    ...action,
    run: async (done: string, send: (environment: Environment) => Promise<{ kind: 'done' } | NotStarted>) => {
      if (!(await action.run(send))) return
      showToast({ tone: 'good', title: done })
      onClose()
    },
  }
}

type Refused = { kind: 'refused'; outcome: Outcome }

/**
 * Sends an action; where the console requires a passkey, requests one and sends the same action again. Cancelling
 * returns the error, with the next step. The library loads with the first confirmation.
 */
export async function withStepUp<Result extends { kind: string }>(
  send: () => Promise<Result | Refused>,
): Promise<Result | Refused> {
  const result = await send()
  if (!isRefused(result) || !result.outcome.stepUp) return result
  const { id, options } = result.outcome.stepUp
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const signed = await startAuthentication({ optionsJSON: options }).catch(() => null)
  if (!signed) return { kind: 'refused', outcome: { ...result.outcome, happened: 'You didn’t confirm this.' } }
  const confirmed = await runAction('confirmStepUp', { id, response: signed })
  if (confirmed.kind === 'refused') return confirmed
  return send()
}

function isRefused(result: { kind: string }): result is Refused {
  return result.kind === 'refused'
}
