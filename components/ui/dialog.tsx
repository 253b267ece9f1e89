'use client'

import { type ComponentType, lazy, type ReactNode, Suspense, useCallback, useState } from 'react'

export type DialogProps = { isOpen: boolean; onClose: () => void }

/** Prop that opens a dialog; a drawer has the id of its record instead, null while it is closed. */
type Openness = { isOpen: boolean } | { openId: unknown }

/** A dialog in a chunk of its own, which is loaded when it is first opened. It stays then, to close with its animation. */
export function lazyDialog<Props extends Openness>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => ReactNode {
  const Part: ComponentType<Props> = lazy(async () => ({ default: await load() }))
  return function LazyDialog(props) {
    const isOpen = 'openId' in props ? props.openId !== null : props.isOpen
    const [hasOpened, setHasOpened] = useState(isOpen)
    if (isOpen && !hasOpened) setHasOpened(true)
    return (
      hasOpened && (
        <Suspense fallback={null}>
          <Part {...props} />
        </Suspense>
      )
    )
  }
}

const loadPopup = () => import('./dialog-popup.tsx').then((file) => file.DialogPopup)

/** A dialog (or `drawer-end`, from the right). */
export const Dialog = lazyDialog(loadPopup)

/** Fetches the dialog's code before it is needed, so that the first one opens at once. */
export function preloadDialog(): void {
  loadPopup().catch(() => {})
}

/**
 * State of a dialog with the values that it was opened with. Each opening has a new `operationId`, which is also the dialog's `key`: it starts with
 * empty fields. Closed, it keeps what it shows until it is gone.
 */
export function useOpened<Given extends object = object>() {
  const [opened, setOpened] = useState<(Given & { operationId: string; isOpen: boolean }) | null>(null)
  const open = useCallback((given: Given) => {
    preloadDialog()
    setOpened({ ...given, operationId: crypto.randomUUID(), isOpen: true })
  }, [])
  const onClose = useCallback(() => setOpened((now) => now && { ...now, isOpen: false }), [])
  return { open, opened: opened && { ...opened, onClose } }
}
