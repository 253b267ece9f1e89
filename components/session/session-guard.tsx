'use client'

import { useQueryClient } from '@tanstack/react-query'
import { Fragment, Suspense, lazy, useEffect, useRef, useState, type ReactNode } from 'react'
import { ReadError } from '#lib/queries/read.ts'
import { requestSession } from '#lib/queries/session.ts'
import { watchSession, type SessionState, type SessionWatch } from './session-watch.ts'

const IdleWarning = lazy(() => import('./session-dialog.tsx').then((dialogs) => ({ default: dialogs.IdleWarning })))
const SignInAgain = lazy(() => import('./session-dialog.tsx').then((dialogs) => ({ default: dialogs.SignInAgain })))

const RoleNotice = lazy(() => import('./session-dialog.tsx').then((dialogs) => ({ default: dialogs.RoleNotice })))

const inputs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart', 'input'] as const

/**
 * Reports activity, warns before an idle session ends, offers a new sign-in over the page as it is, and a reload after the
 * person got another role.
 * `children` follows the changes of the service: it begins again with each session.
 */
export function SessionGuard({
  staffId,
  role,
  idleMs,
  children,
}: {
  staffId: string
  role: string
  idleMs: number
  children: ReactNode
}) {
  const client = useQueryClient()
  const [state, setState] = useState<SessionState>({ kind: 'active' })
  const [isOtherRole, setOtherRole] = useState(false)
  const [sessions, setSessions] = useState(0)
  const watch = useRef<SessionWatch>(null)
  useEffect(() => {
    let wasSignedOut = false
    const watching = watchSession({
      staffId,
      role,
      idleMs,
      read: () => requestSession('GET'),
      report: () => requestSession('POST'),
      onState: (next) => {
        setState(next)
        if (next.kind === 'signed-out') wasSignedOut = true
        else if (wasSignedOut) {
          wasSignedOut = false
          setSessions((count) => count + 1)
          void client.invalidateQueries()
        }
      },
      onOtherPerson: () => location.reload(),
      onRole: setOtherRole,
    })
    watch.current = watching
    const listening = new AbortController()
    const options = { signal: listening.signal, capture: true, passive: true }
    const onInput = (event: Event) => {
      // A pointer that rests moves too, where the page changes below it.
      const isResting =
        event instanceof PointerEvent && event.type === 'pointermove' && !event.movementX && !event.movementY
      if (event.isTrusted && !isResting) watching.onActivity()
    }
    for (const input of inputs) document.addEventListener(input, onInput, options)
    const onReturn = () => {
      if (document.visibilityState === 'visible') watching.recheck()
    }
    document.addEventListener('visibilitychange', onReturn, options)
    const unsubscribe = client.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'error') return
      // Signed out, or signed in with another role.
      if (event.action.error instanceof ReadError && [401, 403].includes(event.action.error.status)) watching.recheck()
    })
    return () => {
      watching.stop()
      listening.abort()
      unsubscribe()
    }
  }, [client, staffId, role, idleMs])
  return (
    <>
      <Fragment key={sessions}>{children}</Fragment>
      <Suspense fallback={null}>
        {isOtherRole && state.kind !== 'signed-out' && <RoleNotice />}
        {state.kind === 'warning' && <IdleWarning endsAt={state.endsAt} onStay={() => watch.current?.stay()} />}
        {state.kind === 'signed-out' && <SignInAgain onReturn={() => watch.current?.recheck()} />}
      </Suspense>
    </>
  )
}
