'use client'

import { ArrowLeftRight } from 'lucide-react'
import { SelectField } from '#components/form/select-field.tsx'
import { TextField } from '#components/form/text-field.tsx'
import { amountText } from '#components/ui/amount-text.ts'
import { IconButton } from '#components/ui/icon-button.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { Quote } from '#lib/console/payouts/shapes.ts'
import { readAmount } from '#lib/contract/amount-entry.ts'
import type { AmountSide } from '#lib/contract/payout-entry.ts'
import { minimumDestinationAmount } from '#lib/contract/payout-rules.ts'
import { formatAmount, minorUnitDigits } from '#lib/shared/currency.ts'
import { compareAmounts } from '#lib/shared/exact-sum.ts'
import { shortId } from '#lib/shared/ids.ts'
import { labelOf } from './labels.ts'
import type { PayoutForm } from './use-payout-form.ts'

/** From which account, and exactly one of the two amounts: the other one comes with the quote. */
export function AmountPanel({ form, quote }: { form: PayoutForm; quote: Quote | null }) {
  const { accounts, account, choices, errors } = form
  const other: AmountSide = choices.side === 'source' ? 'destination' : 'source'
  return (
    <Panel title="2 · How much">
      <div className="@container">
        <div className="grid items-start gap-x-3 gap-y-4 @sm:grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] @3xl:grid-cols-[minmax(0,1.4fr)_minmax(0,1fr)_auto_minmax(0,1fr)]">
          <SelectField
            className="@sm:@max-3xl:col-span-3"
            label={labelOf('accountId', choices.method)}
            data-field="accountId"
            options={(accounts ?? []).map(({ id, name, currency, available }) => ({
              value: id,
              label: `${name || shortId(id)} · ${available === null ? 'available amount' : amountText(available, currency)} ${available === null ? 'not provided' : 'available'}`,
            }))}
            {...(accounts ? {} : { placeholder: 'Reading the accounts…' })}
            {...(accounts?.length === 0 ? { placeholder: 'There is no funding account' } : {})}
            value={account?.id ?? ''}
            error={errors.get('accountId') ?? errors.get('sourceCurrency')}
            onChange={(event) => form.chooseAccount(event.target.value)}
          />
          <AmountField form={form} side="source" quote={quote} />
          <IconButton
            label={
              other === 'source' ? 'Give the amount that you send instead' : 'Give the amount that they receive instead'
            }
            icon={<ArrowLeftRight />}
            className="@sm:mt-6.5"
            onClick={() => {
              const known = quote && (other === 'source' ? quote.sourceAmount : quote.destinationAmount)
              const currency = currencyOf(form, other)
              form.giveSide(other, known ? formatAmount(known, currency) : '')
            }}
          />
          <AmountField form={form} side="destination" quote={quote} />
        </div>
      </div>
    </Panel>
  )
}

function currencyOf({ account, choices }: PayoutForm, side: AmountSide): string {
  return side === 'source' ? (account?.currency ?? '') : choices.currency
}

function AmountField({ form, side, quote }: { form: PayoutForm; side: AmountSide; quote: Quote | null }) {
  const { choices, errors } = form
  const path = `${side}Amount`
  const label = labelOf(path, choices.method)
  const currency = currencyOf(form, side)
  const isGiven = choices.side === side
  const quoted = quote && (side === 'source' ? quote.sourceAmount : quote.destinationAmount)
  const hint = [isGiven ? null : 'comes with the quote', side === 'destination' ? receivedHint(form) : sentHint(form)]
  return (
    <TextField
      label={label}
      data-field={path}
      inputMode="decimal"
      spellCheck={false}
      suffix={currency}
      inputClassName="text-right font-medium read-only:border-dashed read-only:bg-canvas read-only:shadow-none"
      hint={hint.filter(Boolean).join(' · ') || undefined}
      error={errors.get(path)}
      readOnly={!isGiven}
      value={isGiven ? (form.draft.amount ?? '') : quoted ? formatAmount(quoted, currency) : ''}
      onChange={(event) => {
        if (isGiven) form.set('amount', event.target.value)
      }}
      onBlur={() => {
        if (!isGiven) return
        const entered = readAmount(form.draft.amount ?? '')
        if ('amount' in entered && currency !== '') form.rewriteAmount(formatAmount(entered.amount, currency))
      }}
    />
  )
}

function receivedHint({ choices, entry }: PayoutForm): string | null {
  const { country, currency } = choices
  if (currency === '') return null
  const minimum = entry.method === 'BANK_TRANSFER' ? minimumDestinationAmount(country, currency) : null
  const parts = [
    minorUnitDigits(currency) === 0 ? `whole ${currency}` : null,
    minimum === null ? null : `at least ${formatAmount(minimum, currency)}`,
  ].filter((part) => part !== null)
  if (parts.length === 0) return null
  return `${parts.join(', ')}${choices.side === 'source' && minorUnitDigits(currency) === 0 ? '; rounded half up' : ''}`
}

/** Said before anything is sent; the service finds out when a payout is submitted, and refuses it. */
function sentHint({ account, choices, draft }: PayoutForm): string | null {
  if (!account || choices.side !== 'source') return null
  const entered = readAmount(draft.amount ?? '')
  const { available, currency } = account
  if (available === null || !('amount' in entered) || compareAmounts(entered.amount, available) <= 0) return null
  return `more than the ${amountText(available, currency)} available: it would be refused`
}
