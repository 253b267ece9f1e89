import { maskCardNumbersInJson } from '#lib/shared/card-numbers.ts'
import { ExpressionError, resolve, type Scope } from './expressions.ts'
import { Failed, Unsupported, type StepResult } from './perform-step.ts'
import type { StepReport } from './report.ts'
import type { SingleStep } from './schema.ts'
import { Unreachable } from './target.ts'

/** Writes what a step found into its report, masked. */
export function note(entry: StepReport, { differences = [], exchange }: StepResult): void {
  entry.outcome = differences.length === 0 ? 'passed' : 'failed'
  entry.differences = differences.map(({ path, expected, found }) => ({
    path,
    expected: maskCardNumbersInJson(expected),
    found: maskCardNumbersInJson(found),
  }))
  if (!exchange) return
  const { request, response } = exchange
  entry.request = { ...request, body: request.body === null ? null : recorded(request.body) }
  entry.response = {
    status: response.status,
    requestId: response.requestId,
    body: response.body === null || response.body === undefined ? null : recorded(JSON.stringify(response.body)),
  }
}

const longestRecord = 20_000
const secretFields = /"(pin|last6|file)":"[^"]*"/g

/** JSON text as a report may hold it: without card numbers, PINs and files, and not too long. */
function recorded(json: string): string {
  const masked = maskCardNumbersInJson(json).replaceAll(secretFields, '"$1":"••••••"')
  return masked.length > longestRecord ? `${masked.slice(0, longestRecord)}…` : masked
}

/** Writes why a step failed or was skipped into its report. Throws every other error, and `Unreachable` besides. */
export function noteError(entry: StepReport, error: unknown, signal: AbortSignal | undefined): void {
  if (error instanceof Unreachable) {
    entry.outcome = 'failed'
    entry.reason = error.message
    throw error
  }
  if (signal?.aborted) {
    entry.outcome = 'not run'
  } else if (error instanceof Unsupported) {
    entry.outcome = 'skipped'
    entry.reason = error.message
  } else if (error instanceof Failed || error instanceof ExpressionError || error instanceof TypeError) {
    entry.outcome = 'failed'
    entry.reason = error.message
  } else throw error
}

/** The step's name, or what it does. */
export function stepName(step: SingleStep, scope: Scope): string {
  if (step.name !== undefined) return labelText(step.name, scope)
  if ('call' in step) return labelText(step.call, scope)
  if ('control' in step) return `Control plane: ${step.control}`
  if ('event' in step) return `${step.absent ? 'No event' : 'Event'} ${labelText(step.event, scope)}`
  if ('deliveries' in step) return 'Deliveries'
  if ('receiver' in step) return `Receiver responds with ${step.receiver}`
  return 'Open the link'
}

function labelText(template: string, scope: Scope): string {
  try {
    return String(resolve(template, scope))
  } catch {
    return template
  }
}
