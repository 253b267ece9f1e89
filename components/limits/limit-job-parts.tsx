import type { JobFieldsProps } from '#components/bulk/job-fields.ts'
import { toOptions } from '#components/form/options.ts'
import { SelectField } from '#components/form/select-field.tsx'
import { TextField } from '#components/form/text-field.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { formatCount } from '#components/ui/count.ts'
import type { JobPreview } from '#lib/console/bulk/types.ts'
import { limitProblem } from '#lib/contract/limit-text.ts'

/** The limit of a job, and its currency where the chosen accounts have several. */
export function SetLimitFields({ settings, currencies, errors, onChange }: JobFieldsProps) {
  const { limit = '', currency = '' } = settings
  const problem = limit.trim() === '' || currency === '' ? undefined : limitProblem(limit, currency)
  const wrong = errors.limit ?? problem
  return (
    <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_10rem]">
      <TextField
        label="New limit"
        name="limit"
        inputMode="decimal"
        spellCheck={false}
        inputClassName="text-right font-medium"
        suffix={currency}
        value={limit}
        onChange={(event) => onChange({ ...settings, limit: event.target.value })}
        error={wrong && `The limit ${wrong}.`}
      />
      {currencies.length > 1 && (
        <SelectField
          label="Currency"
          placeholder="Choose one"
          value={currency}
          onChange={(event) => onChange({ ...settings, currency: event.target.value })}
          options={toOptions(currencies)}
          hint="Others are left out"
          error={errors.currency && `A currency ${errors.currency}.`}
        />
      )}
    </div>
  )
}

/** How many limits are raised, and which accounts owe more than the new one. */
export function SetLimitEffects({ preview: { effect } }: { preview: JobPreview }) {
  const { raised, belowOutstanding } = effect.limits ?? { raised: 0, belowOutstanding: 0 }
  return (
    <>
      <p>{raised === 0 ? 'No limit is raised.' : `${formatCount(raised, 'limit is', 'limits are')} raised.`}</p>
      {belowOutstanding > 0 && (
        <Callout
          tone="warn"
          title={`${formatCount(belowOutstanding, 'account owes', 'accounts owe')} more than this limit.`}
        >
          What is available becomes negative: every charge is declined until enough is repaid.
        </Callout>
      )}
    </>
  )
}
