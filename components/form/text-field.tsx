'use client'

import { clsx } from 'clsx'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { useReplayPreHydrationInput } from './early-entry.ts'
import { controlStyle, Field, type FieldProps, partField } from './field.tsx'

/** A line of text. `suffix` is in the field, behind the text: a currency, a unit. */
export function TextField({
  suffix,
  isMono = false,
  inputClassName,
  ...props
}: FieldProps &
  Omit<ComponentProps<'input'>, 'ref' | 'id' | 'className' | 'size'> & {
    suffix?: ReactNode
    isMono?: boolean
    inputClassName?: string
  }) {
  const [field, input] = partField(props)
  const earlyEntry = useReplayPreHydrationInput()
  return (
    <Field {...field}>
      {(wiring) => (
        <div className="relative">
          <input
            ref={earlyEntry}
            type="text"
            autoComplete="off"
            {...input}
            {...wiring}
            className={clsx(controlStyle, isMono && 'font-mono', suffix !== undefined && 'pr-14', inputClassName)}
          />
          {suffix !== undefined && (
            <span className="pointer-events-none absolute inset-y-0 right-2.5 flex items-center text-xs text-faint">
              {suffix}
            </span>
          )}
        </div>
      )}
    </Field>
  )
}

/**
 * A fixed number of digits: everything else is left out while typing or pasting. `isSecret` hides them (a PIN) and requests
 * the browser not to remember them.
 */
export function DigitsField({
  digits,
  isSecret = false,
  value,
  defaultValue = '',
  onDigits,
  ...rest
}: Omit<ComponentProps<typeof TextField>, 'value' | 'defaultValue' | 'onChange' | 'type'> & {
  digits: number
  isSecret?: boolean
  value?: string
  defaultValue?: string
  onDigits?: (digits: string) => void
}) {
  const [own, setOwn] = useState(defaultValue)
  return (
    <TextField
      inputMode="numeric"
      isMono
      spellCheck={false}
      inputClassName="tracking-widest"
      {...rest}
      type={isSecret ? 'password' : 'text'}
      autoComplete={isSecret ? 'one-time-code' : 'off'}
      value={value ?? own}
      onChange={(event) => {
        const next = event.target.value.replaceAll(/\D/g, '').slice(0, digits)
        setOwn(next)
        onDigits?.(next)
      }}
    />
  )
}
