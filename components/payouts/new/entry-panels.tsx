'use client'

import { ArrowLeftRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { tableOptions, toOptions } from '#components/form/options.ts'
import { SelectField } from '#components/form/select-field.tsx'
import { TextField } from '#components/form/text-field.tsx'
import { OptionalMetadata } from '#components/references/optional-metadata.tsx'
import { amountText } from '#components/ui/amount.tsx'
import { IconButton } from '#components/ui/icon-button.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { Quote } from '#lib/console/payouts/types.ts'
import { readAmount } from '#lib/contract/amount-entry.ts'
import { countryInSentence, countryLabel } from '#lib/contract/country-names.ts'
import { compareAmounts } from '#lib/contract/exact-sum.ts'
import { type AmountSide, payoutCountries, payoutCurrencies } from '#lib/contract/payout-entry.ts'
import { minimumDestinationAmount, payoutMethods, type PayoutMethod } from '#lib/contract/payout-rules.ts'
import type { Account } from '#lib/contract/records.ts'
import { formatAmount, minorUnitDigits } from '#lib/shared/currency.ts'
import { shortId } from '#lib/shared/ids.ts'
import { payoutMethodLabel, purposeLabels, sourceOfFundsLabels } from '../code-labels.ts'
import { BeneficiaryFields, EntryField, EntrySelect } from './beneficiary-fields.tsx'
import { fieldLabel } from './labels.ts'
import type { PayoutForm } from './use-payout-form.ts'

const purposes = tableOptions(purposeLabels)
const sources = tableOptions(sourceOfFundsLabels)

/** Fields that are no part of the quote: they may change while it runs. */
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
          <EntryField form={form} path="xid" isOptional isMono hint="Your own reference, not used on another record" />
          <OptionalMetadata {...form.metadata} error={form.errors.get('xmetadata')} className="col-span-full" />
        </div>
      </div>
    </Panel>
  )
}

const methodOptions = toOptions(payoutMethods, payoutMethodLabel).reverse()

/** Method, country and currency (only valid combinations can be selected), the beneficiary, and what can be done with them. */
export function WherePanel({ form, children }: { form: PayoutForm; children: ReactNode }) {
  const { choices, notes, errors } = form
  const { method, country, currency } = choices
  const countries = payoutCountries(method)
  const currencies = payoutCurrencies(method, country)
  return (
    <Panel title="1 · Where to">
      <div className="@container grid gap-4">
        <div className="grid gap-x-3 gap-y-4 @sm:grid-cols-2 @sm:*:first:col-span-2 @xl:grid-cols-3 @xl:*:first:col-span-1">
          <SelectField
            label="Method"
            options={methodOptions}
            value={method}
            onChange={(event) => form.choose({ method: event.target.value as PayoutMethod })}
          />
          <SelectField
            label="Country"
            {...(countries.length === 1
              ? { hint: 'The only country for card payouts' }
              : { placeholder: 'Choose a country' })}
            options={toOptions(countries, countryLabel)}
            value={country}
            error={errors.get('destinationCountry')}
            onChange={(event) => form.choose({ country: event.target.value })}
          />
          <SelectField
            label="Currency"
            {...(currencies.length === 1
              ? { hint: `The only currency for ${countryInSentence(country)}` }
              : { placeholder: country === '' ? 'Choose a country first' : 'Choose a currency' })}
            options={toOptions(currencies)}
            value={currency}
            error={errors.get('destinationCurrency')}
            onChange={(event) => form.choose({ currency: event.target.value })}
          />
        </div>
        <output className={notes.length === 0 ? 'hidden' : 'rounded-control bg-info-wash px-3 py-2 text-info'}>
          {notes.join(' ')}
        </output>
        <BeneficiaryFields form={form} />
        {children}
      </div>
    </Panel>
  )
}

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
            label={fieldLabel('accountId', choices.method)}
            data-field="accountId"
            options={(accounts ?? []).map(({ id, name, currency, available }) => ({
              value: id,
              label: `${name || shortId(id)} · ${available === null ? 'available amount' : amountText(available, currency)} ${available === null ? 'not provided' : 'available'}`,
            }))}
            placeholder={
              accounts === undefined
                ? 'Reading the accounts…'
                : accounts.length === 0
                  ? 'No funding account'
                  : undefined
            }
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
            className="@max-sm:[&_svg]:rotate-90 @sm:mt-6.5"
            onClick={() => {
              const known = quote && (other === 'source' ? quote.sourceAmount : quote.destinationAmount)
              const currency = sideCurrency(form, other)
              form.giveSide(other, known ? formatAmount(known, currency) : '')
            }}
          />
          <AmountField form={form} side="destination" quote={quote} />
        </div>
      </div>
    </Panel>
  )
}

function sideCurrency({ account, choices }: PayoutForm, side: AmountSide): string {
  return side === 'source' ? (account?.currency ?? '') : choices.currency
}

function AmountField({ form, side, quote }: { form: PayoutForm; side: AmountSide; quote: Quote | null }) {
  const { choices, errors } = form
  const path = `${side}Amount`
  const label = fieldLabel(path, choices.method)
  const currency = sideCurrency(form, side)
  const isGiven = choices.side === side
  const quoted = quote && (side === 'source' ? quote.sourceAmount : quote.destinationAmount)
  const hint = [
    isGiven || quoted ? null : 'Comes with the quote',
    side === 'destination' ? receivedHint(form) : sentHint(form),
  ]
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
        const entered = readAmount(form.draft.amount ?? '', currency)
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
    minorUnitDigits(currency) === 0 && `whole ${currency}`,
    minimum && `at least ${formatAmount(minimum, currency)}`,
  ].filter(Boolean)
  if (parts.length === 0) return null
  return `${parts.join(', ')}${choices.side === 'source' && minorUnitDigits(currency) === 0 ? '; rounded half up' : ''}`
}

/** Why an amount can't leave the account, which the service would refuse; null where it can or that is not known. */
export function overdraft(
  { available, currency }: Pick<Account, 'available' | 'currency'>,
  amount: string,
): string | null {
  if (available === null || compareAmounts(amount, available) <= 0) return null
  return `More than the ${amountText(available, currency)} available`
}

/** Shown while the amount is typed. */
function sentHint({ account, choices, draft }: PayoutForm): string | null {
  if (!account || choices.side !== 'source') return null
  const entered = readAmount(draft.amount ?? '', account.currency)
  if (!('amount' in entered)) return null
  return overdraft(account, entered.amount)
}
