import { useState } from 'react'
import { SelectField } from '#components/form/select-field.tsx'
import { TextField } from '#components/form/text-field.tsx'
import { ActionDialog } from '#components/operations/action-dialog.tsx'
import { Amount } from '#components/ui/amount.tsx'
import { Callout } from '#components/ui/callout.tsx'
import type { ActionInput } from '#lib/actions/run-action.ts'
import type { Account } from '#lib/contract/records.ts'
import type { ReadResult } from '#lib/queries/reads.ts'

type FundingThreshold = ReadResult<'readFundingThresholds'>['thresholds'][number]
type Kind = ActionInput<'setFundingThreshold'>['kind']

const kinds: { value: Kind; label: string }[] = [
  { value: 'amount', label: 'An amount' },
  { value: 'days', label: 'Days of payouts' },
  { value: 'none', label: 'No threshold' },
]

/** Asks what a funding account must hold at least. */
export function ThresholdDialog({
  account: { id, name, currency, available },
  threshold,
  isOpen,
  onClose,
}: {
  account: Account
  threshold: FundingThreshold | null
  isOpen: boolean
  onClose: () => void
}) {
  const [kind, setKind] = useState<Kind>(threshold?.kind ?? 'amount')
  const [values, setValues] = useState(threshold ? { [threshold.kind]: threshold.value } : {})

  return (
    <ActionDialog
      isOpen={isOpen}
      onClose={onClose}
      confirmationLevel="light"
      title={`Threshold of ${name ?? 'this account'}`}
      consequence="Home shows the account while less is available. If notices are set up, one is sent each time it falls below."
      rows={[{ label: 'Available now', value: <Amount amount={available} currency={currency} /> }]}
      confirmLabel={kind === 'none' ? 'Remove threshold' : 'Save threshold'}
      action="setFundingThreshold"
      input={(fields) => ({ accountId: id, kind, value: String(fields.get('value') ?? '').trim() })}
    >
      {(errors) => (
        <>
          {errors.accountId && (
            <Callout tone="bad" title="Not saved." isAlert>
              This funding account is not there any more.
            </Callout>
          )}
          <SelectField
            label="Threshold"
            options={kinds}
            value={kind}
            onChange={({ target }) => setKind(target.value as Kind)}
          />
          {kind !== 'none' && (
            <TextField
              label={kind === 'amount' ? 'Amount' : 'Days'}
              name="value"
              inputMode="decimal"
              required
              suffix={kind === 'amount' ? (currency ?? undefined) : 'days'}
              hint={kind === 'days' ? 'At the rate of the last seven days' : undefined}
              error={errors.value}
              value={values[kind] ?? ''}
              onChange={({ target }) => setValues({ ...values, [kind]: target.value })}
            />
          )}
        </>
      )}
    </ActionDialog>
  )
}
