'use client'

import { Toast } from '@base-ui/react/toast'
import { clsx } from 'clsx'
import { CircleAlert, CircleCheck, TriangleAlert, X } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { type Environment, environmentInSentence } from '#lib/shared/routes.ts'
import { buttonStyle } from './button-style.ts'
import { Link } from './link.tsx'

export type ToastMessage = {
  tone: 'good' | 'warn' | 'bad'
  title: string
  /** Where it happened: named where the page shows the other environment by then. */
  environment?: Environment
  description?: ReactNode
  /** Id of the record that it is about: it takes the place of the message before about the same one, whose action is out of date. */
  recordId?: string
  /** An action, such as "Undo". The toast closes when it is pressed. */
  action?: { label: string; onPress: () => void } | undefined
  /** How long it stays; something that is still to come stays longer. */
  timeoutMs?: number
  /** Where the result is. */
  view?: { label: string; href: string } | undefined
}

/** Gets the messages from now on; returns how to stop. */
type Receive = (onMessage: (message: ToastMessage) => void) => () => void

const marks = { good: CircleCheck, warn: TriangleAlert, bad: CircleAlert }
const colours = { good: 'text-good', warn: 'text-warn', bad: 'text-bad' }
/** Long enough to read and to press the button. Hover and focus stop the clock. */
const shownMs = 8000

const place = 'fixed inset-x-4 bottom-4 z-60 mx-auto grid max-w-sm gap-2 sm:mr-0 sm:ml-auto'

/** Above the bar of chosen rows and a drawer's buttons; on a telephone, where a dialog has its buttons there, behind it. */
const clearOfButtons =
  'in-[body:has([data-choice-bar])]:bottom-20 max-sm:in-[body:has([data-choice-bar])]:bottom-40 in-[body:has([data-kind=drawer-end][data-open])]:bottom-20 max-sm:in-[body:has([data-kind=alert][data-open])]:z-40 max-sm:in-[body:has([data-kind=dialog][data-open])]:z-40'

/** The toasts themselves, in a chunk of their own. */
export function ToastRegion({ environment, receive }: { environment: Environment; receive: Receive }) {
  return (
    <Toast.Provider limit={3}>
      <Received environment={environment} receive={receive} />
      <Toast.Portal>
        <Toast.Viewport className={clsx(place, clearOfButtons)}>
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function Received({ environment, receive }: { environment: Environment; receive: Receive }) {
  const { add } = Toast.useToastManager<ToastMessage>()
  useEffect(
    () =>
      receive((data) => {
        const { tone, recordId } = data
        const place =
          data.environment && data.environment !== environment ? ` in ${environmentInSentence[data.environment]}` : ''
        const title = `${data.title}${place}`
        const priority = tone === 'good' ? 'low' : 'high'
        const timeout = data.timeoutMs ?? shownMs
        add({ id: recordId, data, title, description: data.description, priority, timeout })
      }),
    [add, environment, receive],
  )
  return null
}

/** The region announces a toast; it asks for nothing, so it is no dialog. */
const asGroup = { role: 'group', 'aria-modal': undefined }

function List() {
  const { toasts, close } = Toast.useToastManager<ToastMessage>()
  return toasts.map((toast) => {
    const { tone = 'good', action, view } = toast.data ?? {}
    const Mark = marks[tone]
    return (
      <Toast.Root
        key={toast.id}
        toast={toast}
        {...asGroup}
        swipeDirection={['right', 'down']}
        className="flex items-start gap-2.5 rounded-panel border bg-raised py-2.5 pr-2 pl-3.5 text-ink shadow-raised transition-opacity data-ending-style:opacity-0 data-limited:hidden data-starting-style:opacity-0"
      >
        <Mark aria-hidden="true" className={clsx('mt-1 size-4 shrink-0', colours[tone])} />
        <Toast.Content className="min-w-0 flex-1 py-0.5">
          <Toast.Title render={<p />} className="font-medium" />
          <Toast.Description render={<div />} className="text-soft empty:hidden" />
        </Toast.Content>
        {action && (
          <button
            type="button"
            className={buttonStyle({ size: 'small' })}
            onClick={() => {
              close(toast.id)
              action.onPress()
            }}
          >
            {action.label}
          </button>
        )}
        {view && (
          <Link
            href={view.href}
            className={buttonStyle({ size: 'small', variant: 'quiet' })}
            onClick={() => close(toast.id)}
          >
            {view.label}
          </Link>
        )}
        <Toast.Close
          aria-label="Close"
          aria-hidden={false}
          className={buttonStyle({ size: 'small', variant: 'quiet', isSquare: true })}
        >
          <X aria-hidden="true" />
        </Toast.Close>
      </Toast.Root>
    )
  })
}
