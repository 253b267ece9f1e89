'use client'

import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { type ComponentProps, useLayoutEffect, useRef } from 'react'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { ComboboxField, type ComboboxOption } from '#components/form/combobox-field.tsx'
import { SelectField } from '#components/form/select-field.tsx'
import { TextField } from '#components/form/text-field.tsx'
import { Button } from '#components/ui/button.tsx'
import { formatCount } from '#components/ui/count.ts'
import { countryInSentence } from '#lib/contract/country-names.ts'
import { beneficiaryPaths } from '#lib/contract/payout-entry.ts'
import { phoneExamples, minimumAddressLength } from '#lib/contract/payout-rules.ts'
import type { PayoutBank } from '#lib/contract/records.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { caretAfter, groupedDigits, fieldLabel } from './labels.ts'
import type { PayoutForm } from './use-payout-form.ts'

/**
 * A text field of the draft, by its path. It has no `name`, so that a form submitted before hydration sends nothing.
 */
export function EntryField({
  form,
  path,
  ...rest
}: { form: PayoutForm; path: string } & Omit<
  ComponentProps<typeof TextField>,
  'form' | 'label' | 'error' | 'value' | 'onChange'
>) {
  return (
    <TextField
      spellCheck={false}
      {...rest}
      label={fieldLabel(path, form.choices.method)}
      data-field={path}
      error={form.errors.get(path)}
      value={form.draft[path] ?? ''}
      onChange={(event) => form.set(path, event.target.value)}
    />
  )
}

/** A choice of the draft, by its path. */
export function EntrySelect({
  form,
  path,
  ...rest
}: { form: PayoutForm; path: string } & Pick<ComponentProps<typeof SelectField>, 'options' | 'placeholder'>) {
  return (
    <SelectField
      {...rest}
      label={fieldLabel(path, form.choices.method)}
      error={form.errors.get(path)}
      value={form.draft[path] ?? ''}
      onChange={(event) => form.set(path, event.target.value)}
    />
  )
}

const accountNumberPath = 'destination.accountNumber'
const mostDigits = 24

/** The beneficiary's card number: only digits, grouped for reading. It is in this screen's memory and nowhere else. */
function CardNumberField({ form }: { form: PayoutForm }) {
  const element = useRef<HTMLDivElement>(null)
  const caret = useRef<number | null>(null)
  const digits = form.draft[accountNumberPath] ?? ''

  useLayoutEffect(() => {
    const input = element.current?.querySelector('input')
    if (caret.current === null || !input || document.activeElement !== input) return
    input.setSelectionRange(caret.current, caret.current)
    caret.current = null
  })

  return (
    <div ref={element} className="@sm:col-span-12 @3xl:col-span-4">
      <TextField
        label={fieldLabel(accountNumberPath, form.choices.method)}
        data-field={accountNumberPath}
        isMono
        inputMode="numeric"
        spellCheck={false}
        hint="16 to 19 digits. It isn’t stored: only the last four digits are shown later."
        error={form.errors.get(accountNumberPath)}
        value={groupedDigits(digits)}
        onChange={(event) => {
          const { value, selectionStart } = event.target
          const before = value.slice(0, selectionStart ?? value.length).replaceAll(/\D/g, '').length
          caret.current = caretAfter(before)
          form.set(accountNumberPath, value.replaceAll(/\D/g, '').slice(0, mostDigits))
        }}
      />
    </div>
  )
}

const path = 'destination.bankCode'

/** The bank, from the service's list of the country: found by typing part of its name or code. */
function BankField({ form, country, className }: { form: PayoutForm; country: string; className?: string }) {
  const environment = useEnvironment()
  const { data, error, isFetching, refetch } = useQuery({
    ...readQuery('listPayoutBanks', environment, country),
    enabled: country !== '',
  })
  const banks = data?.countryCode === country ? toBankOptions(data.banks) : undefined
  return (
    <ComboboxField
      key={country}
      label={fieldLabel(path, form.choices.method)}
      isOptional
      error={form.errors.get(path)}
      hint={
        error && !banks ? (
          <span className="flex flex-wrap items-center gap-2">
            The banks of {countryInSentence(country)} could not be read.
            <Button size="small" isPending={isFetching} onClick={() => void refetch()}>
              Read again
            </Button>
          </span>
        ) : undefined
      }
      className={className}
      data-field={path}
      noun="banks"
      options={banks ?? []}
      readOptions={async () => toBankOptions((await refetch({ cancelRefetch: false })).data?.banks ?? [])}
      placeholder={
        country === '' ? 'Choose a country first' : banks ? formatCount(banks.length, 'bank') : 'Reading the banks…'
      }
      value={form.draft[path] ?? ''}
      onChoose={(code) => form.set(path, code)}
    />
  )
}

/** The banks that a payout can name: those with a code. */
function toBankOptions(banks: readonly PayoutBank[]): ComboboxOption[] {
  return banks.flatMap(({ code, name }) => (code ? [{ value: code, label: name ?? '', note: code }] : []))
}

/** The fields of who receives and who sends, by the rules of the method and the country. */
export function BeneficiaryFields({ form }: { form: PayoutForm }) {
  const { choices, draft } = form
  const isCard = choices.method === 'NETWORK_CARD'
  const paths = new Set<string>(beneficiaryPaths(form.entry))
  const isKoreanMobile = (draft['destination.mobileNumber'] ?? '').replaceAll(/[\s().-]/g, '').startsWith('+82')
  const hasMobile = paths.has('destination.mobileNumber')
  const hasSender = paths.has('source.mobileNumber')
  return (
    <fieldset className="grid min-w-0 items-start gap-x-3 gap-y-4 @sm:grid-cols-12">
      <legend className="sr-only">Beneficiary</legend>
      {paths.has('destination.bankCode') && <BankField form={form} country={choices.country} className={wide} />}
      {isCard ? (
        <CardNumberField form={form} />
      ) : (
        <EntryField form={form} path="destination.accountNumber" isMono className={wide} />
      )}
      <EntryField form={form} path="destination.firstName" className={name} />
      <EntryField form={form} path="destination.surname" className={name} />
      {isCard && (
        <>
          <EntryField form={form} path="destination.firstNameCN" lang="zh" hint={chineseOnly} className={name} />
          <EntryField form={form} path="destination.surnameCN" lang="zh" hint={chineseOnly} className={name} />
        </>
      )}
      <AddressField
        form={form}
        className={clsx('@sm:col-span-12', hasMobile && '@3xl:col-span-6', hasSender && '@3xl:col-span-8')}
      />
      {hasMobile && (
        <>
          <EntryField
            form={form}
            path="destination.mobileNumber"
            type="tel"
            hint={phoneHint('KR', 'destination.mobileNumber')}
            className="@sm:col-span-6 @3xl:col-span-3"
          />
          <EntryField
            form={form}
            path="destination.email"
            inputMode="email"
            isOptional={isKoreanMobile}
            hint="Required unless the mobile number starts with +82"
            className="@sm:col-span-6 @3xl:col-span-3"
          />
        </>
      )}
      {hasSender && (
        <EntryField
          form={form}
          path="source.mobileNumber"
          type="tel"
          hint={phoneHint('ID', 'source.mobileNumber')}
          className={wide}
        />
      )}
    </fieldset>
  )
}

const wide = '@sm:col-span-6 @3xl:col-span-4'
const name = '@sm:col-span-6 @3xl:col-span-2'
const chineseOnly = 'Chinese characters only'

function phoneHint(country: string, path: keyof typeof phoneExamples): string {
  return `Required for ${countryInSentence(country)}: + and the country code first, such as ${phoneExamples[path]}`
}

/** The beneficiary's address; Chinese characters in it are shown as the pinyin that is sent. */
function AddressField({ form, className }: { form: PayoutForm; className?: string }) {
  const pinyin = form.addressInPinyin
  return (
    <div className={className}>
      <EntryField
        form={form}
        path="destination.address"
        hint={`More than ${minimumAddressLength - 1} characters, with a space and a number. Chinese is sent as pinyin`}
      />
      <output className={pinyin === null ? 'hidden' : 'mt-1.5 block text-xs text-soft'}>
        {pinyin !== null && (
          <>
            Sent as <span className="font-medium text-ink">{pinyin}</span>
          </>
        )}
      </output>
    </div>
  )
}
