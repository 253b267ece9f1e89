import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { useReplayPreHydrationInput } from './early-entry.ts'
import { controlStyle, Field, type FieldProps, partField } from './field.tsx'

export type SelectOption = { value: string; label: string; isUnavailable?: boolean }

/** The browser's own select, dressed: it works before any script, on a phone, and with every reader. */
export function SelectField({
  options,
  placeholder,
  ...props
}: FieldProps &
  Omit<ComponentProps<'select'>, 'ref' | 'id' | 'className' | 'children'> & {
    options: readonly SelectOption[]
    /** The entry for "nothing chosen yet"; its value is the empty text. */
    placeholder?: string
  }) {
  const [field, select] = partField(props)
  const earlyEntry = useReplayPreHydrationInput()
  return (
    <Field {...field}>
      {(wiring) => (
        <div className="relative">
          <select ref={earlyEntry} {...select} {...wiring} className={clsx(controlStyle, 'appearance-none pr-8')}>
            {placeholder !== undefined && <option value="">{placeholder}</option>}
            {options.map((option) => (
              <option key={option.value} value={option.value} disabled={option.isUnavailable}>
                {option.label}
              </option>
            ))}
          </select>
          <ChevronDown
            aria-hidden="true"
            className="pointer-events-none absolute top-2.5 right-2.5 size-4 text-faint"
          />
        </div>
      )}
    </Field>
  )
}
