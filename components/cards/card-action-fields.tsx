'use client'

import { SelectField } from '#components/form/select-field.tsx'
import { DigitsField } from '#components/form/text-field.tsx'
import { ReasonFields } from '#components/operations/reason-fields.tsx'
import type { performCardAction } from '#lib/actions/operations.ts'
import type { CardAction } from '#lib/contract/card-actions.ts'
import { type CardActionField, cardActionTable } from './card-action-table.ts'

type Errors = Record<string, string>

/** The inputs that show their own problem. */
export const ownFields = ['reason', 'comment', 'last6', 'expiryMonth', 'expiryYear', 'pin', 'pinAgain']
/** The last digits of a card number, and a PIN. */
const digits = 6

/** Issues found before anything is sent, by field; empty where there are none. */
export function fieldErrors(fields: readonly CardActionField[] = [], values: FormData): Errors {
  const errors: Errors = {}
  for (const field of fields) {
    if (field.kind === 'digits') {
      const typed = String(values.get(field.name) ?? '')
      if (typed.length !== digits) errors[field.name] = `must be ${digits} digits`
      else if (field.sameAs && typed !== values.get(field.sameAs)) errors[field.name] = 'is not the same'
    } else {
      if (!values.get('expiryMonth')) errors.expiryMonth = 'must be chosen'
      if (!values.get('expiryYear')) errors.expiryYear = 'must be chosen'
    }
  }
  return errors
}

/** What the digits and expiry were filled with, under the names of the action's input. */
export function digitsIn(
  values: FormData,
): Pick<Parameters<typeof performCardAction>[1], 'last6' | 'pin' | 'expiryMonth' | 'expiryYear'> {
  const text = (name: string) => values.get(name)?.toString() ?? ''
  const entered = {
    ...(text('last6') ? { last6: text('last6') } : {}),
    ...(text('pin') ? { pin: text('pin') } : {}),
    ...(text('expiryMonth') ? { expiryMonth: Number(text('expiryMonth')) } : {}),
    ...(text('expiryYear') ? { expiryYear: Number(text('expiryYear')) } : {}),
  }
  return entered
}

export function CardActionFields({
  action,
  errors,
  thisYear,
}: {
  action: CardAction
  errors: Errors
  thisYear: number
}) {
  const { fields = [] } = cardActionTable[action]
  return (
    <>
      {fields.map((field) => {
        if (field.kind === 'expiry') return <ExpiryFields key="expiry" errors={errors} thisYear={thisYear} />
        const { name, label, hint, isSecret = false } = field
        const wrong = errors[name]
        return <DigitsField key={name} {...{ name, label, digits, hint, isSecret }} error={wrong && `This ${wrong}.`} />
      })}
      <ReasonFields kind={`card.${action}`} errors={errors} />
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
        error={errors.expiryMonth && `The month ${errors.expiryMonth}.`}
      />
      <SelectField
        name="expiryYear"
        label="Expiry year"
        placeholder="Year"
        defaultValue=""
        options={years.map((value) => ({ value, label: value }))}
        error={errors.expiryYear && `The year ${errors.expiryYear}.`}
      />
    </fieldset>
  )
}
