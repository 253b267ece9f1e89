import { clsx } from 'clsx'
import type { ComponentProps } from 'react'
import { useReplayPreHydrationInput } from './early-entry.ts'
import { controlStyle, Field, type FieldProps, partField } from './field.tsx'

/** Text of several lines; it grows with its content. */
export function TextArea({
  isMono = false,
  rows = 3,
  ...props
}: FieldProps & Omit<ComponentProps<'textarea'>, 'ref' | 'id' | 'className'> & { isMono?: boolean }) {
  const [field, area] = partField(props)
  const earlyEntry = useReplayPreHydrationInput()
  return (
    <Field {...field}>
      {(wiring) => (
        <textarea
          ref={earlyEntry}
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
