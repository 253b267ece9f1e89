'use client'

import { SelectField } from '#components/form/select-field.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { countriesOf, currenciesOf } from '#lib/contract/payout-entry.ts'
import { payoutMethods, type PayoutMethod } from '#lib/contract/payout-rules.ts'
import { countryLabel } from '#lib/shared/countries.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { payoutMethodLabel } from '../code-labels.ts'
import { BeneficiaryFields } from './beneficiary-fields.tsx'
import type { PayoutForm } from './use-payout-form.ts'

const methodOptions = payoutMethods.map((value) => ({ value, label: payoutMethodLabel(value) })).reverse()

/** Method, country, currency (only what is possible can be chosen), and who receives. */
export function WherePanel({ environment, form }: { environment: Environment; form: PayoutForm }) {
  const { choices, notes, errors } = form
  const { method, country, currency } = choices
  const countries = countriesOf(method)
  const currencies = currenciesOf(method, country)
  return (
    <Panel title="1 · Where to">
      <div className="@container grid gap-4">
        <div className="grid gap-x-3 gap-y-4 @sm:grid-cols-3">
          <SelectField
            label="Method"
            options={methodOptions}
            value={method}
            onChange={(event) => form.choose({ method: event.target.value as PayoutMethod })}
          />
          <SelectField
            label="Country"
            {...(countries.length === 1
              ? { hint: 'the only country for card payouts' }
              : { placeholder: 'Choose a country' })}
            options={countries.map((value) => ({ value, label: countryLabel(value) }))}
            value={country}
            error={errors.get('destinationCountry')}
            onChange={(event) => form.choose({ country: event.target.value })}
          />
          <SelectField
            label="Currency"
            {...(currencies.length === 1
              ? { hint: `the only currency for ${countryLabel(country)}` }
              : { placeholder: country === '' ? 'Choose a country first' : 'Choose a currency' })}
            options={currencies.map((value) => ({ value, label: value }))}
            value={currency}
            error={errors.get('destinationCurrency')}
            onChange={(event) => form.choose({ currency: event.target.value })}
          />
        </div>
        <output className={notes.length === 0 ? 'hidden' : 'rounded-control bg-info-wash px-3 py-2 text-info'}>
          {notes.join(' ')}
        </output>
        <BeneficiaryFields environment={environment} form={form} />
      </div>
    </Panel>
  )
}
