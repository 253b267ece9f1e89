'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useEnvironment } from '#components/environment/use-environment.ts'
import type { DialogProps } from '#components/ui/dialog.tsx'
import type { ToastMessage } from '#components/ui/toast-region.tsx'
import { prepareToasts, showToast } from '#components/ui/toasts.tsx'
import { type ActionInput, type ActionOutput, runAction } from '#lib/actions/run-action.ts'
import { operationDefinition, type OperationKind } from '#lib/api/actions.ts'
import type { ActionResult, Operation, Outcome } from '#lib/operations/types.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { lostResponse } from './outcome-text.tsx'
import { refetchChanged, withStepUp } from './use-action.ts'

/** Text of a toast below the headline of the kind. */
type DoneToast = Partial<Pick<ToastMessage, 'description' | 'recordId' | 'action' | 'view' | 'timeoutMs'>>

/** Props of a dialog of one operation. The opener makes `operationId`, the id of the first attempt. */
export type OperationProps = DialogProps & { operationId: string }

/** The record that an operation of a kind reads back. */
type RecordOf<Kind extends OperationKind> = NonNullable<Extract<ActionOutput<Kind>, { kind: 'settled' }>['record']>

/** What an operation of a kind takes beside the page's environment and its own id. */
type Entered<Kind extends OperationKind> = WithoutIds<ActionInput<Kind>>
type WithoutIds<Input> = Input extends unknown ? Omit<Input, 'environment' | 'operationId'> : never

type Options<Kind extends OperationKind> = Omit<OperationProps, 'isOpen'> & {
  kind: Kind
  /** The dialog stays open and shows its result itself. */
  staysOpen?: true
  /** Called with the record as it was read back, null where it was not. Returns what the toast adds. */
  onDone?: (done: { operation: Operation; record: RecordOf<Kind> | null }) => DoneToast | void
}

function isOpen(outcome: Outcome | null): boolean {
  return outcome?.state === 'unknown' || outcome?.state === 'running' || outcome?.state === 'waiting'
}

/** How long a result waits for the screen to show it: a read that takes longer is told after it. */
const longestWaitMs = 1_500

/** Waits until the reads behind the dialog show what was changed, so that it does not close over what is past. */
function screenShows(refetched: Promise<unknown>): Promise<unknown> {
  return Promise.race([refetched, new Promise((resolve) => setTimeout(resolve, longestWaitMs))])
}

/**
 * One operation from its first press to its outcome. Pressing again while it runs does nothing. Done: the dialog closes and a
 * toast names the result. Refused: `problem` and `errors` go to the form, and the next press is a new operation. An open
 * outcome is polled until it is known.
 */
export function useOperation<Kind extends OperationKind>(options: Options<Kind>) {
  const { kind, staysOpen = false } = options
  const environment = useEnvironment()
  const client = useQueryClient()
  const isRunning = useRef(false)
  /** The operation whose end was reported. */
  const concluded = useRef<string | null>(null)
  const last = useRef<(() => Promise<ActionResult<RecordOf<Kind>>>) | null>(null)
  const [operationId, setOperationId] = useState(options.operationId)
  const [isPending, setIsPending] = useState(false)
  const [received, setReceived] = useState<Outcome | null>(null)
  /** Why the console did not take the request a second time. That says nothing of the first. */
  const [refusedAgain, setRefusedAgain] = useState<Outcome | null>(null)
  const [resultId, setResultId] = useState<string | null>(null)
  const [steps, setSteps] = useState<Operation['steps']>([])
  const [errors, setErrors] = useState<Record<string, string>>({})
  const { data: polled } = useQuery({
    ...readQuery('readOperation', environment, operationId),
    enabled: isOpen(received),
  })
  const known = isOpen(received) ? (polled?.outcome ?? received) : received
  const outcome = known && refusedAgain && isOpen(known) ? { ...known, next: refusedAgain.happened } : known

  useEffect(prepareToasts, [])

  function conclude(operation: Operation, record: RecordOf<Kind> | null) {
    if (staysOpen || concluded.current === operation.id) return
    concluded.current = operation.id
    // What was entered is forgotten with its outcome.
    last.current = null
    const { done, note } = operationDefinition(kind)
    const { onDone, onClose } = options
    showToast({ tone: 'good', title: done, description: note, ...onDone?.({ operation, record }) })
    onClose()
  }

  const settlePolled = useEffectEvent((operation: Operation) => {
    void refetchChanged(client, environment, kind)
    if (operation.outcome.state === 'done') conclude(operation, null)
  })
  const polledSettled = isOpen(received) && polled && !isOpen(polled.outcome) ? polled : null
  useEffect(() => {
    if (polledSettled) settlePolled(polledSettled)
  }, [polledSettled])

  async function run() {
    if (isRunning.current || !last.current) return
    isRunning.current = true
    setIsPending(true)
    setErrors({})
    setRefusedAgain(null)
    const isFirst = !isOpen(outcome)
    try {
      const result = await withStepUp(last.current)
      const outcome = result.kind === 'settled' ? result.operation.outcome : null
      if (result.kind === 'refused' || (outcome && !isOpen(outcome))) {
        const refetched = refetchChanged(client, environment, kind)
        if (outcome?.state === 'done') await screenShows(refetched)
      }
      if (result.kind === 'invalid') return setErrors(result.fields)
      if (result.kind === 'refused') return (isFirst ? setReceived : setRefusedAgain)(result.outcome)
      setErrors(result.fields)
      setReceived(result.operation.outcome)
      setResultId(result.operation.resultId)
      setSteps(result.operation.steps)
      if (result.operation.outcome.state === 'done') conclude(result.operation, result.record)
    } catch {
      setReceived(lostResponse)
    } finally {
      isRunning.current = false
      setIsPending(false)
    }
  }

  return {
    operationId,
    /** Whether it makes a record. */
    creates: operationDefinition(kind).creates ?? false,
    isPending,
    errors,
    setErrors,
    /** Takes the error of a field away that is being changed, and those within it. */
    correct: (field: string) =>
      setErrors((before) => {
        const left = Object.entries(before).filter(([name]) => name !== field && !name.startsWith(`${field}.`))
        return left.length === Object.keys(before).length ? before : Object.fromEntries(left)
      }),
    /** The id of the record that the operation made, once it is known. */
    resultId: polled?.resultId ?? resultId,
    /** The steps before it, where several operations are one. */
    steps: polled?.steps ?? steps,
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
      // The bytes of a refused request are never sent again.
      const id = outcome === null ? operationId : crypto.randomUUID()
      setOperationId(id)
      setReceived(null)
      const input: object = { ...entered, environment, operationId: id }
      last.current = async () => {
        const result = (await runAction(kind, input as ActionInput<Kind>)) as ActionResult<RecordOf<Kind>>
        await onResult?.(result)
        return result
      }
      void run()
    },
    /** Sends the same request again, after a response that was lost. */
    retry: () => void run(),
    /** Says what a person found out about an operation that the console cannot settle (`needsReview`). */
    resolve: (resolution: 'made' | 'not-made') => {
      const resolved = () => runAction('resolveOperation', { environment, operationId, resolution })
      last.current = resolved as typeof last.current
      void run()
    },
  }
}

/** An operation as its dialog shows it. */
export type DialogOperation = Omit<ReturnType<typeof useOperation>, 'start' | 'setErrors' | 'isDone'>
