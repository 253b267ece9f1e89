import { clsx } from 'clsx'
import type { ComponentProps, ReactNode } from 'react'
import { useEarlyEntry } from './early-entry.ts'
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
  const earlyEntry = useEarlyEntry()
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
