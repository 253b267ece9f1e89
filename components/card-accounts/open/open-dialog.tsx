'use client'

import { UserPlus } from 'lucide-react'
import { ApprovalAhead, confirmLabelAhead, useApprovalAhead } from '#components/approvals/approval-ahead.tsx'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { OperationDialog } from '#components/operations/operation-dialog.tsx'
import type { DialogOperation } from '#components/operations/use-operation.ts'
import { Amount } from '#components/ui/amount.tsx'
import { ButtonLink } from '#components/ui/button-link.tsx'
import { formatCount } from '#components/ui/count.ts'
import { plainLimit } from '#lib/contract/limit-text.ts'
import { routes } from '#lib/shared/routes.ts'
import { accountTypeLabels } from '../account-labels.ts'
import { type OpeningForm, stepOfField } from './use-opening-form.ts'

/** The last question before the request, then how it ended. */
export function OpenDialog({
  form,
  operation,
  isOpen,
  finalFocus,
  onClose,
  onConfirm,
}: {
  form: OpeningForm
  operation: DialogOperation
  isOpen: boolean
  /** A field that was refused, for the focus after the dialog. */
  finalFocus: () => HTMLElement | null
  onClose: () => void
  onConfirm: () => void
}) {
  const environment = useEnvironment()
  const { name, accountType, currency, limit } = form.request()
  const ahead = useApprovalAhead(
    accountType === 'credit' ? { topic: 'limit-raises', amount: plainLimit(limit), currency } : null,
  )
  const files = form.individual.documentTypes.length
  const { outcome, resultId } = operation
  return (
    <OperationDialog
      isOpen={isOpen}
      onClose={onClose}
      finalFocus={finalFocus}
      operation={operation}
      isOwnField={(field) => stepOfField(field) !== 'check'}
      confirmationLevel="light"
      title={outcome === null ? 'Open this account?' : 'Open card account'}
      consequence="Opens the account. The identity is reviewed then."
      rows={[
        { label: 'Account', value: <span className="wrap-anywhere">{name}</span> },
        { label: 'Type', value: `${accountTypeLabels[accountType]}, ${currency}` },
        accountType === 'credit' && { label: 'Credit limit', value: <Amount amount={limit} currency={currency} /> },
        { label: 'Supporting documents', value: files === 0 ? 'None' : formatCount(files, 'file') },
      ]}
      confirmLabel={confirmLabelAhead(ahead, 'Open account')}
      confirmIcon={<UserPlus aria-hidden="true" />}
      ending={
        resultId !== null && (
          <ButtonLink size="small" className="mt-2" href={routes.cardAccount(environment, resultId)}>
            View account
          </ButtonLink>
        )
      }
      onConfirm={onConfirm}
    >
      <ApprovalAhead ahead={ahead} />
    </OperationDialog>
  )
}
