'use client'

import { useState } from 'react'
import { ConfirmDialog } from '#components/form/confirm-dialog.tsx'
import { TextArea } from '#components/form/text-area.tsx'
import { lostResponse, OutcomeCallout } from '#components/operations/outcome-text.tsx'
import { decideApproval } from '#lib/actions/approvals.ts'
import type { ApprovalDetail } from '#lib/console/approvals/shapes.ts'
import type { Outcome } from '#lib/console/desk/shapes.ts'
import { longestComment } from '#lib/shared/reasons.ts'
import type { Environment } from '#lib/shared/routes.ts'

const questions = {
  approve: { title: 'Approve this request?', label: 'Approve request', cancel: 'Don’t approve' },
  decline: { title: 'Decline this request?', label: 'Decline request', cancel: 'Don’t decline' },
} as const

/** Requests the reason of a decision. An approved request is sent before the dialog closes. */
export function DecideDialog({
  environment,
  detail: { approval, fingerprint },
  decision,
  isOpen,
  onClose,
}: {
  environment: Environment
  detail: ApprovalDetail
  decision: keyof typeof questions
  isOpen: boolean
  onClose: (isDecided: boolean) => void
}) {
  const [isPending, setIsPending] = useState(false)
  const [issue, setIssue] = useState<string | null>(null)
  const [problem, setProblem] = useState<Outcome | null>(null)
  const { title, label, cancel } = questions[decision]

  async function decide(fields: FormData) {
    const reason = String(fields.get('reason') ?? '')
    setIsPending(true)
    setIssue(null)
    setProblem(null)
    const input = { environment, approvalId: approval.id, decision, reason, fingerprint }
    const result = await decideApproval(input).catch(() => null)
    setIsPending(false)
    if (result?.kind === 'settled') return onClose(true)
    if (result?.kind === 'invalid') return setIssue(result.fields.reason ?? Object.values(result.fields).join(', '))
    setProblem(result?.outcome ?? lostResponse)
  }

  return (
    <ConfirmDialog
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose(false)}
      grade={decision === 'approve' ? 'light' : 'moderate'}
      title={title}
      consequence={decision === 'approve' ? approval.effect : 'Nothing is sent. This can’t be undone.'}
      confirmLabel={label}
      cancelLabel={cancel}
      note="Saved in the audit log"
      isPending={isPending}
      problem={problem && <OutcomeCallout outcome={problem} />}
      onConfirm={(fields) => void decide(fields)}
    >
      <TextArea
        name="reason"
        label="Reason"
        rows={2}
        maxLength={longestComment}
        hint={`${approval.by.name} can read it.`}
        error={issue && `A reason ${issue}.`}
      />
    </ConfirmDialog>
  )
}
