'use client'

import { type ReactNode, useState } from 'react'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { ConfirmDialog, type ConfirmDialogProps } from '#components/form/confirm-dialog.tsx'
import { showToast } from '#components/ui/toasts.tsx'
import type { ActionName } from '#lib/api/actions.ts'
import type { Outcome } from '#lib/operations/types.ts'
import { outcomeAction, OutcomeCallout, outcomeText } from './outcome-text.tsx'
import { type PageInput, useAction } from './use-action.ts'

/**
 * Asks before an action that is no operation, whose `input` may be of the dialog's fields. It closes once the action is done, and a toast
 * says `done` where the page does not. A refusal that may be over at the next attempt, or that the person can resolve, stays above the
 * form; any other takes the place of the question until the dialog is opened again. `children` get the errors of the fields.
 */
export function ActionDialog<Name extends ActionName>({
  action,
  input,
  done,
  foreseen = null,
  children,
  ...question
}: Omit<ConfirmDialogProps, 'isPending' | 'problem' | 'outcome' | 'onRetry' | 'onConfirm' | 'children'> & {
  action: Name
  input: PageInput<Name> | ((fields: FormData) => PageInput<Name>)
  done?: string
  /** Why it would be refused, as its record is now. Says nothing once the person has confirmed: the record may show their own action. */
  foreseen?: Outcome | null
  children?: (errors: Readonly<Record<string, string>>) => ReactNode
}) {
  const environment = useEnvironment()
  const { isPending, problem: refusal, clearProblem, errors, onChange, run } = useAction()
  const [isConfirmed, setIsConfirmed] = useState(false)
  const problem = isConfirmed ? refusal : (refusal ?? foreseen)
  const isFinal = problem?.state === 'refused' && !problem.isSafeToRetry && outcomeAction(problem.code) === undefined
  const [wasOpen, setWasOpen] = useState(question.isOpen)
  if (question.isOpen !== wasOpen) {
    setWasOpen(question.isOpen)
    if (question.isOpen) setIsConfirmed(false)
    if (question.isOpen && isFinal) clearProblem()
  }

  async function confirm(fields: FormData) {
    setIsConfirmed(true)
    if (!(await run(action, typeof input === 'function' ? input(fields) : input))) return setIsConfirmed(false)
    if (done) showToast({ environment, tone: 'good', title: done })
    question.onClose()
  }

  return (
    <ConfirmDialog
      {...question}
      isPending={isPending}
      problem={problem && !isFinal && <OutcomeCallout outcome={problem} />}
      outcome={isFinal ? outcomeText(problem, outcomeAction(null, problem.approvalId)) : null}
      onConfirm={(fields) => void confirm(fields)}
    >
      <div className="contents" onChange={onChange}>
        {children?.(errors)}
      </div>
    </ConfirmDialog>
  )
}
