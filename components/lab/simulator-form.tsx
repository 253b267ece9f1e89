'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { SelectField } from '#components/form/select-field.tsx'
import { TextArea } from '#components/form/text-area.tsx'
import { TextField } from '#components/form/text-field.tsx'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { Dialog, type DialogProps } from '#components/ui/dialog.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import type { LabResult } from '#lib/console/lab/types.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { formatAmount } from '#lib/shared/currency.ts'
import { routes } from '#lib/shared/routes.ts'
import { AccountPicker, CardPicker, PayoutPicker, TransactionPicker, useSandboxRecords } from './pickers.tsx'
import {
  bodyOf,
  type FormValues,
  initialValues,
  type Simulator,
  type SimulatorField,
  type SimulatorName,
  simulators,
} from './simulators.ts'
import { ProblemText, useLabAction } from './use-lab.tsx'
import { useSandbox } from './use-sandbox.ts'

const linkStyle = 'font-medium underline underline-offset-2'

/** The result of an action, with a link to the changed record. A transaction's status stays up to date. */
function LabResultText({ result }: { result: LabResult }) {
  const environment = useEnvironment()
  const { sandbox } = useSandbox()
  const { transaction, cardAccountId, repaid } = result
  if (transaction && sandbox !== null) return <OwnTransactionResult transaction={transaction} />
  if (transaction) return <TransactionResult transaction={transaction} />
  return (
    <Callout
      tone="good"
      title={
        repaid
          ? `Repaid ${formatAmount(repaid.amount, repaid.currency)} ${repaid.currency ?? ''}`.trim() + '.'
          : 'Done.'
      }
      isAlert
      actions={
        cardAccountId &&
        sandbox === null && (
          <Link href={routes.cardAccount(environment, cardAccountId)} className={linkStyle}>
            Open account
          </Link>
        )
      }
    />
  )
}

const texts: Record<string, string> = {
  pending: 'Transaction pending.',
  posted: 'Transaction posted.',
  void: 'Transaction void.',
}

type Transaction = NonNullable<LabResult['transaction']>

/** A transaction of a sandbox of its own, which no page of the console shows. */
function OwnTransactionResult({ transaction: { id, status, reason } }: { transaction: Transaction }) {
  const isDeclined = status === 'declined'
  return (
    <Callout
      tone={isDeclined ? 'warn' : 'good'}
      isAlert
      title={isDeclined ? 'Declined.' : (texts[status ?? ''] ?? 'Done.')}
      actions={<IdText id={id} label="transaction ID" />}
    >
      {isDeclined && reason}
    </Callout>
  )
}

function TransactionResult({
  transaction: { id, cardAccountId, status: statusThen, reason },
}: {
  transaction: Transaction
}) {
  const environment = useEnvironment()
  const { data } = useRead('readTransaction', cardAccountId, id)
  const status = data?.transaction.status ?? statusThen ?? ''
  const isDeclined = status === 'declined'
  return (
    <Callout
      tone={isDeclined ? 'warn' : 'good'}
      isAlert
      title={isDeclined ? 'Declined.' : (texts[status] ?? 'Done.')}
      actions={
        <Link href={routes.transaction(environment, cardAccountId, id)} className={linkStyle}>
          Open transaction
        </Link>
      }
    >
      {isDeclined && reason}
    </Callout>
  )
}

/** The form of a simulator. It keeps its values after it was sent. `given` are the values that the page knows. */
export function SimulatorForm({
  simulator,
  given = {},
  lab,
}: {
  simulator: Simulator
  given?: FormValues
  lab: ReturnType<typeof useLabAction>
}) {
  const [values, setValues] = useState(() => initialValues(simulator, given))
  const { perform, isPending, problem, result } = lab
  const errors: Record<string, string> = problem?.fields ?? {}
  const fields = simulator.fields.filter(({ name, isShown, isSent }) => {
    if (isShown?.(values) === false) return false
    // A value that the page knows needs no field, unless the sandbox refused it.
    if (name in given && name.endsWith('ID')) return name in errors
    return isSent?.(values) !== false || !('cardId' in given || 'transactionId' in given)
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    perform(simulator.action, bodyOf(simulator, values))
  }
  return (
    <form data-work="none" className="@container grid gap-4" onSubmit={submit}>
      <div className="grid gap-3 @md:grid-cols-2">
        {fields.map((field) => (
          <OneField
            key={field.name}
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
      {result && !isPending && <LabResultText result={result} />}
    </form>
  )
}

function OneField({
  field,
  values,
  error,
  onValues,
}: {
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
  const picker = { label, error, value, isOptional, onChoose: onValue }
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
  if (name === 'accountId') return <FundingAccountField {...shared} />
  if (options) return <SelectField {...shared} options={options} />
  if (as === 'json') return <TextArea {...shared} isMono isOptional={isOptional} className="@md:col-span-2" />
  return (
    <TextField
      {...shared}
      isOptional={isOptional}
      isMono={name.endsWith('ID')}
      {...(as === 'number' ? { inputMode: 'decimal' as const } : {})}
      {...(suffix && currency ? { suffix: currency } : {})}
    />
  )
}

function FundingAccountField({ ...field }: {} & Omit<Parameters<typeof SelectField>[0], 'options'>) {
  const environment = useEnvironment()
  const { sandbox } = useSandbox()
  const ofShared = useQuery({ ...readQuery('listFundingAccounts', environment), enabled: sandbox === null })
  const { data: own } = useSandboxRecords('funding-accounts')
  const options = ((sandbox === null ? ofShared.data : own)?.accounts ?? []).map(({ id, name, currency }) => ({
    value: id,
    label: [name, currency].filter(Boolean).join(' · ') || id,
  }))
  return <SelectField {...field} options={options} placeholder="Select an account" />
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
  const isSent = useRef(false)
  const { perform } = lab
  useEffect(() => {
    if (!isSentAtOnce || isSent.current) return
    isSent.current = true
    perform(simulator.action, bodyOf(simulator, initialValues(simulator, given)))
  }, [isSentAtOnce, perform, simulator, given])
  return (
    <Dialog {...dialog} title={simulator.label} description="Sandbox only. Saved in the audit log." size="large">
      <SimulatorForm simulator={simulator} given={given} lab={lab} />
    </Dialog>
  )
}
