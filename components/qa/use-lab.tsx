'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEnvironment, useLab } from '#components/environment/use-environment.ts'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { errorSentence, errorSentences } from '#components/form/error-sentence.ts'
import { refetchChanged } from '#components/operations/use-action.ts'
import { Callout } from '#components/ui/callout.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { type ActionInput, runAction } from '#lib/actions/run-action.ts'
import type { Lab } from '#lib/environments/types.ts'
import { type LabResult, noResult } from '#lib/qa/lab/types.ts'
import { useSandbox } from './use-sandbox.ts'

type LabActionInput = ActionInput<'performLabAction'>

/** The lab that the person can use; null where the environment has none, or their role may not. */
export function useSimulating(): Lab {
  const lab = useLab()
  const { may } = usePermissions()
  return may.has('sandbox.simulate') ? lab : null
}

/** Why an action was refused: by field, and for the form as a whole. */
export type LabProblem = { fields: Record<string, string>; message: string | null; requestId: string | null }

type Sent = { result: LabResult } | { problem: LabProblem }
/** One action, or the same for each of several accounts. */
type Performed = { action: LabActionInput['action']; given: readonly LabActionInput['given'][] }

const lost: LabProblem = {
  fields: {},
  message: 'Carddesk didn’t respond. Check what changed before you try again.',
  requestId: null,
}

const problemText = ({ message, fields }: LabProblem) => message ?? errorSentences(fields)

/**
 * Sends actions to the sandbox that the lab acts on, one at a time. An action may change anything on the screen, so everything is read again after
 * each.
 */
export function useLabAction() {
  const environment = useEnvironment()
  const client = useQueryClient()
  const { search } = useSandbox()
  const { mutate, isPending, data, reset, error } = useMutation({
    mutationFn: async ({ action, given }: Performed): Promise<Sent> => {
      const [only, another] = given
      if (only && !another) return send(action, only)
      const accounts: LabResult['accounts'] = []
      for (const one of given) {
        const sent = await send(action, one).catch(() => ({ problem: lost }))
        const error = 'problem' in sent ? problemText(sent.problem) : null
        accounts.push({ cardAccountId: String(one.cardAccountId), amount: null, currency: null, error })
      }
      return { result: { ...noResult, accounts } }
    },
    onSettled: () => refetchChanged(client, environment, 'performLabAction'),
  })
  async function send(action: LabActionInput['action'], given: LabActionInput['given']): Promise<Sent> {
    const received = await runAction('performLabAction', { environment, ...search, action, given })
    if (received.kind === 'done') return { result: received.result }
    if (received.kind === 'invalid') {
      return { problem: { fields: received.fields, message: null, requestId: null } }
    }
    const { happened, requestId } = received.outcome
    return { problem: { fields: {}, message: happened, requestId } }
  }
  return {
    perform: (
      action: LabActionInput['action'],
      given: LabActionInput['given'] | Performed['given'],
      onDone?: (result: LabResult) => void,
    ) => {
      if (isPending) return
      mutate({ action, given: [given].flat() }, { onSuccess: (sent) => 'result' in sent && onDone?.(sent.result) })
    },
    isPending,
    result: data && 'result' in data ? data.result : null,
    problem: error ? lost : data && 'problem' in data ? data.problem : null,
    clear: reset,
  }
}

/** The part of an error that no field of the form shows itself. */
export function LabProblemText({ problem, fields = [] }: { problem: LabProblem | null; fields?: readonly string[] }) {
  if (!problem) return null
  const others = Object.entries(problem.fields).filter(([field]) => !fields.includes(field))
  if (problem.message === null && others.length === 0) return null
  return (
    <Callout tone="bad" className="mt-3" isAlert>
      {problem.message}
      {others.map(([field, wrong]) => (
        <p key={field}>{errorSentence(field, wrong)}</p>
      ))}
      {problem.requestId !== null && (
        <p className="flex items-center gap-1 text-xs">
          Request <IdText id={problem.requestId} label="request ID" />
        </p>
      )}
    </Callout>
  )
}
