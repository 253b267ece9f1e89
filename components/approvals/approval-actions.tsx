'use client'

import { useState } from 'react'
import { AuditTrailLink } from '#components/audit/audit-trail-link.tsx'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { TextArea } from '#components/form/text-area.tsx'
import { ActionDialog } from '#components/operations/action-dialog.tsx'
import { refusedHere } from '#components/operations/outcome-text.tsx'
import { Button } from '#components/ui/button.tsx'
import { type DialogProps, useOpened } from '#components/ui/dialog.tsx'
import { decidingPermissions } from '#lib/operations/approvals/policy-rules.ts'
import type { ApprovalDetail } from '#lib/operations/approvals/types.ts'
import { longestComment } from '#lib/shared/reasons.ts'
import { decidedText, effectText } from './approval-labels.ts'

/** The person's actions on a request: withdraw an own one, decide on another's. */
export function ApprovalActions({ detail }: { detail: ApprovalDetail }) {
  const { approval, isOwn, isMaker } = detail
  const { denied } = usePermissions()
  const { open, opened } = useOpened<{ decision: 'approve' | 'decline' }>()
  const why = isMaker ? 'Another person has to decide.' : denied(decidingPermissions[approval.topic])
  const guard = { unavailable: why, reason: 'described' as const }
  return (
    <>
      <AuditTrailLink operationId={approval.id} />
      {approval.state === 'waiting' && (
        <>
          {isOwn && <WithdrawButton detail={detail} />}
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
  detail,
  decision,
  ...dialog
}: DialogProps & {
  detail: ApprovalDetail
  decision: keyof typeof questions
}) {
  const { approval, fingerprint } = detail
  const { title, label } = questions[decision]
  // A help desk shows why something was declined.
  const isUnseen = approval.by.role === null && decision === 'approve'
  return (
    <ActionDialog
      {...dialog}
      action="decideApproval"
      foreseen={
        approval.state === 'waiting'
          ? null
          : refusedHere({ happened: decidedText(approval), next: 'Nothing is left to decide.' })
      }
      input={(fields) => ({
        approvalId: approval.id,
        topic: approval.topic,
        decision,
        reason: String(fields.get('reason') ?? ''),
        fingerprint,
      })}
      confirmationLevel={decision === 'approve' ? 'light' : 'moderate'}
      title={title}
      consequence={decision === 'approve' ? effectText(detail) : `${endText(detail)} This can’t be undone.`}
      confirmLabel={label}
      cancelLabel="Not now"
      note="Saved in the audit log"
    >
      {(errors) => {
        const issue = errors.reason ?? Object.values(errors).join(', ')
        return (
          <TextArea
            name="reason"
            label={decision === 'approve' ? 'Comment' : 'Reason'}
            isOptional={decision === 'approve'}
            rows={2}
            maxLength={longestComment}
            hint={isUnseen ? 'Only Carddesk shows it.' : `${approval.by.name} can read it.`}
            error={issue && `${decision === 'approve' ? 'The comment' : 'A reason'} ${issue}.`}
          />
        )
      }}
    </ActionDialog>
  )
}

/** What the end of a request leaves: a lock that came with it is not taken back. */
function endText({ operation }: ApprovalDetail): string {
  const isLocked = operation?.steps.some(({ kind, outcome }) => kind === 'card.lock' && outcome.state === 'done')
  return isLocked ? 'Nothing more is sent. The card stays locked.' : 'Nothing is sent.'
}

/** Takes the person's own request back. */
function WithdrawButton({ detail }: { detail: ApprovalDetail }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Withdraw request…</Button>
      <ActionDialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        action="withdrawApproval"
        input={{ approvalId: detail.approval.id }}
        confirmationLevel="moderate"
        title="Withdraw this request?"
        consequence={`${endText(detail)} It can no longer be approved.`}
        confirmLabel="Withdraw request"
        cancelLabel="Keep request"
        note="Saved in the audit log"
      />
    </>
  )
}
