'use client'

import { clsx } from 'clsx'
import { beneficiaryPaths } from '#lib/contract/payout-entry.ts'
import { phoneExamples } from '#lib/contract/payout-rules.ts'
import { countryLabel } from '#lib/shared/countries.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { AddressField } from './address-field.tsx'
import { BankField } from './bank-field.tsx'
import { CardNumberField } from './card-number-field.tsx'
import { EntryField } from './entry-field.tsx'
import type { PayoutForm } from './use-payout-form.ts'

/** The fields of who receives and who sends, by the rules of the method and the country. */
export function BeneficiaryFields({ environment, form }: { environment: Environment; form: PayoutForm }) {
  const { choices, draft } = form
  const isCard = choices.method === 'NETWORK_CARD'
  const paths = new Set<string>(beneficiaryPaths(form.entry))
  const isKoreanMobile = (draft['destination.mobileNumber'] ?? '').replaceAll(/[\s().-]/g, '').startsWith('+82')
  const hasMobile = paths.has('destination.mobileNumber')
  const hasSender = paths.has('source.mobileNumber')
  return (
    <fieldset className="grid min-w-0 items-start gap-x-3 gap-y-4 @sm:grid-cols-12">
      <legend className="sr-only">Beneficiary</legend>
      {paths.has('destination.bankCode') && (
        <BankField environment={environment} form={form} country={choices.country} className={wide} />
      )}
      {isCard ? (
        <CardNumberField form={form} className="@sm:col-span-12 @3xl:col-span-4" />
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
            hint="required unless the mobile number starts with +82"
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
  return `required for ${countryLabel(country)}: + and the country code first, such as ${phoneExamples[path]}`
}
