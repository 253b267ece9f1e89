'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import type { ReactNode } from 'react'
import type { ConfirmOutcome } from '#components/form/confirm-dialog.tsx'
import { signOutForm } from '#components/layout/sign-out-form.tsx'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { TextLink } from '#components/ui/text-link.tsx'
import { Time } from '#components/ui/time.tsx'
import type { Outcome } from '#lib/operations/types.ts'
import { environmentOfPath, routes } from '#lib/shared/routes.ts'

export const outcomeTones = {
  done: 'good',
  partial: 'warn',
  refused: 'bad',
  unknown: 'warn',
  running: 'info',
  waiting: 'info',
} as const

/** The tones of operations in a history, where a normal success has no colour. */
export const pastTones = { ...outcomeTones, done: 'neutral' } as const

/** An operation in a history: its label and outcome. */
export function pastTitle(state: Outcome['state'], label: string, done = label): string {
  if (state === 'done') return done
  return `${label}: ${pastOutcomes[state]}`
}

/** An outcome behind the action's label. */
export const pastOutcomes = {
  done: 'done',
  partial: 'partly done',
  // Refused by the card service, declined by a colleague, or never sent.
  refused: 'not done',
  unknown: 'not confirmed yet',
  running: 'in progress',
  waiting: 'waiting for approval',
}

export const outcomeTitles = {
  done: 'Done',
  partial: 'Partly done',
  refused: 'Not done',
  unknown: 'Not confirmed yet',
  running: 'In progress',
  waiting: 'Waiting for approval',
}

/** Finding of the last check with its time. */
function Finding({ finding, retryAt }: Outcome) {
  return (
    <>
      {finding && (
        <p>
          <Time instant={finding.at} format="time-seconds" isZoneShown />: {finding.text}
        </p>
      )}
      {retryAt && (
        <p>
          The card service accepts requests again from <Time instant={retryAt} format="time-seconds" isZoneShown />.
        </p>
      )}
    </>
  )
}

/** The code and the request ID, to quote to support. */
function OutcomeFacts({ code, status, requestId }: Outcome) {
  // A code of the console itself says nothing more than its sentence.
  if ((!code || status === null) && !requestId) return null
  return (
    <div className="mt-1 flex flex-wrap items-center gap-x-2 text-xs text-soft">
      {code && status !== null && (
        <span>
          <code className="font-mono">{code}</code>
          {` · HTTP ${status}`}
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

/** Codes of a request that was not approved. Its outcome says what was not sent; what came with it may have been done. */
const notApproved: ReadonlySet<string | null> = new Set(['APPROVAL_DECLINED', 'APPROVAL_EXPIRED', 'APPROVAL_WITHDRAWN'])

/** An outcome other than success, in two lines: what happened, and what to do. */
export function OutcomeCallout({ outcome, actions }: { outcome: Outcome; actions?: ReactNode }) {
  const { state, happened, changed, next, code } = outcome
  const unchanged = changed === 'no' && !notApproved.has(code) ? 'Nothing was changed.' : ''
  return (
    <Callout
      tone={outcomeTones[state]}
      title={happened}
      isAlert
      actions={actions ?? outcomeAction(code, outcome.approvalId)}
    >
      <Finding {...outcome} />
      <p>{[unchanged, next].filter(Boolean).join(' ')}</p>
      <OutcomeFacts {...outcome} />
    </Callout>
  )
}

/** An outcome that takes the place of a dialog's form. */
export function outcomeText(outcome: Outcome, ending?: ReactNode): ConfirmOutcome {
  const { state, happened, next } = outcome
  return {
    tone: outcomeTones[state],
    title: outcomeTitles[state],
    body: (
      <>
        {state !== 'waiting' && <p>{happened}</p>}
        <Finding {...outcome} />
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
  finding: null,
  retryAt: null,
}

/** Shown where an action that changes nothing got no response. */
export const consoleUnreachableUnchanged = 'Carddesk isn’t responding. Nothing was changed. Try again.'

/** What a small form says of an action that was not done. */
export function failureText(problem: Outcome): string {
  return problem === lostResponse ? 'Carddesk isn’t responding. Try again.' : problem.happened
}

/** The refusal of a second try after a response that was lost: it says nothing of the first. */
export function refusedAfterLoss(refused: Outcome): Outcome {
  const { state, happened, changed, isSafeToRetry } = lostResponse
  return { ...refused, state, happened, changed, isSafeToRetry, next: refused.happened }
}

/** An error that is found before anything is sent. */
export function refusedHere(error: Pick<Outcome, 'happened' | 'next'> & Partial<Outcome>): Outcome {
  const nothing = { code: null, status: null, requestId: null, finding: null, retryAt: null }
  return { state: 'refused', changed: 'no', isSafeToRetry: false, needsReview: false, ...nothing, ...error }
}

/** The way on from an error that the person can resolve on another page, which leads back to this one; most have none. */
export function outcomeAction(code: string | null, approvalId?: string): ReactNode {
  if (approvalId !== undefined) return <RequestLink approvalId={approvalId} />
  if (code === 'PASSKEY_REQUIRED') return <EnrolmentLink />
  if (code === 'SIGN_IN_AGAIN') return <SignInAgain />
  return undefined
}

function useHere(): string {
  const pathname = usePathname()
  const search = useSearchParams().toString()
  return search ? `${pathname}?${search}` : pathname
}

/** Leads to the request that waits already. */
function RequestLink({ approvalId }: { approvalId: string }) {
  const environment = environmentOfPath(usePathname()) ?? 'sandbox'
  return <TextLink href={routes.approval(environment, approvalId)}>View request</TextLink>
}

function EnrolmentLink() {
  const here = useHere()
  const environment = environmentOfPath(here) ?? 'sandbox'
  return <TextLink href={routes.ownAccount(environment, { back: here })}>Add a passkey</TextLink>
}

/** Uses the form of the shell, because the error may be inside another form. */
function SignInAgain() {
  const here = useHere()
  return (
    <Button size="small" type="submit" form={signOutForm} name="returnTo" value={here}>
      Sign in again
    </Button>
  )
}
