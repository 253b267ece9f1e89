'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import { lazyDialog } from '#components/ui/dialog.tsx'

const ConfirmDialog = lazyDialog(() => import('#components/form/confirm-dialog.tsx').then((file) => file.ConfirmDialog))

/**
 * Confirms before entries are lost by a link, the palette, the browser's back button or a reload. Renders the dialog.
 */
export function LeaveWarning({ isDirty, what }: { isDirty: boolean; what: string }) {
  const router = useRouter()
  const [go, setGo] = useState<(() => void) | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  const mayLeave = useRef(false)

  useEffect(() => {
    if (!isDirty) return
    const request = (leave: () => void) => {
      setGo(() => leave)
      setIsOpen(true)
    }
    const unguard = guardLeaving(request)
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    const onClick = (event: MouseEvent) => {
      const href = leavingHref(event)
      if (href === null) return
      event.preventDefault()
      event.stopPropagation()
      request(() => router.push(href))
    }
    const onNavigate = (event: NavigateEvent) => {
      const { key, url } = event.destination
      const isElsewhere = new URL(url).pathname !== location.pathname
      if (mayLeave.current || event.navigationType !== 'traverse' || !event.cancelable || !isElsewhere) return
      event.preventDefault()
      request(() => void window.navigation.traverseTo(key))
    }
    // Going back can be held up where the browser knows the Navigation API; elsewhere it goes unasked.
    const { navigation } = window as { navigation?: Navigation }
    navigation?.addEventListener('navigate', onNavigate)
    window.addEventListener('beforeunload', onUnload)
    document.addEventListener('click', onClick, { capture: true })
    return () => {
      unguard()
      navigation?.removeEventListener('navigate', onNavigate)
      window.removeEventListener('beforeunload', onUnload)
      document.removeEventListener('click', onClick, { capture: true })
    }
  }, [isDirty, router])

  if (go === null) return null
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={() => setIsOpen(false)}
      grade="moderate"
      title={`Leave ${what}?`}
      consequence="What you entered isn’t saved. Nothing has been sent."
      confirmLabel="Leave"
      cancelLabel="Stay"
      onConfirm={() => {
        setIsOpen(false)
        mayLeave.current = true
        go()
      }}
    />
  )
}

/** The address of a plain press on a link that leads to another page of the console; null for any other click. */
function leavingHref(event: MouseEvent): string | null {
  if (
    event.defaultPrevented ||
    event.button !== 0 ||
    event.ctrlKey ||
    event.metaKey ||
    event.shiftKey ||
    event.altKey
  ) {
    return null
  }
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null
  if (!(link instanceof HTMLAnchorElement) || (link.target !== '' && link.target !== '_self')) return null
  if (link.origin !== location.origin || link.pathname === location.pathname) return null
  return link.pathname + link.search + link.hash
}

type Guard = (leave: () => void) => void

let guard: Guard | null = null

/** While a page holds unsaved work, its guard is called before the page is left; the returned function removes it. */
function guardLeaving(next: Guard): () => void {
  guard = next
  return () => {
    if (guard === next) guard = null
  }
}

/** Leaves the page by a function, where no guard is set; otherwise the guard decides when. */
export function leaveBy(leave: () => void): void {
  if (guard) guard(leave)
  else leave()
}
