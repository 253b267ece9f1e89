import type { ConfirmOutcome } from '#components/form/confirm-dialog.tsx'
import type { Outcome } from '#lib/console/operations/outcome.ts'

const tones = { done: 'good', refused: 'bad', unknown: 'warn', running: 'info' } as const

/** The tones of operations in a history, where what was done as it was meant has no colour. */
export const pastTones = { ...tones, done: 'neutral' } as const

const changedSentences = {
  yes: 'The change was made.',
  no: 'Nothing was changed.',
  unknown: 'Whether something was changed is not known yet.',
}

const titles = {
  done: 'Done.',
  refused: 'Not done.',
  unknown: 'The outcome is not known yet.',
  running: 'Still under way.',
}

function retrySentence(outcome: Outcome): string | null {
  if (outcome.state === 'done') return null
  if (outcome.isSafeToRetry) return 'Trying again is safe: it stays the same operation and takes effect once at most.'
  return outcome.state === 'refused'
    ? 'Trying the same again would end the same.'
    : 'Do not try again before it is known.'
}

/** How an operation ended, in words: what happened, whether anything changed, whether to try again, what comes next. */
export function outcomeText(outcome: Outcome): ConfirmOutcome {
  const { state, happened, changed, next, code, status, requestId } = outcome
  const isOpen = state === 'unknown' || state === 'running'
  const facts = state === 'done' ? [next] : [changedSentences[changed], retrySentence(outcome), next]
  return {
    tone: tones[state],
    title: titles[state],
    body: (
      <>
        <p>{happened}</p>
        <p>{facts.filter(Boolean).join(' ')}</p>
        {isOpen && <p>This window keeps asking and will say how it ended. It is settled also when you close it.</p>}
        {code && (
          <p className="mt-1 text-xs">
            Code <code className="font-mono">{code}</code>
            {status ? ` · HTTP ${status}` : ''}
          </p>
        )}
      </>
    ),
    requestId,
  }
}

/** What is true while the console itself did not answer: the operation may have begun. */
export const lostAnswer: Outcome = {
  state: 'unknown',
  happened: 'The console did not answer, so it is not known whether the operation began.',
  changed: 'unknown',
  isSafeToRetry: true,
  next: 'Wait, or try again.',
  code: null,
  status: null,
  requestId: null,
}
