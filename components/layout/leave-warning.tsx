'use client'

import { usePathname, useRouter } from 'next/navigation'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { Callout } from '#components/ui/callout.tsx'
import { lazyDialog } from '#components/ui/dialog.tsx'
import { typedWorkOfPage, type Work } from '#components/ui/typed-work.ts'

const ConfirmDialog = lazyDialog(() => import('#components/form/confirm-dialog.tsx').then((file) => file.ConfirmDialog))

/**
 * Confirms before typed work is lost by a link, the palette, the browser's back button or a reload. Offline, and while the console's
 * server is known to be away, the page stays, since the next one could not be read, and is left once it can. Renders the dialog and the
 * notice.
 */
export function LeaveWarning({ isServerAway }: { isServerAway: boolean }) {
  const router = useRouter()
  const [leaving, setLeaving] = useState<(Work & { isSending: boolean; go: () => void }) | null>(null)
  /** Path of the page that the question is about. What was being sent may lead to another page meanwhile. */
  const [asksAt, setAsksAt] = useState<string | null>(null)
  const pathname = usePathname()
  /** The key of the history entry that the person chose to leave to, this once. */
  const allowed = useRef<string>(null)
  const isOffline = useIsOffline()
  const isAway = isOffline || isServerAway
  /** Where the person wanted to go meanwhile. */
  const waiting = useRef<(() => void) | null>(null)
  const [isHeldUp, setIsHeldUp] = useState(false)
  if (isHeldUp && !isAway) setIsHeldUp(false)

  useEffect(() => {
    /** True where there is nothing to lose; otherwise the person decides. */
    const mayGo = (go: () => void): boolean => {
      if (isServerAway || !navigator.onLine) {
        waiting.current = go
        setIsHeldUp(true)
        return false
      }
      const work = typedWorkOfPage(false)
      if (work === null) return true
      setLeaving({ ...work, isSending: isSending(), go })
      setAsksAt(location.pathname)
      return false
    }
    guard = mayGo
    const onUnload = (event: BeforeUnloadEvent) => {
      if (typedWorkOfPage(true) !== null) event.preventDefault()
    }
    const onClick = (event: MouseEvent) => {
      const href = leavingHref(event)
      if (href === null || mayGo(() => router.push(href))) return
      event.preventDefault()
      event.stopPropagation()
    }
    const onNavigate = (event: NavigateEvent) => {
      const { key, url } = event.destination
      const isElsewhere = new URL(url).pathname !== location.pathname
      const isAllowed = key === allowed.current
      if (isAllowed) allowed.current = null
      if (event.navigationType !== 'traverse' || !event.cancelable || !isElsewhere || isAllowed) return
      const go = () => {
        allowed.current = key
        void window.navigation.traverseTo(key)
      }
      if (!mayGo(go)) event.preventDefault()
    }
    // Going back can be held up where the browser knows the Navigation API; elsewhere it goes unasked.
    const { navigation } = window as { navigation?: Navigation }
    navigation?.addEventListener('navigate', onNavigate)
    window.addEventListener('beforeunload', onUnload)
    document.addEventListener('click', onClick, { capture: true })
    return () => {
      if (guard === mayGo) guard = null
      navigation?.removeEventListener('navigate', onNavigate)
      window.removeEventListener('beforeunload', onUnload)
      document.removeEventListener('click', onClick, { capture: true })
    }
  }, [router, isServerAway])

  useEffect(() => {
    if (isAway) return
    const go = waiting.current
    waiting.current = null
    if (go) leaveBy(go)
  }, [isAway])

  // A question about what is being sent is past once that has ended.
  useEffect(() => {
    if (asksAt === null || !leaving?.isSending) return
    const timer = setInterval(() => {
      if (!isSending()) setAsksAt(null)
    }, 250)
    return () => clearInterval(timer)
  }, [asksAt, leaving])

  if (isOffline || (isServerAway && isHeldUp)) return <AwayNotice isOffline={isOffline} isHeldUp={isHeldUp} />
  if (leaving === null) return null
  return (
    <ConfirmDialog
      isOpen={asksAt === pathname}
      onClose={() => setAsksAt(null)}
      confirmationLevel="moderate"
      title={`Leave ${leaving.what}?`}
      consequence={
        leaving.isSending
          ? 'It is being sent, and leaving doesn’t stop it. If it is refused, what you entered is lost.'
          : (leaving.meaning ?? 'What you entered isn’t saved. Nothing has been sent.')
      }
      confirmLabel="Leave"
      cancelLabel="Stay"
      onConfirm={() => {
        setAsksAt(null)
        leaving.go()
      }}
    />
  )
}

/** Whether a dialog waits for the response to what was entered. */
function isSending(): boolean {
  return document.querySelector('[data-kind][data-open] [aria-busy="true"]') !== null
}

function useIsOffline(): boolean {
  return useSyncExternalStore(
    (listener) => {
      window.addEventListener('online', listener)
      window.addEventListener('offline', listener)
      return () => {
        window.removeEventListener('online', listener)
        window.removeEventListener('offline', listener)
      }
    },
    () => !navigator.onLine,
    () => false,
  )
}

function AwayNotice({ isOffline, isHeldUp }: { isOffline: boolean; isHeldUp: boolean }) {
  const back = isOffline ? 'you’re online' : 'Carddesk responds'
  return (
    <div className="fixed inset-x-4 bottom-4 z-50 mx-auto w-fit max-w-md rounded-panel bg-surface shadow-raised">
      <Callout tone="warn" title={isOffline ? 'You’re offline.' : 'Carddesk isn’t responding.'} isAlert>
        {isHeldUp
          ? `The page you chose opens once ${back} again.`
          : `This page stays as it was read. It continues once ${back} again.`}
      </Callout>
    </div>
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
  if (link.origin !== location.origin || link.pathname === location.pathname || link.hasAttribute('download'))
    return null
  return link.pathname + link.search + link.hash
}

let guard: ((leave: () => void) => boolean) | null = null

/** Leaves the page by a function, at once where nothing would be lost; otherwise the person decides. */
export function leaveBy(leave: () => void): void {
  if (guard === null || guard(leave)) leave()
}
