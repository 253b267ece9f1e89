'use client'

import { useQueryClient, useQuery } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { confirmLabelAhead, useApprovalAhead } from '#components/approvals/approval-ahead.tsx'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { Checkbox } from '#components/form/checkbox.tsx'
import { toOptions } from '#components/form/options.ts'
import { SelectField } from '#components/form/select-field.tsx'
import { DigitsField } from '#components/form/text-field.tsx'
import { OperationDialog } from '#components/operations/operation-dialog.tsx'
import { ReasonFields, reasonIn, reasonProblems } from '#components/operations/reason-fields.tsx'
import { refetchChanged } from '#components/operations/use-action.ts'
import { type OperationProps, useOperation } from '#components/operations/use-operation.ts'
import { Amount } from '#components/ui/amount.tsx'
import { formatCount } from '#components/ui/count.ts'
import { Time } from '#components/ui/time.tsx'
import { showToast } from '#components/ui/toasts.tsx'
import { type ActionInput, runAction } from '#lib/actions/run-action.ts'
import type { CardHistory } from '#lib/console/cards/types.ts'
import { type CardAction, cardActionRow } from '#lib/contract/card-actions.ts'
import { partialSum } from '#lib/contract/exact-sum.ts'
import { holdsDigits, pinInComment, weakPinReason } from '#lib/contract/pins.ts'
import type { Card } from '#lib/contract/records.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { routes } from '#lib/shared/routes.ts'
import { type CardActionField, cardActionUi, errorByStatus, noDigits } from './card-action-table.ts'
import { cardNoun } from './card-face.tsx'
import { cardStatusEntry, unsuspendConsequence, unsuspendedNote } from './card-status.ts'
import { pendingFilters } from './card-usage.ts'
import { reasonsToStayStopped, ReleaseWarning } from './release-warning.tsx'
import { RevealHint } from './reveal-card.tsx'

export type CardOfAccount = {
  card: Card
  /** The account that the card was read with: a card record may come without its account's id. */
  cardAccountId: string
  accountName: string
  currency: string | null
}

/** One action on one card: the consequence and what it needs to know. */
export function CardActionDialog({ action, ...props }: CardOfAccount & OperationProps & { action: CardAction }) {
  const { card, cardAccountId, accountName, currency, ...dialog } = props
  const environment = useEnvironment()
  const { id: cardId, last4 } = card
  const { data: detail } = useRead('readCard', cardAccountId, cardId)
  const row = cardActionUi[action]
  const isTyped = cardActionRow(action).isConfirmedByLast4 ?? false
  const { may } = usePermissions()
  const ahead = useApprovalAhead(action === 'cancel' ? { topic: 'cancellations' } : null)
  const offersLock = ahead !== null && errorByStatus(card.status, 'lock') === undefined && may.has('cards.lock')
  const keptStopped = reasonsToStayStopped(action, detail)
  const { reasons, isReasonRequired = keptStopped.length > 0 && reasons.length > 0 } = cardActionRow(action)
  const undo = useUndo(props, action)
  const operation = useOperation({
    ...dialog,
    kind: `card.${action}`,
    onDone: ({ record }) => ({
      recordId: cardId,
      ...doneNote(action, record),
      action: undo && { label: 'Undo', onPress: undo },
      view: { label: 'View', href: routes.card(environment, cardAccountId, cardId) },
    }),
  })
  const isStarted = operation.isPending || operation.isDone || operation.outcome !== null
  // Somebody else may change the status while the dialog is open.
  const forbidden = isStarted ? undefined : errorByStatus(card.status, action)
  const [thisYear] = useState(() => new Date().getFullYear())
  const Icon = row.icon
  return (
    <OperationDialog
      {...dialog}
      operation={operation}
      fields={ownFields}
      confirmationLevel={isTyped ? 'high' : row.confirmationLevel}
      title={`${formatTitle(action, card)}?`}
      consequence={
        ahead
          ? `Once it’s done, it can’t be undone. ${ahead.sentence}`
          : action === 'unsuspend'
            ? unsuspendConsequence(detail?.history.underlyingStatus)
            : row.consequence
      }
      rows={[
        { label: 'Card of', value: <span className="wrap-anywhere">{accountName}</span> },
        { label: 'Status now', value: <StatusNow status={card.status} current={detail?.history.current} /> },
        row.showsPendingCharges && {
          label: 'Pending charges',
          value: <PendingCharges {...{ cardAccountId, cardId, currency }} />,
        },
      ]}
      typed={isTyped && last4 ? { digits: last4 } : undefined}
      unavailable={forbidden ?? (isTyped && !last4 ? noDigits : undefined)}
      confirmLabel={confirmLabelAhead(ahead, cardActionRow(action).label)}
      confirmIcon={<Icon aria-hidden="true" />}
      cancelLabel={forbidden === undefined ? row.keepLabel : 'Close'}
      onConfirm={(values) => {
        const reason = reasonIn(values)
        const errors = {
          ...fieldErrors(row.fields, values),
          ...(holdsDigits(reason.comment ?? '', String(values.get('pin') ?? '')) ? { comment: pinInComment } : {}),
          ...reasonProblems(`card.${action}`, reason, isReasonRequired),
        }
        if (Object.keys(errors).length > 0) return operation.setErrors(errors)
        const entered = {
          ...reason,
          ...digitsIn(values),
          ...(isTyped && last4 ? { confirmLast4: last4 } : {}),
          ...(offersLock ? { lockNow: values.get('lockNow') !== null } : {}),
        }
        operation.start({ cardAccountId, cardId, ...entered })
      }}
    >
      <ReleaseWarning sentences={keptStopped} />
      {offersLock && (
        <Checkbox
          name="lockNow"
          defaultChecked
          label="Lock the card now"
          hint="Until the cancellation is approved, new charges are declined."
        />
      )}
      <CardActionFields {...{ action, isReasonRequired, thisYear }} errors={operation.errors} />
      {action === 'activate' && <RevealHint card={card} cardAccountId={cardAccountId} />}
    </OperationDialog>
  )
}

/** What the toast adds once a suspension is lifted from a card that was locked before it. */
function doneNote(action: CardAction, record: Card | null): { description?: string } {
  const note = action === 'unsuspend' ? unsuspendedNote(record?.status) : null
  return note === null ? {} : { description: note }
}

/** Takes the action back, where there is a way and the person may. */
function useUndo({ card, cardAccountId }: CardOfAccount, action: CardAction) {
  const environment = useEnvironment()
  const client = useQueryClient()
  const { may } = usePermissions()
  const cardId = card.id
  const back = cardActionRow(action).undo

  async function takeBack(undone: CardAction) {
    const { label, done } = cardActionRow(undone)
    const input = { environment, operationId: crypto.randomUUID(), cardAccountId, cardId, reason: 'mistake' } as const
    const result = await runAction(`card.${undone}`, input).catch(() => null)
    const outcome = result?.kind === 'settled' ? result.operation.outcome : null
    await refetchChanged(client, environment, `card.${undone}`)
    if (outcome?.state === 'done') {
      const record = result?.kind === 'settled' ? result.record : null
      return showToast({ environment, tone: 'good', title: done, recordId: cardId, ...doneNote(undone, record) })
    }
    const isRefused = outcome?.state === 'refused' || result?.kind === 'refused'
    showToast({
      environment,
      recordId: cardId,
      tone: isRefused ? 'bad' : 'warn',
      title: isRefused ? `${label}: not done` : `${label}: not confirmed yet`,
      description: result?.kind === 'refused' ? result.outcome.happened : outcome?.happened,
      view: { label: 'View', href: routes.card(environment, cardAccountId, cardId) },
    })
  }

  return back && may.has(`cards.${back}`) ? () => void takeBack(back) : undefined
}

function formatTitle(action: CardAction, card: Card): string {
  const verb = action === 'change-pin' ? 'Change PIN of' : cardActionRow(action).label.replace(/ card$/, '')
  return `${verb} ${cardNoun(card)}`
}

function StatusNow({ status, current }: { status: string | null; current: CardHistory['current'] | undefined }) {
  const isCurrent = current?.status === status
  return (
    <>
      {cardStatusEntry(status).label}
      {isCurrent && current.since && (
        <>
          {' '}
          since <Time instant={current.since} />
        </>
      )}
      {isCurrent && current.by && `, by ${current.by.name}`}
    </>
  )
}

/** How many charges of a card are authorized and not captured, cash among them, and how much: stopping the card does not stop them. */
export function PendingCharges({
  cardAccountId,
  cardId,
  currency,
}: {
  cardAccountId: string
  cardId: string
  currency: string | null
}) {
  const environment = useEnvironment()
  const { data, error } = useQuery({
    ...readQuery('listTransactions', environment, cardAccountId, pendingFilters(cardId)),
    placeholderData: undefined,
  })
  if (error) return <span className="text-warn">could not be read; they would still be captured</span>
  if (!data) return <span className="text-faint">counting…</span>
  // A service may ignore the filter by status.
  const charges = data.transactions.filter(({ status }) => status === 'pending' || status === null)
  if (charges.length === 0 && data.nextPageToken === null) return 'none'
  if (charges.length === 0)
    return <span className="text-warn">could not all be read; they would still be captured</span>
  const { sum, missing } = partialSum(charges.map(({ amount }) => amount))
  return (
    <>
      {data.nextPageToken ? `${charges.length} or more` : charges.length} · <Amount amount={sum} currency={currency} />{' '}
      will still be captured
      {missing > 0 && (
        <span className="block text-xs text-warn">Excludes {formatCount(missing, 'charge')} without an amount</span>
      )}
    </>
  )
}

type Errors = Record<string, string>

/** The inputs that show their own problem. */
const ownFields = ['reason', 'comment', 'last6', 'expiryMonth', 'expiryYear', 'pin', 'pinAgain']
/** The last digits of a card number, and a PIN. */
const digits = 6

/** Issues found before anything is sent, by field; empty where there are none. */
function fieldErrors(fields: readonly CardActionField[] = [], values: FormData): Errors {
  const errors: Errors = {}
  for (const field of fields) {
    if (field.kind === 'digits') {
      const typed = String(values.get(field.name) ?? '')
      if (typed.length !== digits) errors[field.name] = `must be ${digits} digits`
      else if (field.sameAs && typed !== values.get(field.sameAs)) errors[field.name] = 'The two entries differ.'
    } else {
      if (!values.get('expiryMonth')) errors.expiryMonth = 'must be chosen'
      if (!values.get('expiryYear')) errors.expiryYear = 'must be chosen'
    }
  }
  return errors
}

/** The entered digits and expiry, under the names of the action's input. */
function digitsIn(
  values: FormData,
): Pick<ActionInput<`card.${CardAction}`>, 'last6' | 'pin' | 'expiryMonth' | 'expiryYear'> {
  const text = (name: string) => values.get(name)?.toString() ?? ''
  const entered = {
    ...(text('last6') ? { last6: text('last6') } : {}),
    ...(text('pin') ? { pin: text('pin') } : {}),
    ...(text('expiryMonth') ? { expiryMonth: Number(text('expiryMonth')) } : {}),
    ...(text('expiryYear') ? { expiryYear: Number(text('expiryYear')) } : {}),
  }
  return entered
}

function CardActionFields({
  action,
  isReasonRequired,
  errors,
  thisYear,
}: {
  action: CardAction
  isReasonRequired: boolean
  errors: Errors
  thisYear: number
}) {
  const { fields = [] } = cardActionUi[action]
  return (
    <>
      {fields.map((field) => {
        if (field.kind === 'expiry') return <ExpiryFields key="expiry" errors={errors} thisYear={thisYear} />
        const { name, label, hint, isSecret = false } = field
        const error = errors[name]
        if (name === 'pin') return <PinField key={name} {...{ name, label, hint }} error={error} />
        return <DigitsField key={name} {...{ name, label, digits, hint, isSecret }} error={error} />
      })}
      <ReasonFields kind={`card.${action}`} errors={errors} isRequired={isReasonRequired} />
    </>
  )
}

/** A new PIN. One that is easy to guess is warned of and not refused: the cardholder chooses it. */
function PinField({ hint, ...field }: Pick<ComponentProps<typeof DigitsField>, 'name' | 'label' | 'hint' | 'error'>) {
  const [pin, setPin] = useState('')
  const why = pin.length === digits ? weakPinReason(pin) : null
  const warning = why && <span className="text-warn">Easy to guess: {why}. Ask the cardholder for another one.</span>
  return <DigitsField {...field} digits={digits} isSecret hint={<output>{warning ?? hint}</output>} onDigits={setPin} />
}

const months = Array.from({ length: 12 }, (_, index) => String(index + 1))

function ExpiryFields({ errors, thisYear }: { errors: Errors; thisYear: number }) {
  const years = Array.from({ length: 13 }, (_, index) => String(thisYear - 2 + index))
  return (
    <fieldset className="grid grid-cols-2 gap-3">
      <legend className="sr-only">Expiry as on the card</legend>
      <SelectField
        name="expiryMonth"
        label="Expiry month"
        placeholder="Month"
        defaultValue=""
        options={months.map((value) => ({ value, label: value.padStart(2, '0') }))}
        error={errors.expiryMonth}
      />
      <SelectField
        name="expiryYear"
        label="Expiry year"
        placeholder="Year"
        defaultValue=""
        options={toOptions(years)}
        error={errors.expiryYear}
      />
    </fieldset>
  )
}
