'use client'

import { useLayoutEffect, useRef } from 'react'
import { TextField } from '#components/form/text-field.tsx'
import { caretAfter, groupedDigits } from './account-digits.ts'
import { labelOf } from './labels.ts'
import type { PayoutForm } from './use-payout-form.ts'

const path = 'destination.accountNumber'
const mostDigits = 24

/** The beneficiary's card number: only digits, grouped for reading. It is in this screen's memory and nowhere else. */
export function CardNumberField({ form, className }: { form: PayoutForm; className?: string }) {
  const element = useRef<HTMLDivElement>(null)
  const caret = useRef<number | null>(null)
  const digits = form.draft[path] ?? ''

  useLayoutEffect(() => {
    const input = element.current?.querySelector('input')
    if (caret.current === null || !input || document.activeElement !== input) return
    input.setSelectionRange(caret.current, caret.current)
    caret.current = null
  })

  return (
    <div ref={element} className={className}>
      <TextField
        label={labelOf(path, form.choices.method)}
        data-field={path}
        isMono
        inputMode="numeric"
        spellCheck={false}
        hint="16 to 19 digits. It goes to the API with the payout and isn’t stored: only the last four digits are shown later."
        error={form.errors.get(path)}
        value={groupedDigits(digits)}
        onChange={(event) => {
          const { value, selectionStart } = event.target
          const before = value.slice(0, selectionStart ?? value.length).replaceAll(/\D/g, '').length
          caret.current = caretAfter(before)
          form.set(path, value.replaceAll(/\D/g, '').slice(0, mostDigits))
        }}
      />
    </div>
  )
}
