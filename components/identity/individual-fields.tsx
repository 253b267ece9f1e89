'use client'

import type { ComponentProps } from 'react'
import { useRead } from '#components/environment/use-environment.ts'
import { ComboboxField, type ComboboxOption } from '#components/form/combobox-field.tsx'
import { tableOptions } from '#components/form/options.ts'
import { SelectField } from '#components/form/select-field.tsx'
import { TextArea } from '#components/form/text-area.tsx'
import { TextField } from '#components/form/text-field.tsx'
import { Button } from '#components/ui/button.tsx'
import { countryNames } from '#lib/contract/country-names.ts'
import { type IndividualPath, isPastDay } from '#lib/contract/individual-rules.ts'
import { documentLabels, genderLabels } from './individual-labels.ts'
import type { IndividualForm } from './use-individual-form.ts'

export const individualLabels: Record<IndividualPath, string> = {
  firstName: 'First name',
  lastName: 'Last name',
  dateOfBirth: 'Date of birth',
  gender: 'Gender',
  nationality: 'Nationality',
  email: 'Email',
  mobile: 'Mobile',
  address: 'Residential address',
  occupation: 'Occupation',
  position: 'Position',
  'document.type': 'Type',
  'document.number': 'Number',
  'document.country': 'Issuing country',
  'document.expiryDate': 'Expires',
}

let countries: ComboboxOption[] | undefined

function countryOptions(): ComboboxOption[] {
  return (countries ??= [...countryNames]
    .map(([code, label]) => ({ value: code, label, note: code }))
    .toSorted((one, other) => one.label.localeCompare(other.label)))
}

/** Name of an individual's choice; the code itself where it has no name. */
export function individualValue(path: IndividualPath, value: string, lists: Lists): string {
  const named: Partial<Record<IndividualPath, readonly { value: string; label: string }[]>> = {
    gender: tableOptions(genderLabels),
    'document.type': tableOptions(documentLabels),
    nationality: countryOptions(),
    'document.country': countryOptions(),
    occupation: lists.occupations,
    position: lists.positions,
  }
  return named[path]?.find((option) => option.value === value)?.label ?? value.trim()
}

type Lists = { occupations: ComboboxOption[]; positions: ComboboxOption[] }

/** The service's lists as options; empty until they are read. */
export function useIndividualLists() {
  const query = useRead('listIndividualLists')
  const options = (list: readonly { code: string; name: string }[] = []): ComboboxOption[] =>
    list.map(({ code, name }) => ({ value: code, label: name }))
  return {
    lists: { occupations: options(query.data?.occupations), positions: options(query.data?.positions) },
    query,
  }
}

/** A masked value can't be sent back: it is shown where it has to be entered again. */
export type OnRecord = Partial<Record<IndividualPath, string>>

type Props = { form: IndividualForm; onRecord?: OnRecord }

/** Who the individual is and how they are reached. */
export function PersonFields({ form, onRecord = {} }: Props) {
  const field = bindFields(form, onRecord)
  return (
    <>
      <TextField {...field.text('firstName')} />
      <TextField {...field.text('lastName')} />
      <TextField {...field.date('dateOfBirth')} />
      <SelectField {...field.text('gender')} placeholder="Select" options={tableOptions(genderLabels)} />
      <ComboboxField {...field.combobox('nationality')} noun="countries" options={countryOptions()} />
      <TextField {...field.text('mobile')} type="tel" placeholder="+852 9123 4567" />
      <TextField {...field.text('email')} className="sm:col-span-2" inputMode="email" spellCheck={false} />
      <TextArea {...field.text('address')} className="sm:col-span-2" rows={2} />
    </>
  )
}

/** The individual's occupation, from the service's own lists. */
export function WorkFields({ form, onRecord = {} }: Props) {
  const field = bindFields(form, onRecord)
  const { lists, query } = useIndividualLists()
  const isMissing = query.isError && !query.data
  return (
    <>
      <ComboboxField
        {...field.combobox('occupation')}
        noun="occupations"
        options={lists.occupations}
        placeholder={query.data ? undefined : isMissing ? 'Not available' : 'Loading…'}
      />
      <ComboboxField
        {...field.combobox('position')}
        noun="positions"
        options={lists.positions}
        placeholder={query.data ? undefined : isMissing ? 'Not available' : 'Loading…'}
      />
      {isMissing && (
        <p role="alert" className="flex flex-wrap items-center gap-2 text-warn sm:col-span-2">
          Couldn’t read the occupations and positions.
          <Button size="small" isPending={query.isFetching} onClick={() => void query.refetch()}>
            Try again
          </Button>
        </p>
      )}
    </>
  )
}

/** The document that proves who the individual is. */
export function IdentityDocumentFields({ form, onRecord = {} }: Props) {
  const field = bindFields(form, onRecord)
  return (
    <>
      <SelectField {...field.text('document.type')} placeholder="Select" options={tableOptions(documentLabels)} />
      <TextField {...field.text('document.number')} spellCheck={false} />
      <ComboboxField {...field.combobox('document.country')} noun="countries" options={countryOptions()} />
      <TextField
        {...field.date('document.expiryDate')}
        {...(isPastDay(form.entry['document.expiryDate']) && { hint: 'In the past: the document has expired.' })}
      />
    </>
  )
}

/** Props of each kind of field: label, value, error, and handler. */
function bindFields(form: IndividualForm, onRecord: OnRecord) {
  const shared = (path: IndividualPath) => ({
    label: individualLabels[path],
    'data-field': `individual.${path}`,
    value: form.entry[path],
    error: form.error(path),
    ...(onRecord[path] === undefined ? {} : { hint: `On record: ${onRecord[path]}` }),
  })
  const text = (path: IndividualPath) => ({
    ...shared(path),
    'aria-required': true,
    onChange: (event: { target: { value: string } }) => form.set(path, event.target.value),
    onBlur: () => {
      if (form.entry[path] !== '') form.flag([path])
    },
  })
  return {
    text,
    date: (path: IndividualPath): ComponentProps<typeof TextField> => ({
      ...text(path),
      placeholder: 'YYYY-MM-DD',
      inputMode: 'numeric',
      maxLength: 10,
    }),
    combobox: (path: IndividualPath) => ({
      ...shared(path),
      onChoose: (value: string) => form.set(path, value),
    }),
  }
}
