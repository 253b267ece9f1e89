import { attemptsAtMessage, pingsBeforeDeletion } from '#lib/contract/webhook-retries.ts'
import type { ReadResult } from '#lib/queries/reads.ts'

export type DeliveryAttempt = ReadResult<'listDeliveries'>['attempts'][number]

/** Those of the built-in service, which alone has the log. */
const plannedAttempts: Record<string, number> = { delivery: attemptsAtMessage, ping: pingsBeforeDeletion }

/** "2 of 8": which attempt at its message, or which ping of a suspension. */
export function attemptText({ kind, attempt }: Pick<DeliveryAttempt, 'kind' | 'attempt'>): string {
  if (kind === 'test') return 'Test'
  if (kind === 'replay') return 'Replay'
  const all = plannedAttempts[kind]
  return all === undefined ? `${kind} ${attempt}` : `${attempt} of ${all}`
}

const problems: Record<string, string> = {
  TIMEOUT: 'No response in 15 s',
  ADDRESS_REFUSED: 'Address refused',
  NO_CONNECTION: 'No connection',
}

/** The result of an attempt: "HTTP 500", "No response in 15 s". */
export function resultText({ status, problem }: Pick<DeliveryAttempt, 'status' | 'problem'>): string {
  if (problem === null) return 'Delivered'
  return problems[problem] ?? (status === null ? problem : `HTTP ${status}`)
}
