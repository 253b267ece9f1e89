'use client'

import { clsx } from 'clsx'
import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { shortId } from '#lib/shared/ids.ts'
import { NotProvided } from './not-provided.tsx'

type CopyState = 'idle' | 'copied' | 'refused'

const announcements: Record<CopyState, string> = {
  idle: '',
  copied: 'Copied',
  refused: 'The browser did not allow copying. Select the text instead.',
}

/** Copies a text and confirms it, on screen and to a screen reader; nothing where there is none. `label` names it: "card ID". */
export function CopyButton({ text, label, className }: { text: string | null; label: string; className?: string }) {
  const [state, setState] = useState<CopyState>('idle')
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), 2000)
    return () => clearTimeout(timer)
  }, [state])
  if (text === null) return null
  return (
    <>
      <button
        type="button"
        aria-label={`Copy ${label}`}
        title={state === 'idle' ? `Copy ${label}` : announcements[state]}
        onClick={(event) => {
          event.stopPropagation()
          navigator.clipboard.writeText(text).then(
            () => setState('copied'),
            () => setState('refused'),
          )
        }}
        className={clsx(
          'inline-flex size-6 shrink-0 items-center justify-center rounded-chip hover:bg-hover hover:text-ink',
          state === 'copied' ? 'text-good' : 'text-faint',
          className,
        )}
      >
        {state === 'copied' ? <Check className="size-3.5" /> : <Copy className="size-3.5" />}
      </button>
      <output className="sr-only">{announcements[state]}</output>
    </>
  )
}

/** An identifier: shortened unless `isWhole`, and copied whole. */
export function IdText({
  id,
  label = 'id',
  isWhole = false,
  isCopyable = true,
  className,
}: {
  id: string | null | undefined
  label?: string
  isWhole?: boolean
  isCopyable?: boolean
  className?: string
}) {
  if (!id) return <NotProvided className={className} />
  return (
    <span className={clsx('inline-flex min-w-0 items-center gap-0.5', className)}>
      <span
        title={id}
        className={clsx('font-mono text-[0.92em] text-soft', isWhole ? 'wrap-anywhere' : 'whitespace-nowrap')}
      >
        {isWhole ? id.split(/(?<=[-/])/).map((part, index) => [index > 0 && <wbr key={index} />, part]) : shortId(id)}
      </span>
      {isCopyable && <CopyButton text={id} label={label} />}
    </span>
  )
}
