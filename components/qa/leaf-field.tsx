'use client'

import { type ReactNode, useId } from 'react'
import { Checkbox } from '#components/form/checkbox.tsx'
import { SelectField, type SelectOption } from '#components/form/select-field.tsx'
import { TextArea } from '#components/form/text-area.tsx'
import { TextField } from '#components/form/text-field.tsx'

/** The control of one value in a form that is drawn from a description: a simulator, a fault, a request of the explorer. */
export function LeafField({
  kind,
  options,
  placeholder,
  suggestions,
  suffix,
  isMono = false,
  isOptional = false,
  className,
  onValue,
  ...field
}: {
  kind: 'text' | 'number' | 'json' | 'flag' | 'select'
  label: ReactNode
  value: string
  /** A flag is `true`, or empty. */
  onValue: (value: string) => void
  hint?: ReactNode
  error?: string | undefined
  /** The choices of a `select`. */
  options?: readonly SelectOption[]
  placeholder?: string
  /** Texts to choose from, or to type another one. */
  suggestions?: readonly string[]
  suffix?: string
  isMono?: boolean
  isOptional?: boolean
  className?: string
}) {
  const listId = useId()
  const shared = {
    ...field,
    onChange: (event: { target: { value: string } }) => onValue(event.target.value),
    ...(className === undefined ? {} : { className }),
  }
  if (kind === 'select') return <SelectField {...shared} options={options ?? []} placeholder={placeholder} />
  if (kind === 'flag') {
    return (
      <Checkbox
        label={field.label}
        hint={field.hint}
        checked={field.value === 'true'}
        onChange={(event) => onValue(event.target.checked ? 'true' : '')}
        className={className}
      />
    )
  }
  if (kind === 'json') return <TextArea {...shared} isMono isOptional={isOptional} rows={2} spellCheck={false} />
  return (
    <>
      <TextField
        {...shared}
        isMono={isMono}
        isOptional={isOptional}
        spellCheck={!isMono}
        inputMode={kind === 'number' ? 'decimal' : undefined}
        suffix={suffix}
        list={suggestions ? listId : undefined}
      />
      {suggestions && (
        <datalist id={listId}>
          {suggestions.map((text) => (
            <option key={text} value={text}>
              {text}
            </option>
          ))}
        </datalist>
      )}
    </>
  )
}
