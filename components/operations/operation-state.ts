import type { ActionResult, Operation, Outcome } from '#lib/operations/types.ts'
import { lostResponse } from './outcome-text.tsx'

/** What a dialog knows of its operation from the responses that it received. */
export type DialogState = {
  operationId: string
  /** A request is under way. */
  isPending: boolean
  /** Outcome in the last response; null until there is one. */
  outcome: Outcome | null
  /** Why the console did not take the request a second time. That says nothing of the first. */
  refusedAgain: Outcome | null
  /** The id of what was made, once it is known. */
  resultId: string | null
  /** The steps before it, where several operations are one. */
  steps: Operation['steps']
  /** Texts by field of the form; a field within another has a dot in its name. */
  errors: Record<string, string>
}

export type OperationEvent =
  /** Sent for the first time, with what was entered. The bytes of a refused request are never sent again, so its id isn't either. */
  | { type: 'started'; operationId: string }
  /** The same request again, while its outcome is open. */
  | { type: 'sent again' }
  | { type: 'responded'; result: ActionResult }
  | { type: 'response lost' }
  /** Found in the form, before anything is sent. */
  | { type: 'errors found'; errors: Record<string, string> }
  | { type: 'corrected'; field: string }
  /** What was entered is another request now. */
  | { type: 'cleared'; operationId: string }

/** An operation of a dialog that was just opened. */
export function newOperation(operationId: string): DialogState {
  return {
    operationId,
    isPending: false,
    outcome: null,
    refusedAgain: null,
    resultId: null,
    steps: [],
    errors: {},
  }
}

/** Whether an outcome may still change: it is then polled, and takes the place of the form. */
export function isOpen(outcome: Outcome | null): boolean {
  return outcome?.state === 'unknown' || outcome?.state === 'running' || outcome?.state === 'waiting'
}

/** What is known after an event. */
export function afterEvent(state: DialogState, event: OperationEvent): DialogState {
  switch (event.type) {
    case 'started':
      return { ...newOperation(event.operationId), isPending: true }
    case 'sent again':
      return { ...state, isPending: true, refusedAgain: null, errors: {} }
    case 'responded':
      return { ...state, isPending: false, ...responded(state, event.result) }
    case 'response lost':
      return { ...state, isPending: false, outcome: lostResponse }
    case 'errors found':
      return { ...state, errors: event.errors }
    case 'corrected':
      return { ...state, errors: without(event.field, state.errors) }
    case 'cleared':
      return newOperation(event.operationId)
  }
}

function responded(state: DialogState, result: ActionResult): Partial<DialogState> {
  // Only what is not in the journal is checked again: the first request whose response was lost did not begin, so the form is back.
  if (result.kind === 'invalid')
    return { errors: result.fields, outcome: state.outcome === lostResponse ? null : state.outcome }
  if (result.kind === 'refused')
    return isOpen(state.outcome) ? { refusedAgain: result.outcome } : { outcome: result.outcome }
  const { outcome, resultId, steps } = result.operation
  return { outcome, resultId, steps, errors: result.fields }
}

/** The errors of other fields; the same object where the field and those within it have none. */
export function without(field: string, errors: Record<string, string>): Record<string, string> {
  const left = Object.entries(errors).filter(([name]) => name !== field && !name.startsWith(`${field}.`))
  return left.length === Object.keys(errors).length ? errors : Object.fromEntries(left)
}

/** Where the operation stands: `polled` is what the journal says of it meanwhile, while its outcome is open. */
export function standing(state: DialogState, polled: Operation | undefined) {
  const later = isOpen(state.outcome) ? polled : undefined
  const outcome = later?.outcome ?? state.outcome
  const isNotTaken = state.refusedAgain !== null && isOpen(outcome)
  return {
    outcome: outcome && isNotTaken ? { ...outcome, next: state.refusedAgain?.happened ?? '' } : outcome,
    resultId: later?.resultId ?? state.resultId,
    steps: later?.steps ?? state.steps,
  }
}
