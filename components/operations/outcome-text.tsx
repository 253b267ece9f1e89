'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import type { ReactNode } from 'react'
import type { ConfirmOutcome } from '#components/form/confirm-dialog.tsx'
import { signOutForm } from '#components/layout/sign-out-form.tsx'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { TextLink } from '#components/ui/text-link.tsx'
import type { Outcome } from '#lib/console/desk/shapes.ts'
import { isEnvironment, routes } from '#lib/shared/routes.ts'

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

/** What a history says of an operation: its label, and how it ended. */
export function pastTitle(state: Outcome['state'], label: string, done = label): string {
  if (state === 'done') return done
  return `${label}: ${pastOutcomes[state]}`
}

const pastOutcomes = {
  partial: 'partly done',
  refused: 'refused',
  unknown: 'not confirmed yet',
  running: 'in progress',
  waiting: 'waiting for approval',
}

const titles = {
  done: 'Done',
  partial: 'Partly done',
  refused: 'Not done',
  unknown: 'Not confirmed yet',
  running: 'In progress',
  waiting: 'Waiting for approval',
}

/** The code and the request ID, to quote to support. */
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
          Request <IdText id={requestId} label="request ID" />
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

/** An error that is found before anything is sent. */
export function refusedHere(error: Pick<Outcome, 'happened' | 'next'> & Partial<Outcome>): Outcome {
  const nothing = { code: null, status: null, requestId: null }
  return { state: 'refused', changed: 'no', isSafeToRetry: false, needsReview: false, ...nothing, ...error }
}

/** The way on from an error that the person can resolve on another page, which leads back to this one; most have none. */
export function outcomeAction(code: string | null): ReactNode {
  if (code === 'PASSKEY_REQUIRED') return <EnrolmentLink />
  if (code === 'SIGN_IN_AGAIN') return <SignInAgain />
  return undefined
}

function useHere(): string {
  const pathname = usePathname()
  const search = useSearchParams().toString()
  return search ? `${pathname}?${search}` : pathname
}

function EnrolmentLink() {
  const here = useHere()
  const environment = here.split('/')[1] ?? ''
  const back = { back: here }
  return (
    <TextLink href={routes.ownAccount(isEnvironment(environment) ? environment : 'sandbox', back)}>
      Add a passkey
    </TextLink>
  )
}

/** Of the shell's form: the error may be shown within another one. */
function SignInAgain() {
  const here = useHere()
  return (
    <Button size="small" type="submit" form={signOutForm} name="returnTo" value={here}>
      Sign in again
    </Button>
  )
}
