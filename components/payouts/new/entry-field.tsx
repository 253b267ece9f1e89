'use client'

import type { ComponentProps } from 'react'
import { SelectField } from '#components/form/select-field.tsx'
import { TextField } from '#components/form/text-field.tsx'
import { labelOf } from './labels.ts'
import type { PayoutForm } from './use-payout-form.ts'

/**
 * A text field of the draft, by its path. It has no `name`, so that a form submitted before hydration sends nothing.
 */
export function EntryField({
  form,
  path,
  ...rest
}: { form: PayoutForm; path: string } & Omit<
  ComponentProps<typeof TextField>,
  'form' | 'label' | 'error' | 'value' | 'onChange'
>) {
  return (
    <TextField
      spellCheck={false}
      {...rest}
      label={labelOf(path, form.choices.method)}
      data-field={path}
      error={form.errors.get(path)}
      value={form.draft[path] ?? ''}
      onChange={(event) => form.set(path, event.target.value)}
    />
  )
}

/** A choice of the draft, by its path. */
export function EntrySelect({
  form,
  path,
  ...rest
}: { form: PayoutForm; path: string } & Omit<
  ComponentProps<typeof SelectField>,
  'form' | 'label' | 'error' | 'value' | 'onChange'
>) {
  return (
    <SelectField
      {...rest}
      label={labelOf(path, form.choices.method)}
      error={form.errors.get(path)}
      value={form.draft[path] ?? ''}
      onChange={(event) => form.set(path, event.target.value)}
    />
  )
}
