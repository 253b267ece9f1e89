'use client'

import { Send } from 'lucide-react'
import { useState } from 'react'
import { countryName } from '#components/banks/bank-params.ts'
import { accountTitle } from '#components/card-accounts/account-labels.ts'
import { controlStyle, Field } from '#components/form/field.tsx'
import { SelectField, type SelectOption } from '#components/form/select-field.tsx'
import { TextArea } from '#components/form/text-area.tsx'
import { TextField } from '#components/form/text-field.tsx'
import { OperationDialog } from '#components/operations/operation-dialog.tsx'
import { resubmitIdentity } from '#lib/actions/identity.ts'
import type { ResubmitIdentityInput } from '#lib/console/identity/operations.ts'
import type { IdentityCase } from '#lib/console/identity/read.ts'
import type { genders, identityDocumentTypes, supportingDocumentTypes } from '#lib/contract/client-identity.ts'
import { countryCodes } from '#lib/contract/countries.ts'
import { occupations, positions } from '#lib/contract/occupations.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { reasonEntry } from './rejection-reasons.ts'
import { useIdentityOperation } from './use-identity-operation.ts'

type Individual = ResubmitIdentityInput['individual']

const genderLabels: Record<(typeof genders)[number], string> = { FEMALE: 'Female', MALE: 'Male' }

const documentLabels: Record<(typeof identityDocumentTypes)[number], string> = {
  HKID: 'Hong Kong identity card',
  PASSPORT: 'Passport',
  NATIONAL_ID: 'National ID',
}

const supportingLabels: Record<(typeof supportingDocumentTypes)[number], string> = {
  PASSPORT: 'Passport',
  VISA: 'Visa',
  ADDRESS_PROOF: 'Proof of address',
  TRAVEL_PERMIT_FRONT: 'Travel permit, front',
  TRAVEL_PERMIT_BACK: 'Travel permit, back',
}

const supportingTypes = Object.keys(supportingLabels) as (typeof supportingDocumentTypes)[number][]
const longestFilesBytes = 700_000

const codeOptions = (list: readonly { code: string; name: string }[]): SelectOption[] =>
  list.map(({ code, name }) => ({ value: code, label: name }))
const labelOptions = (labels: Readonly<Record<string, string>>): SelectOption[] =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

function countryOptions(): SelectOption[] {
  const names = new Intl.DisplayNames('en', { type: 'region' })
  return countryCodes
    .map((code) => ({ value: code, label: countryName(code) ?? names.of(code) ?? code }))
    .toSorted((one, other) => one.label.localeCompare(other.label))
}

/** Masked values can’t be sent back: the person enters them again. */
function prefilled(value: string | null | undefined): { defaultValue: string; hint?: string } {
  if (!value) return { defaultValue: '' }
  return /[*•]/.test(value) ? { defaultValue: '', hint: `On record: ${value}` } : { defaultValue: value }
}

/** Submits a rejected individual again, with what the service returned unmasked filled in. */
export function ResubmitDialog({
  environment,
  found,
  operationId,
  isOpen,
  onClose,
}: {
  environment: Environment
  found: IdentityCase
  operationId: string
  isOpen: boolean
  onClose: () => void
}) {
  const operation = useIdentityOperation(environment, found.account.id, operationId)
  // The details stay as they were when the dialog opened.
  const [{ account, identity }] = useState(found)
  const { errors } = operation
  const individual = identity.individual
  const countries = countryOptions()
  const entry = reasonEntry(identity.rejectedReason)
  /** What every field has: its name, whether it must be entered, and its problem. */
  const field = (name: string) => ({
    name,
    required: true,
    error: errors[`individual.${name}`] && `This ${errors[`individual.${name}`]}.`,
  })
  return (
    <OperationDialog
      isOpen={isOpen}
      onClose={onClose}
      operation={operation}
      fields={fieldNames}
      problem={(name, wrong) => (name === 'status' ? `The identity ${wrong}.` : `${name} ${wrong}.`)}
      grade="light"
      size="large"
      title={`Resubmit the identity of ${accountTitle(account)}?`}
      consequence="The identity goes back to review. Masked details must be entered again."
      rows={[
        { label: 'Rejected for', value: identity.rejectedReason ?? 'Not provided' },
        ...(entry ? [{ label: 'Ask for', value: entry.document }] : []),
      ]}
      confirmLabel="Resubmit identity"
      confirmIcon={<Send aria-hidden="true" />}
      onConfirm={(values) => {
        const files = supportingTypes.flatMap((type) => {
          const file = values.get(type)
          return file instanceof File && file.size > 0 ? [{ type, file }] : []
        })
        if (files.reduce((size, { file }) => size + file.size, 0) > longestFilesBytes) {
          return operation.setErrors({ 'individual.supportingDocuments': 'must have at most 700 KB together' })
        }
        operation.start(async () =>
          resubmitIdentity({
            environment,
            operationId,
            cardAccountId: account.id,
            individual: await individualOf(values, files),
          }),
        )
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label="First name" {...field('firstName')} {...prefilled(individual?.firstName)} />
        <TextField label="Last name" {...field('lastName')} {...prefilled(individual?.lastName)} />
        <TextField
          label="Date of birth"
          type="date"
          {...field('dateOfBirth')}
          {...prefilled(individual?.dateOfBirth)}
        />
        <SelectField
          label="Gender"
          placeholder="Select"
          options={labelOptions(genderLabels)}
          {...field('gender')}
          {...prefilled(individual?.gender)}
        />
        <TextField label="Email" type="email" {...field('email')} {...prefilled(individual?.email)} />
        <TextField
          label="Mobile"
          type="tel"
          placeholder="+85291234567"
          {...field('mobile')}
          {...prefilled(individual?.mobile)}
        />
        <SelectField
          label="Nationality"
          placeholder="Select"
          options={countries}
          {...field('nationality')}
          {...prefilled(individual?.nationality)}
        />
        <SelectField
          label="Occupation"
          placeholder="Select"
          options={codeOptions(occupations)}
          {...field('occupation')}
          {...prefilled(individual?.occupation)}
        />
        <SelectField
          label="Position"
          placeholder="Select"
          options={codeOptions(positions)}
          {...field('position')}
          {...prefilled(individual?.position)}
        />
        <TextArea
          label="Residential address"
          className="sm:col-span-2"
          rows={2}
          maxLength={500}
          {...field('address')}
          {...prefilled(individual?.address)}
        />
      </div>
      <fieldset className="grid gap-4 border-t pt-3 sm:grid-cols-2">
        <legend className="float-left pt-3 font-medium sm:col-span-2">Identity document</legend>
        <SelectField
          label="Type"
          placeholder="Select"
          options={labelOptions(documentLabels)}
          {...field('document.type')}
          {...prefilled(individual?.document?.type)}
        />
        <TextField label="Number" {...field('document.number')} {...prefilled(individual?.document?.number)} />
        <SelectField
          label="Issuing country"
          placeholder="Select"
          options={countries}
          {...field('document.country')}
          {...prefilled(individual?.document?.country)}
        />
        <TextField
          label="Expires"
          type="date"
          {...field('document.expiryDate')}
          {...prefilled(individual?.document?.expiryDate)}
        />
      </fieldset>
      <fieldset className="grid gap-4 border-t pt-3 sm:grid-cols-2">
        <legend className="float-left pt-3 font-medium sm:col-span-2">Supporting documents</legend>
        <p className="text-xs text-faint sm:col-span-2">
          Required unless the nationality is Hong Kong. JPEG, PNG or PDF, 700 KB together.
        </p>
        {supportingTypes.map((type) => (
          <Field key={type} label={supportingLabels[type]} isOptional>
            {(wiring) => (
              <input
                type="file"
                name={type}
                accept="image/jpeg,image/png,application/pdf"
                {...wiring}
                className={`${controlStyle} py-1.5 text-xs file:mr-2 file:font-medium`}
              />
            )}
          </Field>
        ))}
        {errors['individual.supportingDocuments'] && (
          <p role="alert" className="text-bad sm:col-span-2">
            Supporting documents: this {errors['individual.supportingDocuments']}.
          </p>
        )}
      </fieldset>
    </OperationDialog>
  )
}

const fieldNames = [
  'firstName',
  'lastName',
  'dateOfBirth',
  'gender',
  'email',
  'mobile',
  'nationality',
  'occupation',
  'position',
  'address',
  'document.type',
  'document.number',
  'document.country',
  'document.expiryDate',
  'supportingDocuments',
].map((name) => `individual.${name}`)

type ChosenFile = { type: (typeof supportingTypes)[number]; file: File }

async function individualOf(values: FormData, files: readonly ChosenFile[]): Promise<Individual> {
  const text = (name: string) => String(values.get(name) ?? '').trim()
  return {
    firstName: text('firstName'),
    lastName: text('lastName'),
    dateOfBirth: text('dateOfBirth'),
    email: text('email'),
    mobile: text('mobile').replaceAll(/[\s()-]/g, ''),
    occupation: text('occupation'),
    position: text('position'),
    gender: text('gender') as Individual['gender'],
    nationality: text('nationality'),
    address: text('address'),
    document: {
      type: text('document.type') as Individual['document']['type'],
      number: text('document.number'),
      country: text('document.country'),
      expiryDate: text('document.expiryDate'),
    },
    ...(files.length === 0
      ? {}
      : {
          supportingDocuments: await Promise.all(
            files.map(async ({ type, file }) => ({ documentType: type, file: await dataUriOf(file) })),
          ),
        }),
  }
}

function dataUriOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result)))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file could not be read.')))
    reader.readAsDataURL(file)
  })
}
