'use client'

import type { ReactNode } from 'react'
import { WaitingRequest } from '#components/approvals/waiting-request.tsx'
import { ConfirmDialog, type ConfirmDialogProps } from '#components/form/confirm-dialog.tsx'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { OutcomeCallout, outcomeText } from './outcome-text.tsx'
import type { useOperation } from './use-operation.ts'

/**
 * Requests one operation. A refused one returns to the form, with its fields as they were filled in; an outcome that is not
 * known yet takes the form's place. `fields` are the inputs that show their own problem; `problem` is the sentence for one
 * that no input of the dialog has.
 */
export function OperationDialog({
  operation,
  fields = [],
  isOwnField = (field) => fields.includes(field),
  problem = (field, wrong) => `${field} ${wrong}.`,
  ending,
  children,
  ...props
}: Omit<ConfirmDialogProps, 'isPending' | 'outcome' | 'onRetry' | 'problem'> & {
  operation: Pick<
    ReturnType<typeof useOperation>,
    'outcome' | 'problem' | 'isPending' | 'errors' | 'retry' | 'resolve' | 'waiting'
  >
  fields?: readonly string[]
  isOwnField?: (field: string) => boolean
  problem?: (field: string, wrong: string) => string
  ending?: ReactNode
}) {
  const { outcome, isPending, errors, retry, resolve, waiting } = operation
  const review = (
    <div className="mt-3 flex flex-wrap gap-2">
      <Button isPending={isPending} onClick={() => resolve('made')}>
        It was made
      </Button>
      <Button isPending={isPending} onClick={() => resolve('not-made')}>
        It was not made
      </Button>
    </div>
  )
  const other = Object.entries(errors).filter(([field]) => !isOwnField(field))
  return (
    <ConfirmDialog
      {...props}
      isPending={isPending}
      problem={operation.problem && <OutcomeCallout outcome={operation.problem} />}
      outcome={
        outcome === null
          ? null
          : outcomeText(outcome, outcome.needsReview ? review : waiting ? <WaitingRequest {...waiting} /> : ending)
      }
      onRetry={outcome?.isSafeToRetry && outcome.state !== 'done' ? retry : undefined}
    >
      {children}
      {other.map(([field, wrong]) => (
        <p key={field} role="alert" className="text-bad">
          {problem(field, wrong)}
        </p>
      ))}
    </ConfirmDialog>
  )
}

/** In a dialog: its content could not be read. `children` say why. */
export function ReadFailed({
  title,
  isRetrying,
  onRetry,
  children,
}: {
  title: string
  isRetrying: boolean
  onRetry: () => void
  children: ReactNode
}) {
  return (
    <Callout
      tone="bad"
      title={title}
      isAlert
      actions={
        <Button isPending={isRetrying} onClick={onRetry}>
          Read again
        </Button>
      }
    >
      {children} Nothing was changed.
    </Callout>
  )
}
