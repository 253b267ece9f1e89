'use client'

import { clsx } from 'clsx'
import { X } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { useReplayPreHydrationInput } from '#components/form/early-entry.ts'
import { type FindProblem, refuseCardNumber } from '#lib/api/search.ts'
import { setFilter } from './set-filter.ts'

const settleMs = 500

/** Which filter the list has while the field holds a text that is none. */
export function inEffect(value: string | null): string {
  return value === null ? 'Not filtered yet.' : `Still filtered by ${value}.`
}

/**
 * A text filter: applies shortly after the last key, and immediately on Enter. A text with an issue stays in the field,
 * with the issue and the filter that stays in effect below it.
 */
export function FilterText({
  label,
  value,
  placeholder = 'any',
  maxLength = 200,
  isMono = false,
  normalize = (typed) => typed,
  problem,
  onChange,
}: {
  label: string
  value: string | null
  placeholder?: string
  maxLength?: number
  isMono?: boolean
  /** The typed text as the filter takes it; the field shows what was typed. */
  normalize?: (typed: string) => string
  problem?: FindProblem
  onChange: (text: string | null) => void
}) {
  const id = useId()
  const earlyEntry = useReplayPreHydrationInput()
  const [text, setText] = useState(value ?? '')
  const [shown, setShown] = useState(value)
  if (value !== shown) {
    setShown(value)
    setText(value ?? '')
  }
  const typed = normalize(text.trim())
  const issueOf = (entered: string) => (entered === '' ? undefined : (refuseCardNumber(entered) ?? problem?.(entered)))
  const wrong = issueOf(typed)
  const isSet = value !== null

  function apply(next: string) {
    const wanted = next === '' ? null : next
    if (wanted === value || issueOf(next) !== undefined) return
    setShown(wanted)
    onChange(wanted)
  }

  useEffect(() => {
    if (typed === (value ?? '') || wrong !== undefined) return
    const timer = setTimeout(() => apply(typed), settleMs)
    return () => clearTimeout(timer)
  })

  return (
    <div className="min-w-0">
      <div
        className={clsx(
          'inline-flex h-8 max-w-full items-center gap-1.5 rounded-control border pl-3 shadow-control transition-colors pointer-large focus-within:border-edge sm:in-data-grid:flex',
          wrong !== undefined ? 'border-bad' : isSet ? setFilter : 'bg-surface',
        )}
      >
        <label htmlFor={id} className={clsx('shrink-0', !isSet && 'text-soft')}>
          {label}
        </label>
        <input
          ref={earlyEntry}
          id={id}
          type="text"
          value={text}
          placeholder={placeholder}
          maxLength={maxLength}
          autoComplete="off"
          spellCheck={false}
          aria-invalid={wrong === undefined ? undefined : true}
          aria-describedby={wrong === undefined ? undefined : `${id}-problem`}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') apply(typed)
            if (event.key === 'Escape' && text !== '') {
              event.preventDefault()
              setText('')
              apply('')
            }
          }}
          onBlur={() => apply(typed)}
          className={clsx(
            'field-sizing-content h-full max-w-56 min-w-20 rounded-control bg-transparent font-medium placeholder:font-normal placeholder:text-faint sm:in-data-grid:w-full',
            isSet ? 'pr-1' : 'pr-3',
            isMono && 'font-mono text-xs',
          )}
        />
        {isSet && (
          <button
            type="button"
            aria-label={`Clear ${label}`}
            onClick={() => {
              setText('')
              apply('')
            }}
            className="mr-1 inline-flex size-6 shrink-0 items-center justify-center rounded-chip hover:bg-hover"
          >
            <X aria-hidden="true" className="size-3.5" />
          </button>
        )}
      </div>
      {wrong !== undefined && (
        <span id={`${id}-problem`} role="alert" className="mt-1 block max-w-72 text-xs text-bad">
          {wrong} {inEffect(value)}
        </span>
      )}
    </div>
  )
}
