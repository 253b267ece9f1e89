import type { Confirmation } from './spec.ts'

/** What is known once a request was sent and its record was read. */
export type SentRequest = {
  /** What its record shows of it. */
  verdict: Confirmation['verdict']
  /** The service accepted the request. */
  isAccepted: boolean
  /** The service refused the only attempt with a 429, which usually comes before any work. */
  isLimited: boolean
  /** The service refused the content. */
  isRefused: boolean
  /** The response to an attempt before this one was lost. */
  isAfterLoss: boolean
  code: string | null
  /** The operation creates a record; any other one changes a record. */
  creates: boolean
}

/**
 * The state of the operation. The first row that applies:
 *
 * | response                                      | the record shows the change | state                                    |
 * | --------------------------------------------- | --------------------------- | ---------------------------------------- |
 * | any                                           | yes, or a part of it        | `done`, or `partial`                     |
 * | accepted                                      | no, or it cannot be read    | `unknown`                                |
 * | one too many, to what creates a record        | no, or it cannot be read    | `not-sent`: a person sends it again      |
 * | after a loss: that the change was made before | no, or it cannot be read    | `unknown`: the record may be out of date |
 * | refused                                       | no                          | `refused`                                |
 * | any other                                     | no, or it cannot be read    | `unknown`                                |
 */
export function stateOnceSent(sent: SentRequest): 'done' | 'partial' | 'unknown' | 'not-sent' | 'refused' {
  const { verdict, code } = sent
  if (verdict === 'done' || verdict === 'partial') return verdict
  if (sent.isAccepted) return 'unknown'
  if (sent.isLimited && sent.creates) return 'not-sent'
  if (sent.isAfterLoss && impliesEffect.test(code ?? '')) return 'unknown'
  return sent.isRefused && verdict === 'not-done' ? 'refused' : 'unknown'
}

/** Codes of a change that was made before, or of a record that is not as it was just read. */
const impliesEffect = /ALREADY|NOT_FOUND/
