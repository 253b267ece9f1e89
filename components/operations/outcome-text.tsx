import type { ConfirmOutcome } from '#components/form/confirm-dialog.tsx'
import type { Outcome } from '#lib/console/desk/operations/outcome.ts'

const tones = { done: 'good', partial: 'warn', refused: 'bad', unknown: 'warn', running: 'info' } as const

/** The tones of operations in a history, where what was done as it was meant has no colour. */
export const pastTones = { ...tones, done: 'neutral' } as const

const titles = {
  done: 'Done',
  partial: 'Partly done',
  refused: 'Not done',
  unknown: 'Not confirmed yet',
  running: 'In progress',
}

function changedSentence({ state, changed, isSafeToRetry }: Outcome): string | null {
  if (state !== 'refused' || changed !== 'no') return null
  return isSafeToRetry ? 'Nothing was changed. You can safely try again.' : 'Nothing was changed.'
}

/** The outcome of an operation as a dialog shows it: what happened, whether anything changed, what to do next. */
export function outcomeText(outcome: Outcome): ConfirmOutcome {
  const { state, happened, next, code, status, requestId } = outcome
  const sentences = [happened, changedSentence(outcome), next].filter(Boolean)
  return {
    tone: tones[state],
    title: titles[state],
    body: (
      <>
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
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

/** Carddesk's own server did not respond: the operation may have begun. */
export const lostResponse: Outcome = {
  state: 'unknown',
  happened: 'Carddesk did not respond, so we don’t know if this began.',
  changed: 'unknown',
  isSafeToRetry: true,
  needsReview: false,
  next: 'Wait, or try again. It can’t happen twice.',
  code: null,
  status: null,
  requestId: null,
}
