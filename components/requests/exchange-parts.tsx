'use client'

import { clsx } from 'clsx'
import { StatusBadge } from '#components/ui/badge.tsx'
import { CopyButton } from '#components/ui/id-text.tsx'
import type { Tone } from '#components/ui/tone.ts'
import { indentedJson, parseJson } from '#lib/shared/json.ts'

/** Shows JSON indented, and other text, such as a program, with its lines whole. Copying takes the exact text. */
export function JsonText({ label, text }: { label: string; text: string }) {
  const isJson = parseJson(text) !== undefined
  return (
    <div className="relative min-w-0">
      <div className="absolute top-1.5 right-1.5">
        <CopyButton text={text} label={label} />
      </div>
      <section
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard has to reach it
        tabIndex={0}
        aria-label={label}
        className="max-h-96 overflow-auto rounded-control border bg-sunken p-3 pr-9"
      >
        <pre className={clsx('font-mono text-xs', isJson && 'wrap-anywhere whitespace-pre-wrap')}>
          {indentedJson(text)}
        </pre>
      </section>
    </div>
  )
}

const noteTexts: Readonly<Record<string, string>> = {
  secret: 'Not stored: it may hold a secret.',
  'too large': 'Not stored: larger than 32 KiB.',
  'not JSON': 'Not stored: not JSON.',
}

/** Shows a body from a request log, or why it was not stored. */
export function LoggedBody({ title, text, note }: { title: string; text: string | null; note: string | null }) {
  if (text === null && note === null) return null
  return <BodyText title={title} text={text} missing={noteTexts[note ?? ''] ?? 'Not stored.'} />
}

/** A text of HTTP under its title, or the sentence of its absence. */
export function BodyText({ title, text, missing }: { title: string; text: string | null; missing?: string }) {
  return (
    <section className="min-w-0">
      <h3 className="mb-1 font-medium">{title}</h3>
      {text === null ? <p className="text-soft">{missing}</p> : <JsonText label={title.toLowerCase()} text={text} />}
    </section>
  )
}

function statusTone(status: number | null): Tone {
  if (status === null || status >= 500) return 'bad'
  return status >= 400 ? 'warn' : 'good'
}

export function StatusCode({ status }: { status: number | null }) {
  return <StatusBadge tone={statusTone(status)} label={status === null ? 'No response' : String(status)} />
}

export function MethodLabel({ method }: { method: string }) {
  return (
    <span className={clsx('w-8 shrink-0 font-mono text-2xs font-medium', method === 'GET' ? 'text-info' : 'text-warn')}>
      {method}
    </span>
  )
}
