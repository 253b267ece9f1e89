'use client'

import { Eye, EyeOff } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { toOptions } from '#components/form/options.ts'
import { SelectField } from '#components/form/select-field.tsx'
import { TextField } from '#components/form/text-field.tsx'
import { outcomeAction } from '#components/operations/outcome-text.tsx'
import { withStepUp } from '#components/operations/with-step-up.ts'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { Time, useTicking } from '#components/ui/time.tsx'
import { runAction } from '#lib/actions/run-action.ts'
import type { RevealCardResult } from '#lib/console/cards/types.ts'
import { revealReasons, type RevealReason } from '#lib/contract/card-actions.ts'
import type { Card } from '#lib/contract/records.ts'
import type { Outcome } from '#lib/operations/types.ts'
import { reasonLabels } from '#lib/shared/reasons.ts'
import { secondMs } from '#lib/shared/time.ts'
import { cardNoun, cardTitle } from './card-face.tsx'

export type RevealTarget = { card: Card; cardAccountId: string }

/** How long the details stay on the screen. */
const shownMs = 30 * secondMs

type Notice = {
  tone: 'info' | 'warn' | 'bad'
  title: string
  body: ReactNode
  requestId?: string | null
  action?: ReactNode
}
type Link = { url: string; ipAddress: string }

const hidden = {
  time: { tone: 'info', title: 'Hidden after 30 seconds.', body: 'Reveal the card again if you still need it.' },
  left: { tone: 'info', title: 'Hidden because you left this window.', body: 'Reveal the card again if you need it.' },
} as const satisfies Record<string, Notice>

const lost: Notice = {
  tone: 'bad',
  title: 'Carddesk did not respond.',
  body: 'Nothing was shown. You can safely try again.',
}

/** Takes a reason, then shows the service's page with the details. Nothing of it is stored: closing forgets the link. */
export function RevealDialog({
  card,
  cardAccountId,
  suggestedReason,
  isOpen,
  onClose,
}: RevealTarget & { suggestedReason?: RevealReason | undefined; isOpen: boolean; onClose: () => void }) {
  const environment = useEnvironment()
  const form = useRef<HTMLFormElement>(null)
  const [link, setLink] = useState<Link | null>(null)
  const [notice, setNotice] = useState<Notice | null>(null)
  const [isPending, setIsPending] = useState(false)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [reason, setReason] = useState<RevealReason | ''>(suggestedReason ?? '')
  const title = cardTitle(card)

  async function reveal() {
    if (!form.current || isPending) return
    const comment = String(new FormData(form.current).get('comment') ?? '').trim()
    if (reason === '') return flag('reason', 'Choose the reason.')
    if (reason === 'other' && comment === '') return flag('comment', 'Describe the reason.')
    setIsPending(true)
    setErrors({})
    setNotice(null)
    try {
      const input = { environment, cardAccountId, cardId: card.id, reason, comment }
      show(await withStepUp(() => runAction('revealCard', input)))
    } catch {
      setNotice(lost)
    } finally {
      setIsPending(false)
    }
  }

  function flag(field: 'reason' | 'comment', error: string) {
    setErrors({ [field]: error })
    form.current?.querySelector<HTMLElement>(`[name=${field}]`)?.focus()
  }

  function show(result: RevealCardResult) {
    if (result.kind === 'revealed') {
      // No event tells of a window that was left while the link was on its way.
      const isLeft = document.visibilityState === 'hidden' || !document.hasFocus()
      return isLeft ? hide('left') : setLink({ url: result.url, ipAddress: result.ipAddress })
    }
    if (result.kind === 'invalid') return setErrors(result.fields)
    setNotice(result.kind === 'limited' ? limitNotice(result.availableAt) : errorNotice(result.outcome))
  }

  function hide(why?: keyof typeof hidden) {
    setLink(null)
    setNotice(why ? hidden[why] : null)
  }

  return (
    <Dialog
      isOpen={isOpen}
      onClose={() => {
        hide()
        onClose()
      }}
      isLocked={isPending}
      initialFocus={() => form.current?.querySelector('select') ?? null}
      size={link ? 'large' : 'base'}
      title={link ? title : `Reveal ${cardNoun(card)}?`}
      description={link ? undefined : 'Shows the number, expiry and security code for 30 seconds.'}
      footer={
        link ? undefined : (
          <>
            <Button
              size="large"
              onClick={onClose}
              unavailable={isPending ? 'Waiting for the link' : undefined}
              reason="described"
            >
              Keep hidden
            </Button>
            <Button
              size="large"
              variant="primary"
              icon={<Eye aria-hidden="true" />}
              isPending={isPending}
              onClick={() => void reveal()}
            >
              Reveal card
            </Button>
          </>
        )
      }
    >
      {link ? (
        <Revealed link={link} onHide={hide} />
      ) : (
        // An entry that is being changed is not wrong any more.
        <form
          ref={form}
          className="grid gap-4"
          onChange={() => setErrors({})}
          onSubmit={(event) => event.preventDefault()}
        >
          {notice && (
            <Callout tone={notice.tone} title={notice.title} isAlert actions={notice.action}>
              {notice.body}
              {notice.requestId && (
                <div className="mt-1 flex items-center gap-1 text-xs">
                  Request <IdText id={notice.requestId} label="request ID" />
                </div>
              )}
            </Callout>
          )}
          <SelectField
            name="reason"
            label="Reason"
            placeholder="Choose one"
            value={reason}
            onChange={(event) => setReason(event.target.value as RevealReason)}
            options={toOptions(revealReasons, (code) => reasonLabels[code])}
            error={errors.reason}
          />
          <TextField
            name="comment"
            label="Comment"
            isOptional={reason !== 'other'}
            maxLength={500}
            hint="Saved in the audit log. Don’t enter card numbers."
            error={errors.comment}
          />
        </form>
      )}
    </Dialog>
  )
}

function limitNotice(availableAt: string): Notice {
  return {
    tone: 'warn',
    title: 'You revealed 10 cards in the last hour.',
    body: (
      <>
        You can reveal the next one at <Time instant={availableAt} format="exact" isZoneShown />.
      </>
    ),
  }
}

function errorNotice({
  happened,
  next,
  code,
  requestId,
}: Pick<Outcome, 'happened' | 'next' | 'code' | 'requestId'>): Notice {
  return {
    tone: 'bad',
    title: 'Couldn’t reveal the card.',
    body: [happened, next].filter(Boolean).join(' '),
    requestId,
    action: outcomeAction(code),
  }
}

/**
 * The service's page in a sandboxed frame, shown for 30 seconds and only while the tab and the window are active. The
 * focus stays outside the frame, so that Escape closes the dialog.
 */
function Revealed({ link: { url, ipAddress }, onHide }: { link: Link; onHide: (why?: keyof typeof hidden) => void }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const hideButton = useRef<HTMLButtonElement>(null)
  const hide = useEffectEvent(onHide)
  const [hideAtMs, setHideAtMs] = useState(() => Date.now() + shownMs)
  const seconds = Number(
    useTicking((nowMs) => String(Math.max(0, Math.ceil((hideAtMs - nowMs) / secondMs)))) ?? shownMs / secondMs,
  )
  useEffect(() => {
    const timer = setTimeout(() => hide('time'), hideAtMs - Date.now())
    return () => clearTimeout(timer)
  }, [hideAtMs])
  useEffect(() => {
    hideButton.current?.focus()
    const leave = () => hide('left')
    const onVisibilityChange = () => {
      if (document.visibilityState === 'hidden') leave()
    }
    // A press into the frame takes the focus from the page as leaving the window does.
    const onBlur = () =>
      setTimeout(() => {
        if (document.activeElement === frame.current && frame.current !== null) hideButton.current?.focus()
        else leave()
      })
    document.addEventListener('visibilitychange', onVisibilityChange)
    window.addEventListener('blur', onBlur)
    window.addEventListener('pagehide', leave)
    return () => {
      document.removeEventListener('visibilitychange', onVisibilityChange)
      window.removeEventListener('blur', onBlur)
      window.removeEventListener('pagehide', leave)
    }
  }, [])
  return (
    <div className="grid gap-3">
      <iframe
        ref={frame}
        src={url}
        title="Card details"
        sandbox=""
        allow=""
        referrerPolicy="no-referrer"
        tabIndex={-1}
        onLoad={() => setHideAtMs(Date.now() + shownMs)}
        className="h-60 w-full rounded-panel border sm:h-32"
      />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-60 text-xs text-soft">
          Stays empty? Ask an admin: it opens only from {ipAddress}.
        </p>
        <Button ref={hideButton} icon={<EyeOff aria-hidden="true" />} onClick={() => onHide()}>
          Hide <span className="tabular-nums">({seconds} s)</span>
        </Button>
      </div>
    </div>
  )
}
