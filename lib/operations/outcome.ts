import 'server-only'
import { findOperationDefinition } from '#lib/api/actions.ts'
import { errorTable, isErrorCode } from '#lib/contract/errors.ts'
import { database } from '#lib/db/connection.ts'
import { refusedCredentials } from '#lib/environments/refused-credentials.ts'
import { asSentence } from '#lib/shared/texts.ts'
import { isoTime } from '#lib/shared/time.ts'
import { toActor, toTarget } from '#lib/tables/schema.ts'
import { type OperationRow, listStepsBefore } from './journal.ts'
import { changedSince } from './later-change.ts'
import { needsReview, notConfirmed } from './next-step.ts'
import { doneBefore, makerNotPermitted, stepNotDone } from './steps.ts'
import type { Outcome, Operation } from './types.ts'

/** An operation with its steps. One whose last step was not done is done in part where an earlier one was. */
export async function readOperationWithSteps(row: OperationRow): Promise<Operation> {
  const steps = row.follows === null ? [] : await listStepsBefore(database(), row)
  const operation = toOperation(row)
  const outcomes = steps.map((step) => ({ kind: step.kind, outcome: toOutcome(step) }))
  const { outcome } = operation
  const isPartly =
    outcome.state === 'refused' && outcomes.some((step) => ['done', 'waiting', 'unknown'].includes(step.outcome.state))
  if (!isPartly) return { ...operation, steps: outcomes }
  const next = [outcome.next, staysLocked(outcomes) && !doneBefore.includes(row.code ?? '') && 'The card stays locked.']
    .filter(Boolean)
    .join(' ')
  return { ...operation, steps: outcomes, outcome: { ...outcome, state: 'partial', changed: 'yes', next } }
}

/** Whether a step has locked the card, and none may have cancelled it since. */
function staysLocked(steps: Operation['steps']): boolean {
  const isLocked = steps.some(({ kind, outcome }) => kind === 'card.lock' && outcome.state === 'done')
  return isLocked && !steps.some(({ kind, outcome }) => kind === 'card.cancel' && mayHaveHappened.has(outcome.state))
}

const mayHaveHappened: ReadonlySet<Outcome['state']> = new Set(['done', 'partial', 'unknown'])

export function toOperation(row: OperationRow): Operation {
  return {
    id: row.id,
    environment: row.environment,
    kind: row.kind,
    target: toTarget(row),
    by: toActor(row),
    reason: row.reason,
    comment: row.comment,
    outcome: toOutcome(row),
    steps: [],
    resultId: row.resultId,
    attempts: row.attempts,
    createdAt: row.createdAt.toISOString(),
    settledAt: isoTime(row.settledAt),
  }
}

/** A row that is being sent and has a code was sent before, and its record is read again. */
export function toOutcomeState({ state, code }: Pick<OperationRow, 'state' | 'code'>): Outcome['state'] {
  return state === 'sending' && code !== null ? 'unknown' : outcomeStates[state]
}

const outcomeStates: Record<OperationRow['state'], Outcome['state']> = {
  queued: 'running',
  waiting: 'waiting',
  approved: 'running',
  sending: 'running',
  done: 'done',
  partial: 'partial',
  refused: 'refused',
  declined: 'refused',
  expired: 'refused',
  withdrawn: 'refused',
  'not-sent': 'refused',
  unknown: 'unknown',
}

/** The outcome of a journal row, with the messages of the contract's error table. */
export function toOutcome(row: OperationRow): Outcome {
  const facts = {
    code: row.code,
    status: row.status,
    requestId: row.requestId,
    finding: lastFinding(row),
    retryAt: isoTime(row.retryAt),
  }
  return { state: toOutcomeState(row), needsReview: false, ...describe[row.state](row), ...facts }
}

/** The finding of the last check of an open outcome, as it was at that time. */
function lastFinding({ state, checks }: OperationRow): Outcome['finding'] {
  const last = checks.at(-1)
  if (!last || !(state === 'unknown' || state === 'sending' || state === 'not-sent')) return null
  return { text: last.finding, at: last.to }
}

type Described = Pick<Outcome, 'happened' | 'changed' | 'isSafeToRetry' | 'next' | 'remark'> & { needsReview?: boolean }

const running: Described = {
  happened: 'Sending the request…',
  changed: 'unknown',
  isSafeToRetry: true,
  next: 'The result appears here.',
}

const describe: Record<OperationRow['state'], (row: OperationRow) => Described> = {
  done: (row) => ({
    ...(row.code !== null && toldByMessage.includes(row.code)
      ? { happened: row.message ?? 'Done.' }
      : { happened: doneText(row), ...(row.message ? { remark: row.message } : {}) }),
    changed: 'yes',
    isSafeToRetry: true,
    next: '',
  }),
  partial: (row) => ({
    happened: `Only part of this was done. ${row.message ?? ''}`.trim(),
    changed: 'yes',
    isSafeToRetry: false,
    next: `Check the ${recordNoun(row)}, then do what is missing.`,
  }),
  // The service refused these very bytes: sending them again would be refused again.
  refused: (row) => ({
    ...errorCopy(row),
    // What was lost before may have had its effect.
    changed: row.code === changedSince ? 'unknown' : 'no',
    isSafeToRetry: false,
  }),
  sending: (row) => (row.code === null ? running : notKnownYet(row)),
  queued: () => ({ ...running, happened: 'Waiting for the step before it.' }),
  waiting: () => ({
    happened: 'Nothing is sent until another person approves it.',
    changed: 'no',
    isSafeToRetry: false,
    next: '',
  }),
  approved: () => ({ ...running, happened: 'Approved. Sending the request…' }),
  declined: notApproved,
  expired: notApproved,
  withdrawn: notApproved,
  'not-sent': (row) => ({
    changed: 'no',
    isSafeToRetry: row.settledAt === null,
    ...(row.status === 429
      ? {
          happened: 'The card service accepts no more requests for now. It refused this one before any work.',
          next: row.retryAt
            ? 'Send it again after the time that the card service named.'
            : 'Wait a minute, then send it again.',
        }
      : {
          happened: row.message ?? 'The card service could not be reached.',
          next: 'Try again when the card service responds.',
        }),
    ...(row.settledAt && { next: 'It was not sent in time. Do it anew if it is still wanted.' }),
  }),
  unknown: (row) => (row.settledAt ? neverKnown(row) : notKnownYet(row)),
}

/** Names what was not sent: the other steps of a lost card are operations of their own, and may have changed something. */
function notApproved({ kind, message }: OperationRow): Described {
  const label = findOperationDefinition(kind)?.label ?? kind
  return { happened: message ?? '', changed: 'no', isSafeToRetry: false, next: `“${label}” was not sent.` }
}

function neverKnown(row: OperationRow): Described {
  return {
    happened: 'We couldn’t confirm that this went through.',
    changed: 'unknown',
    isSafeToRetry: false,
    needsReview: true,
    next: `Carddesk has stopped checking. Check the ${recordNoun(row)}, then say what you found.`,
  }
}

function notKnownYet(row: OperationRow): Described {
  const isAccepted = row.code === notConfirmed
  if (isForPerson(row)) {
    const noun = recordNoun(row)
    const open = { changed: 'unknown', isSafeToRetry: false, needsReview: true } as const
    if (!makesRecord(row)) {
      return {
        ...open,
        happened: 'We don’t know if this went through.',
        next: `It is not sent again, because ${row.staffName} may not do this any more. Carddesk keeps checking. Check the ${noun} yourself, then say what you found.`,
      }
    }
    return {
      ...open,
      happened: isAccepted
        ? `The card service accepted this ${noun}, but doesn’t show it yet.`
        : `We don’t know if this ${noun} was made.`,
      next: `It was sent once and is not sent again. Carddesk keeps looking for it. Don’t make another one: ask the card service, then say what you found.`,
    }
  }
  return {
    happened: isAccepted
      ? 'The request was accepted, but not confirmed yet.'
      : row.status === 429
        ? 'The card service accepts no more requests for now. We don’t know yet if this went through.'
        : 'We don’t know yet if this went through.',
    changed: 'unknown',
    isSafeToRetry: true,
    next: 'Carddesk is checking and will update here. You can close this window. It can’t happen twice.',
  }
}

/** A person may say what became of it: the console no longer looks, or can't decide by looking. */
export function isForPerson(row: OperationRow): boolean {
  const { state, code, settledAt } = row
  if (state !== 'unknown' && state !== 'sending') return false
  return settledAt !== null || code === needsReview || (makesRecord(row) && code === notConfirmed)
}

function makesRecord({ kind }: OperationRow): boolean {
  return findOperationDefinition(kind)?.creates ?? false
}

/** The noun of an operation's record: "card". */
export function recordNoun({ kind }: OperationRow): string {
  return findOperationDefinition(kind)?.noun ?? 'record'
}

function doneText({ kind, message }: OperationRow): string {
  const row = findOperationDefinition(kind)
  return [`${row?.done ?? 'Done'}.`, row?.note, message].filter(Boolean).join(' ')
}

/** A person found out what the console could not, or replaced the sandbox's contents: the message says it all. */
const toldByMessage = ['RESOLVED_BY_STAFF', 'CONTENTS_REPLACED']

/** The outcome of a request that the console did not send. */
const nextUnsent: Record<string, string> = {
  [stepNotDone]: 'Check the card, then do what is missing.',
  [makerNotPermitted]: 'Somebody who may do it can start it again.',
  APPROVAL_MISMATCH: 'Report this to an administrator first.',
  OUTSIDE_TOLERANCE: 'Get a new quote and submit it for approval.',
  CHANGED_MEANWHILE: 'Check it, then submit a new request if it is still wanted.',
  [changedSince]: 'Check it, then do it anew if it is still wanted.',
  FEE_ALREADY_VOID: 'Nothing is left to do.',
}

function errorCopy(row: OperationRow): { happened: string; next: string } {
  if (row.code !== null && toldByMessage.includes(row.code)) return { happened: row.message ?? '', next: '' }
  const next = row.code === null ? undefined : nextUnsent[row.code]
  if (next !== undefined) return { happened: row.message ?? '', next }
  if (row.status === 401) return refusedCredentials(row.environment, row.code, row.message)
  const refused = findOperationDefinition(row.kind)?.refused
  const own = refused?.[row.code ?? ''] ?? refused?.[String(row.status)]
  if (own) return own
  if (row.code && isErrorCode(row.code)) {
    const { happened, next } = errorTable[row.code]
    const said = row.code === 'INVALID_PARAMETERS' && !row.holdsSecret ? row.message : null
    return { happened: said ? `${happened} It says: ${asSentence(said)}` : happened, next }
  }
  return {
    happened: row.message
      ? `The card service refused it. It says: ${asSentence(row.message)}`
      : 'The card service refused it.',
    next:
      row.status === 403
        ? 'Trying again won’t help. Ask an admin whether the access key may do this.'
        : 'Check the current state before you try again.',
  }
}
