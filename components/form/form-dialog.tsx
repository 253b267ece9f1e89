'use client'

import { type FormEvent, type ReactNode, useId } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Dialog, type DialogProps } from '#components/ui/dialog.tsx'

/** A dialog that is a form, sent by Enter as well. `onSubmit` gets the fields that have a `name`; the server checks them. */
export function FormDialog({
  title,
  description,
  size = 'base',
  submitLabel,
  isPending,
  onChange,
  onSubmit,
  children,
  ...dialog
}: DialogProps & {
  title: string
  description?: string
  size?: 'small' | 'base'
  submitLabel: string
  isPending: boolean
  onChange: (event: FormEvent) => void
  onSubmit: (fields: FormData) => void
  children: ReactNode
}) {
  const formId = useId()

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    onSubmit(new FormData(event.currentTarget))
  }

  return (
    <Dialog
      {...dialog}
      isLocked={isPending}
      size={size}
      title={title}
      description={description}
      footer={
        <>
          <Button onClick={dialog.onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={formId} isPending={isPending}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form id={formId} className="grid gap-4" noValidate onChange={onChange} onSubmit={submit}>
        {children}
      </form>
    </Dialog>
  )
}
