import { clsx } from 'clsx'
import type { ComponentProps } from 'react'
import { controlStyle, Field, type FieldProps } from './field.tsx'

/** Text of several lines; it grows with what is in it. */
export function TextArea({
  label,
  hint,
  error,
  isLabelHidden,
  isOptional,
  className,
  isMono = false,
  rows = 3,
  ...area
}: FieldProps & Omit<ComponentProps<'textarea'>, 'id' | 'className'> & { isMono?: boolean }) {
  const field = {
    label,
    hint,
    error,
    ...(isLabelHidden ? { isLabelHidden } : {}),
    ...(isOptional ? { isOptional } : {}),
  }
  return (
    <Field {...field} {...(className ? { className } : {})}>
      {(wiring) => (
        <textarea
          autoComplete="off"
          rows={rows}
          {...area}
          {...wiring}
          className={clsx(
            controlStyle,
            'block h-auto max-h-96 min-h-9 field-sizing-content py-1.5',
            rows > 1 ? 'resize-y' : 'resize-none',
            isMono && 'font-mono text-xs/5',
          )}
        />
      )}
    </Field>
  )
}
