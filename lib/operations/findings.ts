import type { Sent } from '#lib/environments/environments.ts'
import { withoutCardNumbers } from '#lib/shared/card-numbers.ts'
import { textIn } from '#lib/shared/json.ts'
import { asSentence } from '#lib/shared/texts.ts'
import type { OperationRow } from './journal.ts'
import { recordNoun } from './outcome.ts'
import type { Confirmation } from './spec.ts'

/** The finding of a reading as a sentence. */
export function formatFinding(row: OperationRow, { verdict, detail, statusAfter }: Confirmation): string {
  const noun = recordNoun(row)
  if (detail !== null) return detail
  if (verdict === 'unreadable') {
    return statusAfter === null
      ? `The ${noun} could not be read.`
      : `The ${noun} is ${statusAfter}. It doesn’t show whether this was done.`
  }
  const isShown = verdict === 'done' || verdict === 'partial'
  const status = statusAfter === null ? '' : ` It is ${statusAfter}.`
  return `The ${noun} ${isShown ? 'shows it' : 'doesn’t show it'}.${status}`
}

/** The finding of a reading that stands in for a response. A status that the record had before doesn't show who gave it that. */
export function formatFindingAlone(row: OperationRow, confirmation: Confirmation): string {
  const { statusAfter } = confirmation
  if (statusAfter === null || statusAfter !== row.statusBefore) return formatFinding(row, confirmation)
  return `The ${recordNoun(row)} is ${statusAfter}, as it was before. No response says whether this made it so.`
}

/** The response to a request as a sentence. */
export function responseText({ outcome, status, code }: Sent): string {
  if (outcome === 'not-sent') return 'The card service could not be reached.'
  if (status === null) return 'The card service gave no response.'
  return `The card service responded HTTP ${status}${code === null ? '' : ` ${code}`}.`
}

/** The message of an accepted response, as a sentence behind another one; empty where it has none. */
export function saidText(body: unknown): string {
  const message = textIn(body, 'message')?.trim()
  return message ? ` The response says: ${asSentence(withoutCardNumbers(message.slice(0, 300)))}` : ''
}
