'use client'

import { useState } from 'react'
import { ConfirmDialog } from '#components/form/confirm-dialog.tsx'
import { lostResponse, OutcomeCallout } from '#components/operations/outcome-text.tsx'
import { Button } from '#components/ui/button.tsx'
import { withdrawApproval } from '#lib/actions/approvals.ts'
import type { Outcome } from '#lib/console/desk/shapes.ts'
import type { Environment } from '#lib/shared/routes.ts'

/** Takes the person's own request back. */
export function WithdrawButton({
  environment,
  approvalId,
  onDone,
}: {
  environment: Environment
  approvalId: string
  onDone: () => void
}) {
  const [isOpen, setIsOpen] = useState(false)
  const [isPending, setIsPending] = useState(false)
  const [problem, setProblem] = useState<Outcome | null>(null)

  async function withdraw() {
    setIsPending(true)
    setProblem(null)
    const result = await withdrawApproval({ environment, approvalId }).catch(() => null)
    setIsPending(false)
    if (result?.kind !== 'settled') return setProblem(result?.kind === 'refused' ? result.outcome : lostResponse)
    setIsOpen(false)
    onDone()
  }

  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Withdraw request…</Button>
      <ConfirmDialog
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        grade="moderate"
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
