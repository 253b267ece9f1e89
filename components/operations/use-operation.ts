'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useReducer, useRef } from 'react'
import { useEnvironment } from '#components/environment/use-environment.ts'
import type { DialogProps } from '#components/ui/dialog.tsx'
import type { ToastMessage } from '#components/ui/toast-region.tsx'
import { prepareToasts, showToast } from '#components/ui/toasts.tsx'
import { type ActionInput, type ActionOutput, runAction } from '#lib/actions/run-action.ts'
import { operationDefinition, type OperationKind } from '#lib/api/actions.ts'
import type { ActionResult, Operation } from '#lib/operations/types.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { afterEvent, isOpen, newOperation, type OperationEvent, standing } from './operation-state.ts'
import { refetchChanged } from './use-action.ts'
import { withStepUp } from './with-step-up.ts'

/** Text of a toast below the headline of the kind. */
type DoneToast = Partial<Pick<ToastMessage, 'tone' | 'description' | 'recordId' | 'action' | 'view' | 'timeoutMs'>>

/** Props of a dialog of one operation. The opener makes `operationId`, the id of the first attempt. */
export type OperationProps = DialogProps & { operationId: string }

/** The record that an operation of a kind reads back. */
type RecordOf<Kind extends OperationKind> = NonNullable<Extract<ActionOutput<Kind>, { kind: 'settled' }>['record']>

/** Input of an operation without the page's environment and its own id. */
type Entered<Kind extends OperationKind> = WithoutIds<ActionInput<Kind>>
type WithoutIds<Input> = Input extends unknown ? Omit<Input, 'environment' | 'operationId'> : never

type Options<Kind extends OperationKind> = Omit<OperationProps, 'isOpen'> & {
  kind: Kind
  /** The dialog stays open and shows its result itself. */
  staysOpen?: true
  /** Called with the record as it was read back, null where it was not. Returns what the toast adds. */
  onDone?: (done: { operation: Operation; record: RecordOf<Kind> | null }) => DoneToast | void
}

/** The dialog closes after this time even if the refetched reads have not arrived. */
const longestWaitMs = 1_500

/** Waits until the reads behind the dialog show what was changed, so that it does not close over outdated data. */
function screenShows(refetched: Promise<unknown>): Promise<unknown> {
  return Promise.race([refetched, new Promise((resolve) => setTimeout(resolve, longestWaitMs))])
}

/**
 * One operation from its first press to its outcome. Pressing again while it runs does nothing. Done: the dialog closes and a
 * toast names the result. Refused: `problem` and `errors` go to the form, and the next press is a new operation. An open
 * outcome is polled until it is known. What each response means is in `operation-state.ts`.
 */
export function useOperation<Kind extends OperationKind>(options: Options<Kind>) {
  const { kind, staysOpen = false } = options
  const environment = useEnvironment()
  const client = useQueryClient()
  const isRunning = useRef(false)
  /** The operation whose end was reported. */
  const concluded = useRef<string | null>(null)
  const last = useRef<(() => Promise<ActionResult<RecordOf<Kind>>>) | null>(null)
  const [state, dispatch] = useReducer(afterEvent, options.operationId, newOperation)
  const { operationId, isPending, errors } = state
  const { data: polled } = useQuery({
    ...readQuery('readOperation', environment, operationId),
    enabled: isOpen(state.outcome),
  })
  const { outcome, resultId, steps } = standing(state, polled)

  useEffect(prepareToasts, [])

  function conclude(operation: Operation, record: RecordOf<Kind> | null) {
    if (staysOpen || concluded.current === operation.id) return
    concluded.current = operation.id
    // Drops the closure: it holds what the person typed (PINs included).
    last.current = null
    const { done, note } = operationDefinition(kind)
    const { onDone, onClose } = options
    showToast({ environment, tone: 'good', title: done, description: note, ...onDone?.({ operation, record }) })
    onClose()
  }

  const settlePolled = useEffectEvent((operation: Operation) => {
    void refetchChanged(client, environment, kind)
    if (operation.outcome.state === 'done') conclude(operation, null)
  })
  const polledSettled = isOpen(state.outcome) && polled && !isOpen(polled.outcome) ? polled : null
  useEffect(() => {
    if (polledSettled) settlePolled(polledSettled)
  }, [polledSettled])

  async function run(event: OperationEvent) {
    if (isRunning.current || !last.current) return
    isRunning.current = true
    dispatch(event)
    try {
      const result = await withStepUp(last.current)
      const received = result.kind === 'settled' ? result.operation.outcome : null
      if (result.kind === 'refused' || (received && !isOpen(received))) {
        const refetched = refetchChanged(client, environment, kind)
        if (received?.state === 'done') await screenShows(refetched)
      }
      dispatch({ type: 'responded', result })
      if (result.kind === 'settled' && received?.state === 'done') conclude(result.operation, result.record)
    } catch {
      dispatch({ type: 'response lost' })
    } finally {
      isRunning.current = false
    }
  }

  return {
    operationId,
    /** Whether it makes a record. */
    creates: operationDefinition(kind).creates ?? false,
    isPending,
    errors,
    setErrors: (errors: Record<string, string>) => dispatch({ type: 'errors found', errors }),
    /** Takes the error of a field away that is being changed, and those within it. */
    correct: (field: string) => dispatch({ type: 'corrected', field }),
    /** Begins another operation: nothing of this one is shown or sent any more. */
    clear: () => {
      if (isRunning.current) return
      last.current = null
      dispatch({ type: 'cleared', operationId: crypto.randomUUID() })
    },
    /** The id of the record that the operation made, once it is known. */
    resultId,
    /** The steps before it, where several operations are one. */
    steps,
    /** An outcome that is not known yet, or that needs a person: takes the place of the form. */
    outcome: outcome?.state === 'refused' || (outcome?.state === 'done' && !staysOpen) ? null : outcome,
    /** Why it was refused; the form stays. */
    problem: outcome?.state === 'refused' && !isPending ? outcome : null,
    isDone: outcome?.state === 'done',
    /** The request that waits for the approval of another person. */
    waiting: outcome?.state === 'waiting' ? { approvalId: operationId } : null,
    /** Sends it with what was entered. `onResult` gets each result before the dialog shows it, also of a retry. */
    start: (entered: Entered<Kind>, onResult?: (result: ActionResult) => Promise<unknown> | void) => {
      if (isRunning.current) return
      const id = outcome === null ? operationId : crypto.randomUUID()
      const input: object = { ...entered, environment, operationId: id }
      last.current = async () => {
        const result = (await runAction(kind, input as ActionInput<Kind>)) as ActionResult<RecordOf<Kind>>
        await onResult?.(result)
        return result
      }
      void run({ type: 'started', operationId: id })
    },
    /** Sends the same request again, after a response that was lost. */
    retry: () => void run({ type: 'sent again' }),
    /** Says what a person found out about an operation that the console cannot settle (`needsReview`). */
    resolve: (resolution: 'made' | 'not-made') => {
      const resolved = () => runAction('resolveOperation', { environment, operationId, resolution })
      last.current = resolved as typeof last.current
      void run({ type: 'sent again' })
    },
  }
}

/** An operation as its dialog shows it. */
export type DialogOperation = Omit<ReturnType<typeof useOperation>, 'start' | 'setErrors' | 'clear' | 'isDone'>
