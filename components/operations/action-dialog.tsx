'use client'

import type { ReactNode } from 'react'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { ConfirmDialog, type ConfirmDialogProps } from '#components/form/confirm-dialog.tsx'
import { showToast } from '#components/ui/toasts.tsx'
import type { ActionName } from '#lib/api/actions.ts'
import { OutcomeCallout } from './outcome-text.tsx'
import { type PageInput, useAction } from './use-action.ts'

/**
 * Asks before an action that is no operation, whose `input` may be of the dialog's fields. It closes once the action is done, and a toast
 * says `done` where the page does not; a refusal stays in the dialog. `children` get the errors of the fields.
 */
export function ActionDialog<Name extends ActionName>({
  action,
  input,
  done,
  children,
  ...question
}: Omit<ConfirmDialogProps, 'isPending' | 'problem' | 'outcome' | 'onRetry' | 'onConfirm' | 'children'> & {
  action: Name
  input: PageInput<Name> | ((fields: FormData) => PageInput<Name>)
  done?: string
  children?: (errors: Readonly<Record<string, string>>) => ReactNode
}) {
  const environment = useEnvironment()
  const { isPending, problem, errors, onChange, run } = useAction()

  async function confirm(fields: FormData) {
    if (!(await run(action, typeof input === 'function' ? input(fields) : input))) return
    if (done) showToast({ environment, tone: 'good', title: done })
    question.onClose()
  }

  return (
    <ConfirmDialog
      {...question}
      isPending={isPending}
      problem={problem && <OutcomeCallout outcome={problem} />}
      onConfirm={(fields) => void confirm(fields)}
    >
      <div className="contents" onChange={onChange}>
        {children?.(errors)}
      </div>
    </ConfirmDialog>
  )
}
