'use client'

/* oxlint-disable jsx-a11y/prefer-tag-over-role -- the list of a combobox has no tag of its own */

import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Check, ChevronDown } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { controlStyle, Field } from '#components/form/field.tsx'
import { Button } from '#components/ui/button.tsx'
import { NotProvided } from '#components/ui/not-provided.tsx'
import { place } from '#components/ui/use-popover.ts'
import { readQuery } from '#lib/queries/reads.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { type ChoosableBank, choosableBanks, findBanks } from './find-banks.ts'
import { countryLabel, labelOf } from './labels.ts'
import type { PayoutForm } from './use-payout-form.ts'

const path = 'destination.bankCode'

/** The bank, from the service's list of the country: found by typing part of its name or code. */
export function BankField({
  environment,
  form,
  country,
  className,
}: {
  environment: Environment
  form: PayoutForm
  country: string
  className?: string
}) {
  const { data, error, isFetching, refetch } = useQuery({
    ...readQuery('listPayoutBanks', environment, country),
    enabled: country !== '',
  })
  const banks = data?.countryCode === country ? choosableBanks(data.banks) : undefined
  return (
    <Field
      label={labelOf(path, form.choices.method)}
      isOptional
      error={form.errors.get(path)}
      hint={
        error && !banks ? (
          <span className="flex flex-wrap items-center gap-2">
            The banks of {countryLabel(country)} could not be read.
            <Button size="small" isPending={isFetching} onClick={() => void refetch()}>
              Read again
            </Button>
          </span>
        ) : undefined
      }
      {...(className ? { className } : {})}
    >
      {(wiring) => (
        <BankCombobox
          key={country}
          wiring={wiring}
          banks={banks ?? []}
          readBanks={async () => choosableBanks((await refetch({ cancelRefetch: false })).data?.banks ?? [])}
          placeholder={
            country === '' ? 'Choose a country first' : banks ? `Search ${banks.length} banks` : 'Reading the banks…'
          }
          chosen={form.draft[path] ?? ''}
          onChoose={(code) => form.set(path, code)}
        />
      )}
    </Field>
  )
}

function BankCombobox({
  wiring,
  banks,
  readBanks,
  placeholder,
  chosen,
  onChoose,
}: {
  wiring: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }
  banks: readonly ChoosableBank[]
  /** Resolves when the banks are there; with none where they could not be read. */
  readBanks: () => Promise<readonly ChoosableBank[]>
  placeholder: string
  chosen: string
  onChoose: (code: string) => void
}) {
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  /** What is being searched for; null while nobody types. */
  const [search, setSearch] = useState<string | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  const [at, setAt] = useState(0)
  /** Whether Enter came while the banks were being read: it counts once they are there, unless something else came. */
  const isEntered = useRef(false)
  const bank = banks.find(({ code }) => code === chosen)
  const found = findBanks(banks, search ?? '')
  const active = isOpen ? found[Math.min(at, found.length - 1)] : undefined
  const optionId = (code: string) => `${listId}-${code}`

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

  const activeId = active && optionId(active.code)
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])

  function open() {
    setIsOpen(true)
    setAt(
      Math.max(
        0,
        found.findIndex(({ code }) => code === chosen),
      ),
    )
  }

  function leave() {
    setIsOpen(false)
    setSearch(null)
    isEntered.current = false
  }

  function choose(code: string) {
    onChoose(code)
    leave()
  }

  async function enterWhenRead(text: string) {
    isEntered.current = true
    const first = findBanks(await readBanks(), text)[0]
    if (first && isEntered.current) choose(first.code)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (!isOpen) return open()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setAt((found.length + Math.min(at, found.length - 1) + step) % Math.max(1, found.length))
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault()
      if (active) choose(active.code)
      else if (banks.length === 0 && search) void enterWhenRead(search)
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault()
      leave()
    }
  }

  return (
    <div className="relative">
      <input
        ref={input}
        {...wiring}
        data-field={path}
        type="text"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-activedescendant={activeId}
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        value={search ?? (bank ? [bank.name, bank.code].filter(Boolean).join(' · ') : chosen)}
        className={clsx(controlStyle, 'truncate pr-8')}
        onClick={open}
        onFocus={(event) => event.target.select()}
        onBlur={leave}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setSearch(event.target.value)
          setAt(0)
          isEntered.current = false
          setIsOpen(true)
          if (event.target.value === '' && chosen !== '') onChoose('')
        }}
      />
      <ChevronDown aria-hidden="true" className="pointer-events-none absolute top-2.5 right-2.5 size-4 text-faint" />
      <div
        ref={list}
        id={listId}
        role="listbox"
        aria-label="Banks"
        popover="manual"
        className="fixed inset-auto m-0 max-h-72 w-[min(26rem,calc(100vw-1rem))] overflow-y-auto rounded-panel bg-raised p-1.5 text-ink shadow-raised"
      >
        {found.map(({ code, name }) => (
          <div
            key={code}
            id={optionId(code)}
            role="option"
            tabIndex={-1}
            aria-selected={code === chosen}
            // The focus stays in the field, so that leaving it is what closes the list.
            onPointerDown={(event) => event.preventDefault()}
            onPointerMove={() => setAt(found.findIndex((other) => other.code === code))}
            onClick={() => choose(code)}
            onKeyDown={onKeyDown}
            className={clsx(
              'flex min-h-8 cursor-pointer items-center gap-2.5 rounded-control px-2.5 py-1',
              active?.code === code && 'bg-hover',
            )}
          >
            <Check
              aria-hidden="true"
              className={clsx('size-4 shrink-0', code === chosen ? 'text-accent' : 'invisible')}
            />
            <span className="min-w-0 flex-1">{name || <NotProvided what="Name" />}</span>
            <span className="font-mono text-xs text-faint">{code}</span>
          </div>
        ))}
        {found.length === 0 && (
          <div
            role="option"
            aria-selected="false"
            aria-disabled="true"
            tabIndex={-1}
            className="px-2.5 py-1.5 text-faint"
          >
            {banks.length === 0 ? placeholder : 'No bank has this in its name or code'}
          </div>
        )}
      </div>
    </div>
  )
}
