'use client'

import { ChevronDown, FlaskConical, Send } from 'lucide-react'
import { accountTitle } from '#components/card-accounts/account-labels.ts'
import { useLab } from '#components/environment/use-environment.ts'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { OperationDialog } from '#components/operations/operation-dialog.tsx'
import { type OperationProps, useOperation } from '#components/operations/use-operation.ts'
import { Button } from '#components/ui/button.tsx'
import { lazyDialog, useOpened } from '#components/ui/dialog.tsx'
import { Menu } from '#components/ui/menu.tsx'
import { type ActionInput } from '#lib/actions/run-action.ts'
import type { IdentityCase } from '#lib/console/identity/types.ts'
import { rejectionReasons } from '#lib/contract/terms.ts'

const ResubmitDialog = lazyDialog(() => import('./resubmit-dialog.tsx').then((file) => file.ResubmitDialog))

type Decision = Pick<ActionInput<'identity.simulate'>, 'decision' | 'rejectedReason'>

/** Staff's actions on an identity: submit a rejected one again; in the sandbox, simulate a decision. */
export function IdentityActions({ found }: { found: IdentityCase }) {
  const { may, denied } = usePermissions()
  const resubmission = useOpened()
  const simulation = useOpened<Decision>()
  const lab = useLab()
  const simulate = simulation.open
  return (
    <>
      {may.has('sandbox.simulate') && (
        <Menu
          label="Simulate a decision"
          trigger={
            <>
              <FlaskConical aria-hidden="true" />
              Simulate
              <ChevronDown aria-hidden="true" />
            </>
          }
          items={[
            { kind: 'action', label: 'Approve', onSelect: () => simulate({ decision: 'approve' }) },
            ...(lab === 'built-in'
              ? [
                  { kind: 'heading' as const, label: 'Reject' },
                  ...rejectionReasons.map((rejectedReason) => ({
                    kind: 'action' as const,
                    label: rejectedReason,
                    onSelect: () => simulate({ decision: 'reject', rejectedReason }),
                  })),
                ]
              : // The interface's simulator takes no reason.
                [{ kind: 'action' as const, label: 'Reject', onSelect: () => simulate({ decision: 'reject' }) }]),
          ]}
          className="max-h-[70dvh] max-w-[calc(100vw-2rem)] overflow-y-auto"
        />
      )}
      {found.identity.status === 'rejected' && (
        <Button
          variant="primary"
          icon={<Send aria-hidden="true" />}
          unavailable={denied('identity.manage')}
          onClick={() => resubmission.open({})}
        >
          Resubmit…
        </Button>
      )}
      {simulation.opened && <SimulateDialog key={simulation.opened.operationId} found={found} {...simulation.opened} />}
      {resubmission.opened && (
        <ResubmitDialog key={resubmission.opened.operationId} found={found} {...resubmission.opened} />
      )}
    </>
  )
}

function SimulateDialog({
  found: { account },
  decision,
  rejectedReason,
  ...dialog
}: Decision & OperationProps & { found: IdentityCase }) {
  const operation = useOperation({ ...dialog, kind: 'identity.simulate' })
  const isApproval = decision === 'approve'
  return (
    <OperationDialog
      {...dialog}
      operation={operation}
      confirmationLevel="light"
      title={`Simulate ${isApproval ? 'an approval' : 'a rejection'}?`}
      consequence={isApproval ? 'The account’s identity becomes approved.' : 'The account’s identity becomes rejected.'}
      rows={[
        { label: 'Account', value: accountTitle(account) },
        rejectedReason && { label: 'Reason', value: rejectedReason },
      ]}
      confirmLabel={isApproval ? 'Simulate approval' : 'Simulate rejection'}
      confirmIcon={<FlaskConical aria-hidden="true" />}
      onConfirm={() =>
        operation.start({ cardAccountId: account.id, decision, ...(rejectedReason && { rejectedReason }) })
      }
    />
  )
}
