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
  // What the page knows needs no field, unless the sandbox has something against it.
  const fields = simulator.fields.filter(({ name }) => !(name in given) || !name.endsWith('Id') || name in errors)
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
            currency={values.currency}
            value={values[field.name] ?? ''}
            error={errors[field.name]}
            onValue={(value) => setValues({ ...values, [field.name]: value })}
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
  currency,
  value,
  error,
  onValue,
}: {
  environment: Environment
  field: SimulatorField
  currency: string | undefined
  value: string
  error: string | undefined
  onValue: (value: string) => void
}) {
  const { label, hint, isOptional = false, options, as, suffix, name } = field
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
