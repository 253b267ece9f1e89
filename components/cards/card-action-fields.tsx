'use client'

import { useState } from 'react'
import { DigitsField } from '#components/form/digits-field.tsx'
import { SelectField } from '#components/form/select-field.tsx'
import { TextField } from '#components/form/text-field.tsx'
import { type CardReason, cardReasons } from '#lib/contract/card-actions.ts'
import type { CardActionField } from './card-action-table.ts'

type Errors = Record<string, string>

/** What is missing or wrong before anything is sent, by field; empty where nothing is. */
export function fieldErrors(
  fields: readonly CardActionField[] = [],
  isReasonRequired: boolean,
  values: FormData,
): Errors {
  const errors: Errors = {}
  for (const field of fields) {
    if (field.kind === 'digits') {
      const typed = String(values.get(field.name) ?? '')
      if (typed.length !== digits) errors[field.name] = `Enter exactly ${digits} digits.`
      else if (field.sameAs && typed !== values.get(field.sameAs)) {
        errors[field.name] = 'The two entries are not the same.'
      }
    } else {
      if (!values.get('expiryMonth')) errors.expiryMonth = 'Choose the month.'
      if (!values.get('expiryYear')) errors.expiryYear = 'Choose the year.'
    }
  }
  if (isReasonRequired && !values.get('reason')) errors.reason = 'Choose a reason.'
  const comment = String(values.get('comment') ?? '').trim()
  if (values.get('reason') === 'other' && comment === '') errors.comment = 'Say what the reason is.'
  return errors
}

/** The last digits of a card number, and a PIN. */
const digits = 6

export function CardActionFields({
  fields = [],
  reasons,
  isReasonRequired,
  errors,
  thisYear,
}: {
  fields: readonly CardActionField[] | undefined
  reasons: readonly CardReason[]
  isReasonRequired: boolean
  errors: Errors
  thisYear: number
}) {
  return (
    <>
      {fields.map((field) => {
        if (field.kind === 'expiry') return <ExpiryFields key="expiry" errors={errors} thisYear={thisYear} />
        const { name, label, hint, isSecret = false } = field
        return <DigitsField key={name} {...{ name, label, digits, hint, isSecret }} error={errors[name]} />
      })}
      {reasons.length > 0 && <ReasonFields reasons={reasons} isRequired={isReasonRequired} errors={errors} />}
    </>
  )
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
        options={years.map((value) => ({ value, label: value }))}
        error={errors.expiryYear}
      />
    </fieldset>
  )
}

function ReasonFields({
  reasons,
  isRequired,
  errors,
}: {
  reasons: readonly CardReason[]
  isRequired: boolean
  errors: Errors
}) {
  const [reason, setReason] = useState('')
  return (
    <>
      <SelectField
        name="reason"
        label="Reason"
        isOptional={!isRequired}
        placeholder={isRequired ? 'Choose one' : 'None given'}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        options={reasons.map((value) => ({ value, label: cardReasons[value] }))}
        error={errors.reason}
      />
      {reason !== '' && (
        <TextField
          name="comment"
          label="Comment"
          isOptional={reason !== 'other'}
          maxLength={500}
          hint="Saved in the audit log. Don’t enter card numbers."
          error={errors.comment}
        />
      )}
    </>
  )
}
