import { errorTable, isErrorCode } from '#lib/contract/errors.ts'
import type { operations } from '../tables/operations.ts'
import { wordsOfKind } from './kinds.ts'

/**
 * What a person is told about something that was tried: what happened, whether anything changed, whether trying again is
 * safe, what to do next, and what to quote to support.
 */
export type Outcome = {
  state: 'done' | 'refused' | 'unknown' | 'running'
  happened: string
  changed: 'yes' | 'no' | 'unknown'
  /** Trying again under the same operation can do no harm. */
  isSafeToRetry: boolean
  next: string
  /** The stable code of the service or of the console; null where there is none (a generic 500 has none). */
  code: string | null
  status: number | null
  requestId: string | null
}

type Row = typeof operations.$inferSelect

/** The outcome of a journal row, in the words of the contract's error table. */
export function outcomeOf(row: Row): Outcome {
  const facts = { code: row.code, status: row.status, requestId: row.requestId }
  return { ...describe[row.state](row), ...facts }
}

type Described = Omit<Outcome, 'code' | 'status' | 'requestId'>

const describe: Record<Row['state'], (row: Row) => Described> = {
  done: (row) => ({
    state: 'done',
    happened: wordsOfKind(row.kind)?.done ?? 'The service has done it.',
    changed: 'yes',
    isSafeToRetry: true,
    next: 'Nothing more needs to be done.',
  }),
  refused: (row) => ({
    state: 'refused',
    ...refusalWords(row),
    changed: 'no',
    isSafeToRetry: true,
  }),
  sending: () => ({
    state: 'running',
    happened: 'The request is on its way to the service.',
    changed: 'unknown',
    isSafeToRetry: true,
    next: 'Wait a moment; the outcome appears here.',
  }),
  'not-sent': (row) => ({
    state: 'refused',
    happened: row.message ?? 'The service could not be reached.',
    changed: 'no',
    isSafeToRetry: row.settledAt === null,
    next: 'Nothing was sent. Try again when the service answers.',
  }),
  unknown: (row) =>
    row.settledAt
      ? {
          state: 'unknown',
          happened: row.statusAfter
            ? `The service never told the outcome. The ${nounOf(row)} was read back later and is ${row.statusAfter}.`
            : `The service never told the outcome, and the ${nounOf(row)} could not be read back.`,
          changed: 'unknown',
          isSafeToRetry: false,
          next: `Look at the ${nounOf(row)}’s status and history. If it is not as it should be, start the action anew.`,
        }
      : {
          state: 'unknown',
          happened:
            row.status === null
              ? 'The service did not answer, so it is not known whether it was done.'
              : 'The service answered with a failure of its own, so it is not known whether it was done.',
          changed: 'unknown',
          isSafeToRetry: true,
          next: 'The console keeps asking with the same request, which can only take effect once. Wait, or try again now.',
        },
}

/** What an operation was about, in a word. */
function nounOf({ targetType }: Row): string {
  return (
    (
      { card: 'card', webhook: 'webhook', cardaccount: 'card account', fee: 'fee', payout: 'payout' } as Record<
        string,
        string
      >
    )[targetType] ?? 'target'
  )
}

function refusalWords(row: Row): { happened: string; next: string } {
  const own = wordsOfKind(row.kind)?.refused?.[row.code ?? '']
  if (own) return own
  if (row.code && isErrorCode(row.code)) {
    const { happened, next } = errorTable[row.code]
    const saysWhich = row.code === 'INVALID_PARAMETERS' && row.message && !row.holdsSecret
    return { happened: saysWhich ? `${happened} It says: ${row.message}` : happened, next }
  }
  return {
    happened: row.message ? `The service refused this: ${row.message}` : 'The service refused this.',
    next: 'Look at the current state, then decide whether to start the action anew.',
  }
}

/** An outcome of the console itself: nothing was sent. */
export function refusedBeforeSending(code: string, happened: string): Outcome {
  return {
    state: 'refused',
    happened,
    changed: 'no',
    isSafeToRetry: !endsTheSame.has(code),
    next: consoleNext[code] ?? 'Reload the page, then start the action anew.',
    code,
    status: null,
    requestId: null,
  }
}

/** Trying the same again would be refused again. */
const endsTheSame = new Set(['FEE_NOT_FOUND', 'FEE_ALREADY_VOID'])

const consoleNext: Record<string, string> = {
  FEE_NOT_FOUND: 'Look at the list of fees again, and at the environment.',
  FEE_ALREADY_VOID: 'Nothing needs to be done.',
  NOT_SIGNED_IN: 'Sign in again, then send it again. What you typed is still here.',
  NOT_PERMITTED: 'Ask somebody whose role includes it, or an administrator for another role.',
  NOT_CONNECTED: 'Ask an administrator to set what is missing.',
  OPERATION_MISMATCH: 'Close the dialog, look at the current state, and start the action anew.',
}
