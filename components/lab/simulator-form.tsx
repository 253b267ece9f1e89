'use client'

import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { SelectField } from '#components/form/select-field.tsx'
import { TextArea } from '#components/form/text-area.tsx'
import { TextField } from '#components/form/text-field.tsx'
import { Button } from '#components/ui/button.tsx'
import { readQuery } from '#lib/queries/reads.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { LabResultText } from './lab-result.tsx'
import { AccountPicker, CardPicker, PayoutPicker, TransactionPicker } from './pickers.tsx'
import { ProblemText } from './problem-text.tsx'
import { bodyOf, type FormValues, initialValues, type Simulator, type SimulatorField } from './simulators.ts'
import type { useLabAction } from './use-lab.ts'

/** The form of a simulator. It stays filled in after it was sent; `given` are the values that its page knows. */
export function SimulatorForm({
  environment,
  simulator,
  given = {},
  lab,
}: {
  environment: Environment
  simulator: Simulator
  given?: FormValues
  lab: ReturnType<typeof useLabAction>
}) {
  const [values, setValues] = useState(() => initialValues(simulator, given))
  const { perform, isPending, problem, result } = lab
  const errors: Record<string, string> = problem?.fields ?? {}
  const fields = simulator.fields.filter(({ name, isShown, isSent }) => {
    if (isShown?.(values) === false) return false
    // What the page knows needs no field, unless the sandbox has something against it.
    if (name in given && name.endsWith('Id')) return name in errors
    return isSent?.(values) !== false || !('cardId' in given || 'transactionId' in given)
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    perform(simulator.action, bodyOf(simulator, values))
  }
  return (
    <form className="@container grid gap-4" onSubmit={submit}>
      <div className="grid gap-3 @md:grid-cols-2">
        {fields.map((field) => (
          <OneField
            key={field.name}
            environment={environment}
            field={field}
            values={values}
            error={errors[field.name]}
            onValues={(changed) => setValues({ ...values, ...changed })}
          />
        ))}
      </div>
      <div>
        <Button type="submit" variant="primary" isPending={isPending}>
          {simulator.submit}
        </Button>
      </div>
      <ProblemText problem={problem} fields={fields.map(({ name }) => name)} />
      {result && !isPending && <LabResultText environment={environment} result={result} />}
    </form>
  )
}

function OneField({
  environment,
  field,
  values,
  error,
  onValues,
}: {
  environment: Environment
  field: SimulatorField
  values: FormValues
  error: string | undefined
  onValues: (changed: FormValues) => void
}) {
  const { label, hint, isOptional = false, options, as, suffix, name } = field
  const { currency, cardAccountId = '' } = values
  const value = values[name] ?? ''
  const onValue = (next: string) => onValues({ [name]: next })
  if (name === 'cardAccountId') {
    return (
      <AccountPicker
        {...{ environment, label, error, value, isOptional }}
        onChoose={(next, account) =>
          onValues({
            [name]: next,
            cardId: '',
            transactionId: '',
            ...(account?.currency ? { currency: account.currency } : {}),
          })
        }
      />
    )
  }
  const picker = { environment, label, error, value, isOptional, onChoose: onValue }
  if (name === 'cardId') return <CardPicker {...picker} cardAccountId={cardAccountId} />
  if (name === 'transactionId') return <TransactionPicker {...picker} cardAccountId={cardAccountId} />
  if (name === 'payoutId') return <PayoutPicker {...picker} />
  const shared = {
    label,
    error,
    value,
    onChange: (event: { target: { value: string } }) => onValue(event.target.value),
    ...(hint === undefined ? {} : { hint }),
  }
  if (name === 'accountId') return <FundingAccountField environment={environment} {...shared} />
  if (options) return <SelectField {...shared} options={options} />
  if (as === 'json') return <TextArea {...shared} isMono isOptional={isOptional} className="@md:col-span-2" />
  return (
    <TextField
      {...shared}
      isOptional={isOptional}
      isMono={name.endsWith('Id')}
      {...(as === 'number' ? { inputMode: 'decimal' as const } : {})}
      {...(suffix && currency ? { suffix: currency } : {})}
    />
  )
}

function FundingAccountField({
  environment,
  ...field
}: { environment: Environment } & Omit<Parameters<typeof SelectField>[0], 'options'>) {
  const { data } = useQuery(readQuery('listFundingAccounts', environment))
  const options = (data?.accounts ?? []).map(({ id, name, currency }) => ({
    value: id,
    label: [name, currency].filter(Boolean).join(' · ') || id,
  }))
  return <SelectField {...field} options={options} placeholder="Select an account" />
}
