'use client'

import { useEnvironment } from '#components/environment/use-environment.ts'
import { FormDialog } from '#components/form/form-dialog.tsx'
import { TextField } from '#components/form/text-field.tsx'
import { ActionDialog } from '#components/operations/action-dialog.tsx'
import { outcomeAction, OutcomeCallout, refusedHere } from '#components/operations/outcome-text.tsx'
import { useAction } from '#components/operations/use-action.ts'
import { withStepUp } from '#components/operations/with-step-up.ts'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { Dialog, type DialogProps } from '#components/ui/dialog.tsx'
import { showToast } from '#components/ui/toasts.tsx'
import { runAction } from '#lib/actions/run-action.ts'
import type { EnrolmentResult, OwnSession, Passkey } from '#lib/console/own-account/types.ts'
import type { NotStarted } from '#lib/operations/types.ts'

/** Adds a passkey under a name; with a `passkey`, gives that one another name. */
export function PasskeyNameDialog({
  passkey,
  needsSignIn = false,
  onDone,
  ...dialog
}: DialogProps & {
  passkey: Passkey | null
  /** Nothing is asked for before the person has signed in again. */
  needsSignIn?: boolean
  onDone?: () => void
}) {
  const { isPending, problem, errors, onChange, run, perform } = useAction()
  const environment = useEnvironment()

  async function save(form: FormData) {
    const name = String(form.get('name') ?? '')
    const saved = passkey
      ? await run('renamePasskey', { id: passkey.id, name })
      : await perform('finishEnrolment', () => enrol(name))
    if (!saved) return
    showToast({ environment, tone: 'good', title: passkey ? 'Passkey renamed' : 'Passkey added' })
    dialog.onClose()
    onDone?.()
  }

  if (needsSignIn) {
    return (
      <Dialog
        {...dialog}
        title="Sign in again to add a passkey"
        footer={<Button onClick={dialog.onClose}>Not now</Button>}
      >
        <Callout tone="info" title="You signed in more than 15 minutes ago." actions={outcomeAction('SIGN_IN_AGAIN')}>
          A first passkey takes a new sign-in. You come back to this page.
        </Callout>
      </Dialog>
    )
  }
  return (
    <FormDialog
      {...dialog}
      title={passkey ? 'Rename this passkey?' : 'Add a passkey?'}
      description={passkey ? undefined : 'Your device asks for your fingerprint, face or PIN.'}
      submitLabel={passkey ? 'Rename passkey' : 'Add passkey'}
      isPending={isPending}
      onChange={onChange}
      onSubmit={(form) => void save(form)}
    >
      {problem && <OutcomeCallout outcome={problem} />}
      <TextField
        label="Name"
        name="name"
        hint="The device, such as Work laptop"
        maxLength={60}
        defaultValue={passkey?.name}
        error={errors.name}
      />
    </FormDialog>
  )
}

/** Makes a passkey on this device. Each further one is confirmed by one that there is. */
async function enrol(name: string): Promise<{ kind: 'done' } | NotStarted> {
  if (name.trim() === '') return { kind: 'invalid', fields: { name: 'must not be empty' } }
  const started = await withStepUp<EnrolmentResult>(() => runAction('beginEnrolment', {}))
  if (started.kind !== 'ready') return started
  const { id, options } = started.enrolment
  const { startRegistration } = await import('@simplewebauthn/browser')
  const response = await startRegistration({ optionsJSON: options }).catch((error: unknown) =>
    error instanceof Error ? error.name : 'Error',
  )
  if (typeof response !== 'string') return runAction('finishEnrolment', { id, name, response })
  const isKnown = response === 'InvalidStateError'
  const outcome = refusedHere({
    happened: isKnown ? 'This device has a passkey of yours.' : 'Your device made no passkey.',
    isSafeToRetry: true,
    next: isKnown ? 'Use another device or security key.' : 'Try again, and allow the request of your device.',
  })
  return { kind: 'refused', outcome }
}

export function RemovePasskeyDialog({ passkey, ...dialog }: DialogProps & { passkey: Passkey }) {
  return (
    <ActionDialog
      {...dialog}
      action="removePasskey"
      input={{ id: passkey.id }}
      done="Passkey removed"
      confirmationLevel="moderate"
      title={`Remove the passkey ${passkey.name}?`}
      consequence="It confirms nothing any more. A passkey of yours confirms the removal."
      confirmLabel="Remove passkey"
      cancelLabel="Keep passkey"
      note="Saved in the audit log"
    />
  )
}

export function EndSessionDialog({
  session,
  takesPasskey,
  ...dialog
}: DialogProps & { session: OwnSession | 'others'; takesPasskey: boolean }) {
  const isAll = session === 'others'
  return (
    <ActionDialog
      {...dialog}
      action="endOwnSession"
      input={{ sessionId: isAll ? session : session.id }}
      done={isAll ? 'Sessions ended' : 'Session ended'}
      confirmationLevel="light"
      title={isAll ? 'End all other sessions?' : `End the session of ${session.device}?`}
      consequence={`${isAll ? 'Their next requests are' : 'Its next request is'} signed out.${takesPasskey ? ' A passkey of yours confirms it.' : ''}`}
      confirmLabel={isAll ? 'End sessions' : 'End session'}
      cancelLabel={isAll ? 'Keep sessions' : 'Keep session'}
      note="Saved in the audit log"
    />
  )
}
