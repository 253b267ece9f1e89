'use client'

import {
  type ComponentType,
  type ReactNode,
  startTransition,
  useCallback,
  useEffect,
  useEffectEvent,
  useState,
} from 'react'
import { isNotFetched } from './lazy-part.ts'
import { showToast } from './toasts.tsx'

export type DialogProps = { isOpen: boolean; onClose: () => void }

/** Prop that opens a dialog; a drawer has the id of its record instead, null while it is closed. */
type Openness = ({ isOpen: boolean } | { openId: unknown }) & { onClose: () => void }

const notFetched = {
  tone: 'bad',
  title: 'It couldn’t be opened',
  description: 'Carddesk doesn’t respond, or was updated. Try again; if that doesn’t help, reload the page.',
} as const

/**
 * A dialog in a chunk of its own, which is fetched when it is first opened. It stays then, to close with its animation. Where
 * the chunk cannot be fetched the dialog is closed again and a toast says so.
 */
export function lazyDialog<Props extends Openness>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => ReactNode {
  return function LazyDialog(props) {
    const isOpen = 'openId' in props ? props.openId !== null : props.isOpen
    const [Part, setPart] = useState<ComponentType<Props> | null>(null)
    const giveUp = useEffectEvent((error: unknown) => {
      // Anything else is a defect, for the page's own error.
      if (!isNotFetched(error))
        return setPart(() => {
          throw error
        })
      props.onClose()
      showToast(notFetched)
    })
    const isWanted = isOpen && Part === null
    useEffect(() => {
      // The press is painted before the dialog, which is made in steps.
      if (isWanted) void load().then((part) => startTransition(() => setPart(() => part)), giveUp)
    }, [isWanted])
    return Part && <Part {...props} />
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
