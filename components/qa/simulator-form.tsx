'use client'

import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useEnvironment, useLab } from '#components/environment/use-environment.ts'
import { errorSentence } from '#components/form/error-sentence.ts'
import { Button } from '#components/ui/button.tsx'
import { Dialog, type DialogProps } from '#components/ui/dialog.tsx'
import { readQuery } from '#lib/queries/reads.ts'
import { type Labels, LabResultText } from './lab-result.tsx'
import { LeafField } from './leaf-field.tsx'
import {
  AccountPicker,
  AccountsPicker,
  CardPicker,
  PayoutPicker,
  TransactionPicker,
  useLabRecords,
} from './pickers.tsx'
import {
  makeBodies,
  type FormValues,
  idsIn,
  initialValues,
  type Simulator,
  type SimulatorField,
  simulatorIn,
  type SimulatorName,
  simulators,
} from './simulators.ts'
import { LabProblemText, useLabAction } from './use-lab.tsx'

/** The form of a simulator, with what the environment takes. It keeps its values after it was sent. `given` are the values that the page knows. */
export function SimulatorForm({
  simulator: whole,
  given = {},
  lab,
}: {
  simulator: Simulator
  given?: FormValues
  lab: ReturnType<typeof useLabAction>
}) {
  const simulator = simulatorIn(useLab(), whole)
  const [values, setValues] = useState(() => initialValues(simulator, given))
  const [labels, setLabels] = useState<Labels>(new Map())
  const { perform, isPending, problem, result } = lab
  const errors: Record<string, string> = problem?.fields ?? {}
  const fields = simulator.fields.filter(({ name, isShown, isSent }) => {
    if (isShown?.(values) === false) return false
    // A value that the page knows needs no field, unless the sandbox refused it.
    if (name in given && /Ids?$/.test(name)) return name in errors
    return isSent?.(values) !== false || !('cardId' in given || 'transactionId' in given)
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    perform(simulator.action, makeBodies(simulator, values))
  }
  return (
    <form data-work="none" className="@container grid gap-4" onSubmit={submit}>
      <div className="grid gap-3 @md:grid-cols-2">
        {fields.map((field) => (
          <OneField
            key={`${field.name} ${field.as}`}
            field={field}
            values={values}
            error={errors[field.name]}
            onValues={(changed) => setValues({ ...values, ...changed })}
            labels={labels}
            onLabels={setLabels}
          />
        ))}
      </div>
      <div>
        <Button type="submit" variant="primary" isPending={isPending}>
          {simulator.submit}
        </Button>
      </div>
      <LabProblemText problem={problem} fields={fields.map(({ name }) => name)} />
      {result && !isPending && <LabResultText result={result} labels={labels} done={simulator.done ?? 'Done.'} />}
    </form>
  )
}

function OneField({
  field,
  values,
  error,
  onValues,
  labels,
  onLabels,
}: {
  field: SimulatorField
  values: FormValues
  error: string | undefined
  onValues: (changed: FormValues) => void
  labels: Labels
  onLabels: (labels: Labels) => void
}) {
  const {
    label,
    hint,
    isOptional = false,
    options,
    as,
    suffix,
    name,
    isMono = name.endsWith('Id'),
    suggestions,
  } = field
  const { currency, cardAccountId = '' } = values
  const value = values[name] ?? ''
  const onValue = (next: string) => onValues({ [name]: next })
  if (name === 'cardAccountId' && as !== 'each') {
    return (
      <AccountPicker
        {...{ label, error, value, isOptional }}
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
  if (as === 'ids' || as === 'each') {
    const accounts = idsIn(value).map((id) => ({ id, label: labels.get(id) ?? id }))
    return (
      <AccountsPicker
        {...{ label, accounts }}
        // Every id of `each` is sent alone: an error of the service is about one.
        error={error && errorSentence(as === 'each' ? 'Card account' : 'List of card accounts', error)}
        onChange={(chosen) => {
          onLabels(new Map(chosen.map((one) => [one.id, one.label])))
          onValue(chosen.map(({ id }) => id).join(' '))
        }}
      />
    )
  }
  const picker = { label, error, value, isOptional, onChoose: onValue }
  if (name === 'cardId') return <CardPicker {...picker} cardAccountId={cardAccountId} />
  if (name === 'transactionId') return <TransactionPicker {...picker} cardAccountId={cardAccountId} />
  if (name === 'payoutId') return <PayoutPicker {...picker} />
  if (name === 'accountId') return <FundingAccountField {...{ label, hint, error, value, onValue }} />
  const isWide = as === 'flag' || as === 'json'
  return (
    <LeafField
      {...{ label, hint, error, value, onValue, isOptional, isMono }}
      kind={options ? 'select' : as === 'number' || as === 'flag' || as === 'json' ? as : 'text'}
      options={options}
      suggestions={suggestions ? suggestions(values) : undefined}
      suffix={suffix === 'currency' ? currency : suffix}
      className={isWide ? '@md:col-span-2' : undefined}
    />
  )
}

function FundingAccountField(field: Omit<Parameters<typeof LeafField>[0], 'kind' | 'options'>) {
  const environment = useEnvironment()
  const { data } = useLabRecords('funding-accounts', readQuery('listFundingAccounts', environment))
  const options = (data?.accounts ?? []).map(({ id, name, currency }) => ({
    value: id,
    label: [name, currency].filter(Boolean).join(' · ') || id,
  }))
  return <LeafField {...field} kind="select" options={options} placeholder="Select an account" />
}

/** A simulator in a dialog. `isSentAtOnce` sends it when the dialog opens; the form can send it again. */
export function SimulateDialog({
  simulator: name,
  given,
  isSentAtOnce,
  ...dialog
}: DialogProps & { simulator: SimulatorName; given: FormValues; isSentAtOnce: boolean }) {
  const simulator: Simulator = simulators[name]
  const lab = useLabAction()
  const simulates = useLab()
  const isSent = useRef(false)
  const { perform } = lab
  useEffect(() => {
    if (!isSentAtOnce || isSent.current) return
    isSent.current = true
    const shown = simulatorIn(simulates, simulator)
    perform(shown.action, makeBodies(shown, initialValues(shown, given)))
  }, [isSentAtOnce, perform, simulator, simulates, given])
  return (
    <Dialog {...dialog} title={simulator.label} description="Sandbox only. Saved in the audit log." size="large">
      <SimulatorForm simulator={simulator} given={given} lab={lab} />
    </Dialog>
  )
}
