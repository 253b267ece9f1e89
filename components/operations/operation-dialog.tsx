'use client'

import type { ReactNode } from 'react'
import { WaitingRequest } from '#components/approvals/waiting-request.tsx'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { ConfirmDialog, type ConfirmDialogProps } from '#components/form/confirm-dialog.tsx'
import { errorSentence } from '#components/form/error-sentence.ts'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { TextLink } from '#components/ui/text-link.tsx'
import { findOperationDefinition } from '#lib/api/actions.ts'
import type { Operation } from '#lib/operations/types.ts'
import { routes } from '#lib/shared/routes.ts'
import { OutcomeCallout, outcomeText, pastTitle } from './outcome-text.tsx'
import { SettleButtons } from './settle-buttons.tsx'
import type { DialogOperation } from './use-operation.ts'

/**
 * Requests one operation. A refused one returns to the form, with its fields as they were filled in; an outcome that is not
 * known yet takes the form's place. `fields` are the inputs that show their own problem; `problem` is the sentence for one
 * that no input of the dialog has.
 */
export function OperationDialog({
  operation,
  fields = [],
  isOwnField = (field) => fields.includes(field),
  problem = (field, wrong) => errorSentence(fieldNames[field] ?? field, wrong),
  ending,
  children,
  ...props
}: Omit<ConfirmDialogProps, 'isPending' | 'outcome' | 'onRetry' | 'problem'> & {
  operation: DialogOperation
  fields?: readonly string[]
  isOwnField?: (field: string) => boolean
  problem?: (field: string, wrong: string) => string
  ending?: ReactNode
}) {
  const environment = useEnvironment()
  const { outcome, isPending, errors, correct, retry, resolve, waiting, operationId, resultId, creates } = operation
  const verb = creates ? 'made' : 'done'
  const review = (
    <>
      {resultId !== null && (
        <p>
          Its ID is <IdText id={resultId} label="ID of the new record" />
        </p>
      )}
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <SettleButtons verb={verb} isPending={isPending} onSettle={resolve} />
        <TextLink href={routes.operation(environment, operationId)}>View all checks</TextLink>
      </div>
    </>
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
          : outcomeText(
              outcome,
              <>
                <Steps steps={operation.steps} />
                {outcome.needsReview ? review : waiting ? <WaitingRequest {...waiting} /> : ending}
              </>,
            )
      }
      onRetry={outcome?.isSafeToRetry && outcome.state !== 'done' ? retry : undefined}
    >
      {/* An entry that is being changed is not wrong any more. */}
      <div className="contents" onChange={({ target }) => 'name' in target && correct(String(target.name))}>
        {children}
      </div>
      {other.map(([field, wrong]) => (
        <p key={field} role="alert" className="text-bad">
          {problem(field, wrong)}
        </p>
      ))}
    </ConfirmDialog>
  )
}

/** Names of fields that no input of a dialog has. */
const fieldNames: Record<string, string> = { cardId: 'card ID', feeId: 'fee ID' }

/** The steps of an operation so far, each with how it ended. */
function Steps({ steps }: { steps: Operation['steps'] }) {
  if (steps.length === 0) return null
  return (
    <ul className="mt-2 grid gap-0.5">
      {steps.map(({ kind, outcome }) => {
        const row = findOperationDefinition(kind)
        return (
          <li key={kind}>
            <span className="font-medium">{pastTitle(outcome.state, row?.label ?? kind, row?.done)}.</span>{' '}
            {outcome.state === 'done' || outcome.state === 'waiting' ? '' : outcome.happened}
          </li>
        )
      })}
    </ul>
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
