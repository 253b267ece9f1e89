'use client'

import type { ReactNode } from 'react'
import { ConfirmDialog, type ConfirmDialogProps, type ConfirmOutcome } from '#components/form/confirm-dialog.tsx'
import { Button } from '#components/ui/button.tsx'
import { outcomeText } from './outcome-text.tsx'
import type { useOperation } from './use-operation.ts'

/**
 * Asks for one operation and ends with the truth about it. `fields` are the inputs that show their own problem; `problem` puts
 * words to one that no input of the dialog has; `ending` is the truth as it was read afterwards, below how it ended.
 */
export function OperationDialog({
  isOpen,
  onClose,
  operation,
  fields = [],
  isOwnField = (field) => fields.includes(field),
  problem = (field, wrong) => `${field} ${wrong}.`,
  ending,
  ...props
}: Omit<ConfirmDialogProps, 'isOpen' | 'onOpenChange' | 'isPending' | 'outcome' | 'onRetry'> & {
  isOpen: boolean
  onClose: () => void
  operation: Pick<ReturnType<typeof useOperation>, 'outcome' | 'isPending' | 'errors' | 'retry' | 'resolve'>
  fields?: readonly string[]
  isOwnField?: (field: string) => boolean
  problem?: (field: string, wrong: string) => string
  ending?: ReactNode
}) {
  const { outcome, isPending, errors, retry, resolve } = operation
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
      isOpen={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      isPending={isPending}
      outcome={outcome === null ? null : withEnding(outcomeText(outcome), outcome.needsReview ? review : ending)}
      onRetry={outcome !== null && outcome.state !== 'done' && outcome.isSafeToRetry ? retry : undefined}
    >
      {props.children}
      {other.map(([field, wrong]) => (
        <p key={field} role="alert" className="text-bad">
          {problem(field, wrong)}
        </p>
      ))}
    </ConfirmDialog>
  )
}

function withEnding({ body, ...outcome }: ConfirmOutcome, ending: ReactNode): ConfirmOutcome {
  return {
    ...outcome,
    body: (
      <>
        {body}
        {ending}
      </>
    ),
  }
}
