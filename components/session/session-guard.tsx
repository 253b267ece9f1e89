'use client'

import { focusManager, useQueryClient } from '@tanstack/react-query'
import { Fragment, Suspense, useEffect, useRef, useState, type ReactNode } from 'react'
import { forgetDrafts } from '#components/form/form-draft.ts'
import { signOutForm } from '#components/layout/sign-out-form.tsx'
import { lazyPart } from '#components/ui/lazy-part.ts'
import { allowUnload, followTypedWork, formsWithEntries, typedWorkOfPage } from '#components/ui/typed-work.ts'
import { ReadError } from '#lib/queries/read.ts'
import { requestSession } from '#lib/queries/session.ts'
import { routes } from '#lib/shared/routes.ts'
import { blankPage } from './page-cover.ts'
import { watchSession, type SessionState, type SessionWatch } from './session-watch.ts'

const IdleWarning = lazyPart(() => import('./session-dialog.tsx').then((file) => file.IdleWarning))
const SignInAgain = lazyPart(() => import('./session-dialog.tsx').then((file) => file.SignInAgain))
const RoleNotice = lazyPart(() => import('./session-dialog.tsx').then((file) => file.RoleNotice))

const inputs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart', 'input'] as const

/**
 * Reports activity, warns before an idle session ends, and offers a reload after the person got another role. When the session
 * ends, the page is left for the sign-in page, which leads back. Where a form or the page holds typed work, it stays instead, hidden,
 * until the same person has signed in again.
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
    const listening = new AbortController()
    const options = { signal: listening.signal, capture: true, passive: true }
    followTypedWork(listening.signal)
    forgetDrafts({ but: staffId })
    let restore: (() => void) | null = null
    const leave = () => {
      const forms = formsWithEntries()
      if (forms.length === 0 && typedWorkOfPage(true) === null) {
        blankPage([])
        return leaveForSignIn()
      }
      setState({ kind: 'signed-out' })
      client.removeQueries({ type: 'inactive' })
      client.getMutationCache().clear()
      // The reads of the page stop, and its screens stay as they are, with the form.
      focusManager.setFocused(false)
      restore = blankPage(forms)
    }
    const comeBack = () => {
      restore?.()
      restore = null
      focusManager.setFocused(undefined)
    }
    const watching = watchSession({
      staffId,
      role,
      idleMs,
      read: () => requestSession('GET'),
      report: () => requestSession('POST'),
      onState: (next) => {
        if (next.kind === 'signed-out') return leave()
        setState(next)
        if (restore) {
          comeBack()
          setSessions((count) => count + 1)
          void client.invalidateQueries()
        }
      },
      onOtherPerson() {
        allowUnload()
        location.reload()
      },
      onRole: setOtherRole,
    })
    watch.current = watching
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
    // Beside a window of its own the page was visible all the time.
    window.addEventListener('focus', onReturn, options)
    // The document is on its way to the sign-out: the end of the session that this brings is no reason to go elsewhere.
    const onSubmit = ({ target, submitter }: SubmitEvent) => {
      if (!(target instanceof HTMLFormElement) || target.id !== signOutForm) return
      watching.stop()
      // With `returnTo` the same person signs in again.
      if (submitter === null) forgetDrafts()
    }
    document.addEventListener('submit', onSubmit, options)
    const unsubscribe = client.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'error') return
      // Signed out, or signed in with another role.
      if (event.action.error instanceof ReadError && [401, 403].includes(event.action.error.status)) watching.recheck()
    })
    return () => {
      watching.stop()
      comeBack()
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
        {state.kind === 'signed-out' && <SignInAgain onReturn={() => watch.current?.recheck()} onDiscard={discard} />}
      </Suspense>
    </>
  )
}

function discard(): void {
  forgetDrafts()
  leaveForSignIn()
}

/** A document of its own: nothing of this one is left, neither on the screen nor in memory. */
function leaveForSignIn(): void {
  allowUnload()
  const callbackUrl = location.pathname + location.search
  location.replace(routes.signIn({ error: 'SessionRequired', callbackUrl }))
}
