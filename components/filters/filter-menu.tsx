'use client'

import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import { toOptions } from '#components/form/options.ts'
import { Menu } from '#components/ui/menu.tsx'
import { setFilter } from './set-filter.ts'

/** One filter with several values: the menu stays open while they are chosen. Null means all. */
export function FilterMenu({
  label,
  value: values,
  options: listed,
  onChange,
}: {
  label: string
  value: readonly string[] | null
  options: readonly { value: string; label: string }[]
  onChange: (values: string[] | null) => void
}) {
  const chosen = new Set(values)
  // A value of the URL that is not among the options is offered as it is.
  const unknown = [...chosen].filter((value) => !listed.some((option) => option.value === value))
  const options = [...listed, ...toOptions(unknown)]
  const terms = options.filter(({ value }) => chosen.has(value)).map((option) => option.label)
  return (
    <Menu
      label={label}
      align="start"
      triggerClassName={clsx('max-w-72 font-medium', terms.length > 0 && setFilter)}
      trigger={
        <>
          <span className={clsx('font-normal', terms.length === 0 && 'text-soft')}>{label}</span>
          <span className="min-w-0 truncate">{terms.length === 0 ? 'all' : terms.join(', ')}</span>
          <ChevronDown aria-hidden="true" className="size-3.5! opacity-70" />
        </>
      }
      items={[
        ...(terms.length > 0
          ? [{ kind: 'action' as const, label: 'All', onSelect: () => onChange(null) }, { kind: 'separator' as const }]
          : []),
        ...options.map((option) => ({
          kind: 'check' as const,
          label: option.label,
          isChosen: chosen.has(option.value),
          onSelect: () => {
            const next = options
              .map(({ value }) => value)
              .filter((value) => (value === option.value) !== chosen.has(value))
            onChange(next.length === 0 ? null : next)
          },
        })),
      ]}
    />
  )
}
