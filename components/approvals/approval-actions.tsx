'use client'

import { useState } from 'react'
import { AuditTrailLink } from '#components/audit/audit-trail-link.tsx'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { ConfirmDialog } from '#components/form/confirm-dialog.tsx'
import { TextArea } from '#components/form/text-area.tsx'
import { OutcomeCallout } from '#components/operations/outcome-text.tsx'
import { useAction } from '#components/operations/use-action.ts'
import { Button } from '#components/ui/button.tsx'
import { type DialogProps, useOpened } from '#components/ui/dialog.tsx'
import { onlyRoles } from '#lib/auth/permissions.ts'
import { decidingPermission } from '#lib/operations/approvals/policy-rules.ts'
import type { ApprovalDetail } from '#lib/operations/approvals/types.ts'
import { longestComment } from '#lib/shared/reasons.ts'

/** The person's actions on a request: withdraw an own one, decide on another's. */
export function ApprovalActions({ detail }: { detail: ApprovalDetail }) {
  const { approval, isOwn } = detail
  const { may } = usePermissions()
  const permission = decidingPermission(approval.topic)
  const mayDecide = may.has(permission)
  const { open, opened } = useOpened<{ decision: 'approve' | 'decline' }>()
  const why = isOwn ? 'Another person has to decide.' : mayDecide ? undefined : onlyRoles(permission)
  const guard = { unavailable: why, reason: 'described' as const }
  return (
    <>
      <AuditTrailLink operationId={approval.id} />
      {approval.state === 'waiting' && (
        <>
          {isOwn && <WithdrawButton approvalId={approval.id} />}
          <Button {...guard} onClick={() => open({ decision: 'decline' })}>
            Decline…
          </Button>
          <Button variant="primary" {...guard} onClick={() => open({ decision: 'approve' })}>
            Approve…
          </Button>
        </>
      )}
      {opened && <DecideDialog key={opened.operationId} detail={detail} {...opened} />}
    </>
  )
}

const questions = {
  approve: { title: 'Approve this request?', label: 'Approve request' },
  decline: { title: 'Decline this request?', label: 'Decline request' },
} as const

/** Requests the reason of a decision. An approved request is sent before the dialog closes. */
function DecideDialog({
  detail: { approval, fingerprint },
  decision,
  ...dialog
}: DialogProps & {
  detail: ApprovalDetail
  decision: keyof typeof questions
}) {
  const { isPending, problem, errors, run } = useAction()
  const issue = errors.reason ?? Object.values(errors).join(', ')
  const { title, label } = questions[decision]
  // A help desk shows why something was declined.
  const isUnseen = approval.by.role === null && decision === 'approve'

  async function decide(fields: FormData) {
    const reason = String(fields.get('reason') ?? '')
    const input = { approvalId: approval.id, decision, reason, fingerprint }
    if (await run('decideApproval', input)) dialog.onClose()
  }

  return (
    <ConfirmDialog
      {...dialog}
      confirmationLevel={decision === 'approve' ? 'light' : 'moderate'}
      title={title}
      consequence={decision === 'approve' ? approval.effect : 'Nothing is sent. This can’t be undone.'}
      confirmLabel={label}
      cancelLabel="Not now"
      note="Saved in the audit log"
      isPending={isPending}
      problem={problem && <OutcomeCallout outcome={problem} />}
      onConfirm={(fields) => void decide(fields)}
    >
      <TextArea
        name="reason"
        label={decision === 'approve' ? 'Comment' : 'Reason'}
        isOptional={decision === 'approve'}
        rows={2}
        maxLength={longestComment}
        hint={isUnseen ? 'Only Carddesk shows it.' : `${approval.by.name} can read it.`}
        error={issue && `${decision === 'approve' ? 'The comment' : 'A reason'} ${issue}.`}
      />
    </ConfirmDialog>
  )
}

/** Takes the person's own request back. */
function WithdrawButton({ approvalId }: { approvalId: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const { isPending, problem, run } = useAction()

  async function withdraw() {
    if (await run('withdrawApproval', { approvalId })) setIsOpen(false)
  }

  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Withdraw request…</Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        confirmationLevel="moderate"
        title="Withdraw this request?"
        consequence="Nothing is sent. It can no longer be approved."
        confirmLabel="Withdraw request"
        cancelLabel="Keep request"
        note="Saved in the audit log"
        isPending={isPending}
        problem={problem && <OutcomeCallout outcome={problem} />}
        onConfirm={() => void withdraw()}
      />
    </>
  )
}
