'use client'

import { Send } from 'lucide-react'
import { useRef, useState } from 'react'
import { accountTitle } from '#components/card-accounts/account-labels.ts'
import { OperationDialog } from '#components/operations/operation-dialog.tsx'
import { type OperationProps, useOperation } from '#components/operations/use-operation.ts'
import { Callout } from '#components/ui/callout.tsx'
import type { IdentityCase } from '#lib/console/identity/types.ts'
import { type IndividualPath, individualPaths } from '#lib/contract/individual-rules.ts'
import { DocumentFields } from './document-fields.tsx'
import { IdentityDocumentFields, type OnRecord, PersonFields, WorkFields } from './individual-fields.tsx'
import { reasonEntry } from './rejection-reasons.ts'
import { emptyIndividual, focusFirstProblem, useIndividualForm } from './use-individual-form.ts'

type Individual = IdentityCase['identity']['individual']

/** Submits a rejected individual again, with what the service returned unmasked filled in. */
export function ResubmitDialog({ found, ...dialog }: OperationProps & { found: IdentityCase }) {
  const operation = useOperation({ ...dialog, kind: 'identity.resubmit' })
  // The details stay as they were when the dialog opened.
  const [{ account, identity }] = useState(found)
  const [{ initial, onRecord }] = useState(() => beginning(identity.individual))
  const form = useIndividualForm({ initial, refused: operation.errors, onCorrect: operation.correct })
  const fields = useRef<HTMLDivElement>(null)
  const entry = reasonEntry(identity.rejectedReason)

  function resubmit() {
    const wrong = Object.keys(form.issues)
    form.flag(wrong)
    if (wrong.length > 0) return focusFirstProblem(fields)
    operation.start({ cardAccountId: account.id, individual: form.individual() })
  }

  return (
    <OperationDialog
      {...dialog}
      operation={operation}
      isOwnField={(field) => field.startsWith('individual.')}
      confirmationLevel="light"
      size="large"
      title={`Resubmit the identity of ${accountTitle(account)}?`}
      consequence="The identity goes back to review. Masked details must be entered again."
      rows={[
        { label: 'Rejected for', value: identity.rejectedReason ?? 'Not provided' },
        entry && { label: 'Asked for', value: entry.document },
      ]}
      confirmLabel="Resubmit identity"
      confirmIcon={<Send aria-hidden="true" />}
      onConfirm={resubmit}
    >
      <div ref={fields} className="grid gap-4">
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <PersonFields form={form} onRecord={onRecord} />
          <WorkFields form={form} onRecord={onRecord} />
        </div>
        <fieldset className="grid items-start gap-4 border-t pt-3 sm:grid-cols-2">
          <legend className="float-left pt-3 font-medium sm:col-span-2">Identity document</legend>
          <IdentityDocumentFields form={form} onRecord={onRecord} />
        </fieldset>
        <DocumentFields form={form} />
        {entry && !entry.needsNoFile && Object.keys(form.files).length === 0 && (
          <Callout tone="warn">No file is added, and this reason asks for one.</Callout>
        )}
      </div>
    </OperationDialog>
  )
}

/** Masked values can’t be sent back: they are shown beside the field, and the person enters them again. */
function beginning(individual: Individual): { initial: typeof emptyIndividual; onRecord: OnRecord } {
  const document: Record<string, unknown> = individual?.document ?? {}
  const values = individualPaths.flatMap((path): [IndividualPath, string][] => {
    const value = path.startsWith('document.')
      ? document[path.slice('document.'.length)]
      : (individual as Record<string, unknown> | null)?.[path]
    return typeof value === 'string' && value !== '' ? [[path, value]] : []
  })
  const isMasked = ([, value]: [IndividualPath, string]) => /[*•]/.test(value)
  return {
    initial: { ...emptyIndividual, ...Object.fromEntries(values.filter((pair) => !isMasked(pair))) },
    onRecord: Object.fromEntries(values.filter(isMasked)),
  }
}
