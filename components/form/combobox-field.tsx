'use client'

/* oxlint-disable jsx-a11y/prefer-tag-over-role -- the list of a combobox has no tag of its own */

import { clsx } from 'clsx'
import { Check, ChevronDown } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { Provided } from '#components/ui/not-provided.tsx'
import { place } from '#components/ui/use-popover.ts'
import { withCapital } from '#lib/shared/texts.ts'
import { controlStyle, Field, type FieldProps, type FieldWiring } from './field.tsx'

/** An entry of a list that is searched by typing. `note` is a code or the like: it is found too. */
export type ComboboxOption = { value: string; label: string; note?: string }

type ComboboxProps = {
  options: readonly ComboboxOption[]
  /** The value of the chosen option; empty where none is. */
  value: string
  onChoose: (value: string) => void
  /** Plural noun of the options, in lower case: "banks". */
  noun: string
  /** By default what is searched. */
  placeholder?: string | undefined
  /** Gets the typed text, where the caller searches: `options` are then its results. */
  onSearch?: ((text: string) => void) | undefined
  /** Text of an empty list. */
  nothingFound?: string | undefined
  /** Resolves with the options once they are there: Enter counts then, where it came before. */
  readOptions?: (() => Promise<readonly ComboboxOption[]>) | undefined
  /** Names the field, for moving the focus to it. */
  'data-field'?: string | undefined
}

/** A choice from a long list, found by typing part of it. */
export function ComboboxField({
  label,
  hint,
  error,
  isLabelHidden,
  isOptional,
  className,
  ...combobox
}: FieldProps & ComboboxProps) {
  return (
    <Field {...{ label, hint, error, isLabelHidden, isOptional, className }}>
      {(wiring) => <Combobox wiring={wiring} {...combobox} />}
    </Field>
  )
}

/** Options whose label or note has every word of a search; those that begin with it come first. */
export function findOptions(options: readonly ComboboxOption[], search: string): ComboboxOption[] {
  const wanted = search.trim().toLowerCase()
  const words = wanted.split(/\s+/).filter(Boolean)
  const found = options.filter(({ label, note }) => {
    const text = `${label} ${note ?? ''}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const isFirst = ({ label, note }: ComboboxOption) =>
    wanted !== '' && (label.toLowerCase().startsWith(wanted) || note?.toLowerCase() === wanted)
  return [...found.filter(isFirst), ...found.filter((option) => !isFirst(option))]
}

function optionText({ label, note }: ComboboxOption): string {
  return [label, note].filter(Boolean).join(' · ')
}

function Combobox({
  wiring,
  options,
  value,
  onChoose,
  noun,
  placeholder = `Search ${noun}`,
  onSearch,
  nothingFound = options.length === 0 ? placeholder : `No ${noun} match`,
  readOptions,
  'data-field': dataField,
}: ComboboxProps & { wiring: FieldWiring }) {
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  /** The text searched for; null while nothing is typed. */
  const [search, setSearch] = useState<string | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  const [at, setAt] = useState(0)
  /** Whether Enter came while the options were being read: it counts once they are there, unless something else came. */
  const isEntered = useRef(false)
  const chosen = options.find((option) => option.value === value)
  const found = onSearch ? options : findOptions(options, search ?? '')
  const active = isOpen ? found[Math.min(at, found.length - 1)] : undefined
  const optionId = (of: string) => `${listId}-${of}`

  useLayoutEffect(() => {
    if (!list.current || !input.current) return
    if (isOpen && !list.current.matches(':popover-open')) list.current.showPopover()
    if (!isOpen && list.current.matches(':popover-open')) list.current.hidePopover()
    if (isOpen) place(list.current, input.current, 'start')
  })

  useEffect(() => {
    if (!isOpen) return
    const close = () => setIsOpen(false)
    window.addEventListener('resize', close)
    return () => window.removeEventListener('resize', close)
  }, [isOpen])

  const activeId = active && optionId(active.value)
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])

  function open() {
    setIsOpen(true)
    setAt(
      Math.max(
        0,
        found.findIndex((option) => option.value === value),
      ),
    )
  }

  function close() {
    setIsOpen(false)
    setSearch(null)
    if (search !== null) onSearch?.('')
    isEntered.current = false
  }

  function choose(next: string) {
    onChoose(next)
    close()
  }

  async function enterWhenRead(text: string, read: NonNullable<typeof readOptions>) {
    isEntered.current = true
    const first = findOptions(await read(), text)[0]
    if (first && isEntered.current) choose(first.value)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (!isOpen) return open()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setAt((found.length + Math.min(at, found.length - 1) + step) % Math.max(1, found.length))
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault()
      if (active) choose(active.value)
      else if (options.length === 0 && search && readOptions) void enterWhenRead(search, readOptions)
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault()
      // The list closes, and not the dialog that it is in.
      event.stopPropagation()
      close()
    }
  }

  return (
    <div className="relative">
      <input
        ref={input}
        {...wiring}
        data-field={dataField}
        type="text"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-activedescendant={activeId}
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        value={search ?? (chosen ? optionText(chosen) : value)}
        className={clsx(controlStyle, 'truncate pr-8')}
        onClick={open}
        onFocus={(event) => event.target.select()}
        onBlur={close}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setSearch(event.target.value)
          onSearch?.(event.target.value)
          setAt(0)
          isEntered.current = false
          setIsOpen(true)
          if (event.target.value === '' && value !== '') onChoose('')
        }}
      />
      <ChevronDown aria-hidden="true" className="pointer-events-none absolute top-2.5 right-2.5 size-4 text-faint" />
      <div
        ref={list}
        id={listId}
        role="listbox"
        aria-label={withCapital(noun)}
        popover="manual"
        className="fixed inset-auto m-0 max-h-72 w-[min(26rem,calc(100vw-1rem))] overflow-y-auto rounded-panel bg-raised p-1.5 text-ink shadow-raised"
      >
        {isOpen &&
          found.map((option, index) => (
            <div
              key={option.value}
              id={optionId(option.value)}
              role="option"
              tabIndex={-1}
              aria-selected={option.value === value}
              // The focus stays in the field, so that leaving it is what closes the list.
              onPointerDown={(event) => event.preventDefault()}
              onPointerMove={() => setAt(index)}
              onClick={() => choose(option.value)}
              onKeyDown={onKeyDown}
              className={clsx(
                'flex min-h-8 cursor-pointer items-center gap-2.5 rounded-control px-2.5 py-1',
                active?.value === option.value && 'bg-hover',
              )}
            >
              <Check
                aria-hidden="true"
                className={clsx('size-4 shrink-0', option.value === value ? 'text-accent' : 'invisible')}
              />
              <span className="min-w-0 flex-1">
                <Provided what="Name">{option.label}</Provided>
              </span>
              {option.note && <span className="font-mono text-xs text-faint">{option.note}</span>}
            </div>
          ))}
        {isOpen && found.length === 0 && (
          <div
            role="option"
            aria-selected="false"
            aria-disabled="true"
            tabIndex={-1}
            className="px-2.5 py-1.5 text-faint"
          >
            {nothingFound}
          </div>
        )}
      </div>
    </div>
  )
}
