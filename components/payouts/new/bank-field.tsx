'use client'

import { useQuery } from '@tanstack/react-query'
import { ComboboxField, type ComboboxOption } from '#components/form/combobox-field.tsx'
import { Button } from '#components/ui/button.tsx'
import type { PayoutBank } from '#lib/contract/records.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { countryLabel } from '#lib/shared/countries.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { labelOf } from './labels.ts'
import type { PayoutForm } from './use-payout-form.ts'

const path = 'destination.bankCode'

/** The bank, from the service's list of the country: found by typing part of its name or code. */
export function BankField({
  environment,
  form,
  country,
  className,
}: {
  environment: Environment
  form: PayoutForm
  country: string
  className?: string
}) {
  const { data, error, isFetching, refetch } = useQuery({
    ...readQuery('listPayoutBanks', environment, country),
    enabled: country !== '',
  })
  const banks = data?.countryCode === country ? optionsOf(data.banks) : undefined
  return (
    <ComboboxField
      key={country}
      label={labelOf(path, form.choices.method)}
      isOptional
      error={form.errors.get(path)}
      hint={
        error && !banks ? (
          <span className="flex flex-wrap items-center gap-2">
            The banks of {countryLabel(country)} could not be read.
            <Button size="small" isPending={isFetching} onClick={() => void refetch()}>
              Read again
            </Button>
          </span>
        ) : undefined
      }
      {...(className ? { className } : {})}
      data-field={path}
      noun="banks"
      options={banks ?? []}
      readOptions={async () => optionsOf((await refetch({ cancelRefetch: false })).data?.banks ?? [])}
      placeholder={
        country === '' ? 'Choose a country first' : banks ? `Search ${banks.length} banks` : 'Reading the banks…'
      }
      value={form.draft[path] ?? ''}
      onChoose={(code) => form.set(path, code)}
    />
  )
}

/** The banks that a payout can name: those with a code. */
function optionsOf(banks: readonly PayoutBank[]): ComboboxOption[] {
  return banks.flatMap(({ code, name }) => (code ? [{ value: code, label: name ?? '', note: code }] : []))
}
