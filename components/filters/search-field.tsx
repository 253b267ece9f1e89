'use client'

import { Search } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useReplayPreHydrationInput } from '#components/form/early-entry.ts'
import { refuseCardNumber } from '#lib/api/search.ts'

const settleMs = 250
const typing = 'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="alertdialog"]'

/** The search of a list: searches once the typing rests, or on Enter; `/` goes to it, Escape empties it. */
export function SearchField({
  label,
  placeholder,
  value,
  cardNumberAdvice,
  onChange,
}: {
  label: string
  placeholder: string
  value: string
  /** Advice to a person who types a card number, which never leaves the field. */
  cardNumberAdvice?: string
  onChange: (text: string) => void
}) {
  const errorId = useId()
  const input = useRef<HTMLInputElement>(null)
  const earlyEntry = useReplayPreHydrationInput()
  const isLeaving = useRef(false)
  const [text, setText] = useState(value)
  const [typed, setRequested] = useState(value)
  if (value !== typed) {
    setRequested(value)
    setText(value)
  }

  const fieldError = refuseCardNumber(text, cardNumberAdvice)

  function request(next: string) {
    if (refuseCardNumber(next) !== undefined) return
    setRequested(next.trim())
    if (next.trim() !== value) onChange(next.trim())
  }

  useEffect(() => {
    if (text.trim() === value || fieldError !== undefined) return
    const timer = setTimeout(() => {
      if (!isLeaving.current) request(text)
    }, settleMs)
    return () => clearTimeout(timer)
  })

  // A link that is pressed while the typing rests leads away: changing the address now would call it back.
  useEffect(() => {
    function onClick(event: MouseEvent) {
      if (event.target instanceof Element && event.target.closest('a[href]')) isLeaving.current = true
    }
    document.addEventListener('click', onClick, { capture: true })
    return () => document.removeEventListener('click', onClick, { capture: true })
  }, [])

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.target instanceof Element && event.target.closest(typing)) return
      event.preventDefault()
      input.current?.focus()
      input.current?.select()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])

  return (
    <div className="relative min-w-0 flex-1 basis-52 sm:max-w-72">
      <Search aria-hidden="true" className="pointer-events-none absolute top-2 left-2.5 size-4 text-faint" />
      <input
        ref={(element) => {
          input.current = element
          earlyEntry(element)
        }}
        type="search"
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={placeholder}
        value={text}
        maxLength={200}
        autoComplete="off"
        aria-invalid={fieldError === undefined ? undefined : true}
        aria-describedby={fieldError === undefined ? undefined : errorId}
        spellCheck={false}
        onChange={(event) => {
          isLeaving.current = false
          setText(event.target.value)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') request(text)
          if (event.key !== 'Escape') return
          event.preventDefault()
          if (text === '') return event.currentTarget.blur()
          setText('')
          request('')
        }}
        className="h-8 w-full rounded-control border border-edge/70 bg-surface pr-8 pl-8.5 shadow-control transition-colors hover:border-edge pointer-large [&::-webkit-search-cancel-button]:hidden"
      />
      <kbd
        aria-hidden="true"
        className="pointer-events-none absolute top-1.5 right-1.5 rounded-chip border px-1.5 font-mono text-2xs text-faint pointer-coarse:hidden"
      >
        /
      </kbd>
      {fieldError !== undefined && (
        <span id={errorId} role="alert" className="mt-1 block text-xs text-bad">
          {fieldError}
        </span>
      )}
    </div>
  )
}
