'use client'

import { Panel } from '#components/ui/panel.tsx'
import { purposeLabels, sourceOfFundsLabels } from '../code-labels.ts'
import { EntryField, EntrySelect } from './entry-field.tsx'
import type { PayoutForm } from './use-payout-form.ts'

const optionsOf = (labels: Record<string, string>) => Object.entries(labels).map(([value, label]) => ({ value, label }))
const purposes = optionsOf(purposeLabels)
const sources = optionsOf(sourceOfFundsLabels)

/** What goes with the payout and has no part in the quote: it may change while the quote runs. */
export function DetailsPanel({ form }: { form: PayoutForm }) {
  return (
    <Panel title="3 · Details">
      <div className="@container">
        <div className="grid items-start gap-x-3 gap-y-4 @sm:grid-cols-2 @3xl:grid-cols-4">
          <EntrySelect
            form={form}
            path="purpose"
            options={purposes}
            placeholder="Choose a purpose"
            data-field="purpose"
          />
          <EntrySelect
            form={form}
            path="sourceOfFunds"
            options={sources}
            placeholder="Choose a source"
            data-field="sourceOfFunds"
          />
          <EntryField form={form} path="remarks" isOptional />
          <EntryField
            form={form}
            path="xid"
            isOptional
            isMono
            hint="your own reference, used by no other payout, card or account"
          />
        </div>
      </div>
    </Panel>
  )
}
