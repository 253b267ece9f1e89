'use client'

import { ChoiceField } from '#components/form/choice-field.tsx'
import { toOptions } from '#components/form/options.ts'
import { SelectField } from '#components/form/select-field.tsx'
import { TextField } from '#components/form/text-field.tsx'
import { OptionalMetadata } from '#components/references/optional-metadata.tsx'
import type { ActionInput } from '#lib/actions/run-action.ts'
import { isLimit, plainLimit } from '#lib/contract/limit-text.ts'
import { cardAccountCurrencies } from '#lib/contract/terms.ts'
import { formatAmount } from '#lib/shared/currency.ts'
import { accountTypeLabels } from '../account-labels.ts'
import type { OpeningForm, TermPath } from './use-opening-form.ts'

type OpenAccountInput = ActionInput<'account.open'>

export const termLabels: Record<TermPath, string> = {
  name: 'Account name',
  phoneNumber: 'Phone number',
  accountType: 'Account type',
  currency: 'Currency',
  limit: 'Credit limit',
  xid: 'External ID',
  xmetadata: 'Metadata',
}

const typeOptions: { value: OpenAccountInput['accountType']; label: string; hint: string }[] = [
  { value: 'prepaid', label: accountTypeLabels.prepaid, hint: 'Spends what was loaded.' },
  { value: 'credit', label: accountTypeLabels.credit, hint: 'Owes up to a limit.' },
]

const currencies = toOptions(cardAccountCurrencies)

/** Fields of the account: name, type, currency, limit, and references. */
export function AccountTerms({ form }: { form: OpeningForm }) {
  const { terms, set } = form
  const text = (path: 'name' | 'phoneNumber' | 'limit' | 'xid') => ({
    label: termLabels[path],
    'data-field': path,
    value: terms[path],
    error: form.error(path),
    onChange: (event: { target: { value: string } }) => set(path, event.target.value),
    onBlur: () => {
      if (terms[path] !== '') form.flag(path)
    },
  })
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <TextField {...text('name')} aria-required />
      <TextField {...text('phoneNumber')} type="tel" aria-required />
      <div className="sm:col-span-2">
        <ChoiceField
          legend={termLabels.accountType}
          options={typeOptions}
          value={terms.accountType}
          onChoose={(accountType) => set('accountType', accountType)}
        />
      </div>
      <SelectField
        label={termLabels.currency}
        data-field="currency"
        options={currencies}
        value={terms.currency}
        error={form.error('currency')}
        onChange={(event) => set('currency', event.target.value as OpenAccountInput['currency'])}
      />
      {terms.accountType === 'credit' && (
        <TextField
          {...text('limit')}
          aria-required
          inputMode="decimal"
          spellCheck={false}
          inputClassName="text-right"
          suffix={terms.currency}
          onBlur={() => {
            form.flag('limit')
            if (isLimit(terms.limit, terms.currency)) {
              set('limit', formatAmount(plainLimit(terms.limit), terms.currency))
            }
          }}
        />
      )}
      <TextField
        {...text('xid')}
        isOptional
        isMono
        spellCheck={false}
        className="sm:col-start-1"
        hint="Your own reference, used by no other record."
      />
      <OptionalMetadata
        draft={terms.metadata}
        errors={form.metadataErrors}
        error={form.error('xmetadata')}
        onChange={(metadata) => set('metadata', metadata)}
        onRefused={form.setMetadataErrors}
        className="sm:col-span-2"
      />
    </div>
  )
}
