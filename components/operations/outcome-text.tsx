import type { ReactNode } from 'react'
import type { ConfirmOutcome } from '#components/form/confirm-dialog.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import type { Outcome } from '#lib/console/desk/shapes.ts'
import { outcomeAction } from './outcome-action.tsx'

const tones = {
  done: 'good',
  partial: 'warn',
  refused: 'bad',
  unknown: 'warn',
  running: 'info',
  waiting: 'info',
} as const

/** The tones of operations in a history, where a normal success has no colour. */
export const pastTones = { ...tones, done: 'neutral' } as const

const titles = {
  done: 'Done',
  partial: 'Partly done',
  refused: 'Not done',
  unknown: 'Not confirmed yet',
  running: 'In progress',
  waiting: 'Waiting for approval',
}

/** The code and the request id, to quote to support. */
function OutcomeFacts({ code, status, requestId }: Outcome) {
  if (!code && !requestId) return null
  return (
    <div className="mt-1 flex flex-wrap items-center gap-x-2 text-xs text-soft">
      {code && (
        <span>
          <code className="font-mono">{code}</code>
          {status ? ` · HTTP ${status}` : ''}
        </span>
      )}
      {requestId && (
        <span className="inline-flex items-center gap-1">
          Request <IdText id={requestId} label="request id" />
        </span>
      )}
    </div>
  )
}

/** An outcome other than success, in two lines: what happened, and what to do. */
export function OutcomeCallout({ outcome, actions }: { outcome: Outcome; actions?: ReactNode }) {
  const { state, happened, changed, next } = outcome
  return (
    <Callout tone={tones[state]} title={happened} isAlert actions={actions ?? outcomeAction(outcome.code)}>
      <p>{[changed === 'no' ? 'Nothing was changed.' : '', next].filter(Boolean).join(' ')}</p>
      <OutcomeFacts {...outcome} />
    </Callout>
  )
}

/** An outcome that takes the place of a dialog's form. */
export function outcomeText(outcome: Outcome, ending?: ReactNode): ConfirmOutcome {
  const { state, happened, next } = outcome
  return {
    tone: tones[state],
    title: titles[state],
    body: (
      <>
        <p>{happened}</p>
        {next && <p>{next}</p>}
        <OutcomeFacts {...outcome} />
        {ending}
      </>
    ),
  }
}

/** Carddesk's own server did not respond: the operation may have started. */
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
