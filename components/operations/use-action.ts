'use client'

import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { type ActionInput, runAction } from '#lib/actions/run-action.ts'
import { actionDefinition, type ActionName } from '#lib/api/actions.ts'
import type { NotStarted, Outcome } from '#lib/operations/types.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { without } from './operation-state.ts'
import { lostResponse, refusedAfterLoss } from './outcome-text.tsx'
import { withStepUp } from './with-step-up.ts'

/** Refetches the reads that the action changes by its definition, and the audit log. Resolves once the open ones are read. */
export async function refetchChanged(client: QueryClient, environment: Environment, name: ActionName): Promise<void> {
  const { changes = [] } = actionDefinition(name)
  const keys = changes === 'everything' ? [[environment]] : [...changes, 'audit'].map((topic) => [environment, topic])
  const refetched = Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })))
  // A dialog doesn't wait for reads of every kind.
  if (changes !== 'everything') await refetched
}

type WithoutEnvironment<Input> = Input extends unknown ? Omit<Input, 'environment'> : never
/** The input of an action; its environment is the page's, unless it is given. */
export type PageInput<Name extends ActionName> = WithoutEnvironment<ActionInput<Name>> & { environment?: Environment }

/**
 * Actions that are no operation: one at a time, confirmed by a passkey where that is required. `run` resolves to the result of an
 * action that was done, once the reads that it changes show it; otherwise to null, and `problem` or `errors` say why.
 */
export function useAction() {
  const environment = useEnvironment()
  const client = useQueryClient()
  const isRunning = useRef(false)
  const [isPending, setIsPending] = useState(false)
  const [problem, setProblem] = useState<Outcome | null>(null)
  /** The action whose response was lost: a refusal of its second try says nothing of the first. */
  const lost = useRef<ActionName | null>(null)
  const [errors, setErrors] = useState<Record<string, string>>({})

  /** Like `run`, for an action that `send` prepares and sends. */
  async function perform<Result extends { kind: string }>(
    name: ActionName,
    send: () => Promise<Result>,
  ): Promise<Exclude<Result, NotStarted> | null> {
    if (isRunning.current) return null
    isRunning.current = true
    setIsPending(true)
    setProblem(null)
    setErrors({})
    const result: { kind: string } = await withStepUp(send).catch(() => {
      lost.current = name
      return { kind: 'refused', outcome: lostResponse }
    })
    const refetched = refetchChanged(client, environment, name)
    if (!isNotStarted(result)) await refetched
    else if (result.kind === 'invalid') setErrors(result.fields)
    else if (lost.current !== name || result.outcome === lostResponse) setProblem(result.outcome)
    else setProblem(refusedAfterLoss(result.outcome))
    if (!isNotStarted(result)) lost.current = null
    isRunning.current = false
    setIsPending(false)
    return isNotStarted(result) ? null : (result as Exclude<Result, NotStarted>)
  }

  function run<Name extends ActionName>(name: Name, input: PageInput<Name>) {
    const where = actionDefinition(name).isGlobal ? {} : { environment }
    return perform(name, () => runAction(name, { ...where, ...input } as ActionInput<Name>))
  }

  /** Takes the error of a field away that is being changed, and those within it. */
  const correct = (field: string) => setErrors((before) => without(field, before))
  /** For what is around the fields: an entry that is being changed is not wrong any more. */
  const onChange = ({ target }: FormEvent) => 'name' in target && correct(String(target.name))

  function clearProblem() {
    setProblem(null)
    setErrors({})
  }

  return { isPending, problem, clearProblem, errors, correct, onChange, run, perform }
}

function isNotStarted(result: { kind: string }): result is NotStarted {
  return result.kind === 'invalid' || result.kind === 'refused'
}
