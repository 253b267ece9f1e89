'use client'

import { type ComponentProps, useState } from 'react'
import { TextField } from './text-field.tsx'

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
