'use client'

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import type { Facts } from '#components/ui/fact-list.tsx'
import { DigitsField } from './text-field.tsx'

export type ConfirmOutcome = {
  tone: 'good' | 'info' | 'warn' | 'bad'
  title: string
  /** The failure, the next step, and the request id for support. */
  body?: ReactNode
}

export type ConfirmDialogProps = {
  isOpen: boolean
  onClose: () => void
  /**
   * `light` and `moderate` confirm once; `high` requires typing `typed.digits`. Only `light` may have a quiet button.
   */
  confirmationLevel: 'light' | 'moderate' | 'high'
  title: string
  /** Effect of the action, as text. */
  consequence: ReactNode
  /** The facts that the decision needs: amounts, the status now. */
  rows?: Facts
  /** The last four digits, and the label of their field. Required by the level `high`. */
  typed?: { digits: string; label?: string }
  /** Fields: a reason, a PIN. Those with a `name` come with `onConfirm`; native validation holds. */
  children?: ReactNode
  confirmLabel: string
  confirmIcon?: ReactNode
  cancelLabel?: string
  note?: ReactNode
  size?: 'base' | 'large'
  /** Why it cannot be confirmed as it is now: what the decision needs is not there yet. */
  unavailable?: string | undefined
  /** Where the focus goes afterwards, where what opened it may be gone; null: back to what opened it. */
  finalFocus?: (() => HTMLElement | null) | undefined
  isPending?: boolean
  /** Why it was not done; shown above the form, which keeps its entries. */
  problem?: ReactNode
  /** How it ended; takes the place of the question, its title too. */
  outcome?: ConfirmOutcome | null
  /** Offered beside an outcome, where trying again or going on is safe. */
  onRetry?: (() => void) | undefined
  retryLabel?: string
  onConfirm: (fields: FormData) => void
}

/** The focus was put there by the dialog: it shows for the mouse too. */
const focusShown = 'focus:outline-2 focus:outline-offset-2 focus:outline-accent'

/**
 * Asks before something is done, graded by the harm. The focus starts on the first text to enter, on Cancel where there is none;
 * Enter in a field does nothing, and while the response is awaited the dialog stays: it ends with the result.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, onClose, title, consequence, isPending = false, outcome } = props
  const cancelRef = useRef<HTMLButtonElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const [typedDigits, setTypedDigits] = useState('')
  const [wasOpen, setWasOpen] = useState(isOpen)
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen)
    setTypedDigits('')
  }
  // Once per outcome and not on every render: the focus may have moved to another element of the dialog.
  const endedAs = outcome?.title
  const wasConfirmed = useRef(false)
  useEffect(() => {
    if (endedAs !== undefined) cancelRef.current?.focus()
  }, [endedAs])

  // A field that was refused gets the focus once its error shows.
  useEffect(() => {
    if (!wasConfirmed.current || isPending) return
    wasConfirmed.current = false
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  })

  function confirm() {
    if (!form.current?.reportValidity()) return
    wasConfirmed.current = true
    props.onConfirm(new FormData(form.current))
  }

  return (
    <Dialog
      kind="alert"
      isOpen={isOpen}
      onClose={onClose}
      isLocked={isPending}
      initialFocus={() => firstText(form.current) ?? cancelRef.current}
      finalFocus={props.finalFocus}
      title={dialogTitle(title, outcome)}
      size={props.size}
      description={outcome ? undefined : consequence}
      footer={
        outcome ? (
          <>
            {props.onRetry && (
              <Button size="large" isPending={isPending} onClick={props.onRetry}>
                {props.retryLabel ?? 'Try again'}
              </Button>
            )}
            <Button ref={cancelRef} size="large" variant="primary" className={focusShown} onClick={onClose}>
              Close
            </Button>
          </>
        ) : (
          <Question
            {...props}
            typedDigits={typedDigits}
            cancelButton={
              <Button
                ref={cancelRef}
                size="large"
                className={focusShown}
                unavailable={isPending ? 'Waiting for the response' : undefined}
                reason="described"
                onClick={onClose}
              >
                {props.cancelLabel ?? 'Cancel'}
              </Button>
            }
            confirm={confirm}
          />
        )
      }
    >
      {outcome?.body !== undefined && (
        <Callout tone={outcome.tone} isAlert>
          {outcome.body}
        </Callout>
      )}
      <form ref={form} hidden={Boolean(outcome)} className="grid gap-4" onSubmit={(event) => event.preventDefault()}>
        {props.problem}
        {props.rows && <Rows rows={props.rows} />}
        {props.children}
        {props.confirmationLevel === 'high' && props.typed && (
          <DigitsField
            label={props.typed.label ?? `Type the last four digits, ${props.typed.digits}, to confirm`}
            digits={props.typed.digits.length}
            value={typedDigits}
            onDigits={setTypedDigits}
            data-work="none"
          />
        )}
      </form>
    </Dialog>
  )
}

/** The question, and once it is answered the result, which a screen reader says: at once where it is not what was asked for. */
export function dialogTitle(question: string, outcome: ConfirmOutcome | null | undefined): ReactNode {
  if (!outcome) return question
  const { tone, title } = outcome
  return <span role={tone === 'bad' || tone === 'warn' ? 'alert' : 'status'}>{title}</span>
}

/** Null where there is only the confirmation to type: it must be typed on purpose. */
function firstText(form: HTMLFormElement | null): HTMLElement | null {
  return form?.querySelector<HTMLElement>('input:is([type=text], [type=password]):not([data-work]), textarea') ?? null
}

function Rows({ rows }: { rows: Facts }) {
  const facts = rows.filter((fact) => fact !== null && typeof fact === 'object')
  if (facts.length === 0) return null
  return (
    <dl className="divide-y rounded-panel border">
      {facts.map((row) => (
        <div key={row.label} className="flex flex-wrap items-baseline justify-between gap-x-4 px-3 py-2">
          <dt className="text-soft">{row.label}</dt>
          <dd className="ml-auto text-right">{row.value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Question({
  confirmationLevel,
  typed,
  typedDigits,
  confirmLabel,
  confirmIcon,
  note,
  unavailable,
  isPending = false,
  cancelButton,
  confirm,
}: ConfirmDialogProps & { typedDigits: string; cancelButton: ReactNode; confirm: () => void }) {
  const isMissingDigits = confirmationLevel === 'high' && typed !== undefined && typedDigits !== typed.digits
  const missing = unavailable ?? (isMissingDigits ? `Type ${typed.digits} first.` : undefined)
  return (
    <>
      {note !== undefined && <div className="mr-auto text-xs text-soft">{note}</div>}
      {cancelButton}
      <Button
        size="large"
        variant={confirmationLevel === 'light' ? 'primary' : 'danger'}
        icon={confirmIcon}
        isPending={isPending}
        unavailable={isPending ? undefined : missing}
        reason="described"
        onClick={confirm}
      >
        {confirmLabel}
      </Button>
    </>
  )
}
