'use client'

import { lazy, Suspense, useState } from 'react'
import type { DialogWindowProps } from './dialog-window.tsx'

function loadDialogWindow() {
  return import('./dialog-window.tsx').then(({ DialogWindow }) => ({ default: DialogWindow }))
}

const DialogWindow = lazy(loadDialogWindow)

/** Fetches the dialog's code before it is needed, so that the first one opens at once. */
export function preloadDialog(): void {
  loadDialogWindow().catch(() => {})
}

type DialogProps = DialogWindowProps

/** A dialog (or `drawer-end`, from the right). Its code is loaded when it is first opened. */
export function Dialog(props: DialogProps) {
  const [hasOpened, setHasOpened] = useState(props.isOpen)
  if (props.isOpen && !hasOpened) setHasOpened(true)
  if (!hasOpened) return null
  return (
    <Suspense fallback={null}>
      <DialogWindow {...props} />
    </Suspense>
  )
}
