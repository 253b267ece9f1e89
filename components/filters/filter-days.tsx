'use client'

import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { TextField } from '#components/form/text-field.tsx'
import { Button } from '#components/ui/button.tsx'
import { usePageZone } from '#components/ui/page-zone.tsx'
import { Popover } from '#components/ui/popover.tsx'
import { isDay, isoDay } from '#lib/shared/wall-clock.ts'
import { daysBefore } from './day-range.ts'
import { setFilter } from './set-filter.ts'

type Range = { dateRangeFrom: string | null; dateRangeTo: string | null }

const presets: readonly { label: string; toRange: (today: string) => Range }[] = [
  { label: 'Today', toRange: (today) => ({ dateRangeFrom: today, dateRangeTo: today }) },
  { label: 'Last 7 days', toRange: (today) => ({ dateRangeFrom: daysBefore(today, 6), dateRangeTo: today }) },
  { label: 'This month', toRange: (today) => ({ dateRangeFrom: `${today.slice(0, 8)}01`, dateRangeTo: today }) },
]

/** From one day to another, both included, as days of the page's zone: a preset, or typed as `YYYY-MM-DD`. */
export function FilterDays({
  label = 'Date',
  params: { dateRangeFrom, dateRangeTo },
  readNowMs = Date.now,
  onChange,
}: {
  label?: string
  params: Range
  /** Reads the clock of the dates, in milliseconds. */
  readNowMs?: () => number
  onChange: (change: Partial<Range>) => void
}) {
  const zone = usePageZone()
  const isSet = dateRangeFrom !== null || dateRangeTo !== null
  return (
    <Popover
      label={label}
      className="w-72 max-w-[calc(100vw-2rem)]"
      triggerClassName={clsx('font-medium sm:in-data-grid:w-full', isSet && setFilter)}
      trigger={
        <>
          <span className={clsx('font-normal', !isSet && 'text-soft')}>{label}</span>
          {daysText({ dateRangeFrom, dateRangeTo })}
          <ChevronDown aria-hidden="true" className="size-3.5! opacity-70 sm:in-data-grid:ml-auto" />
        </>
      }
    >
      {(close) => {
        const choose = (range: Range) => {
          onChange(range)
          close()
        }
        return (
          <div className="grid gap-3">
            <div className="flex flex-wrap gap-2">
              {presets.map((preset) => (
                <Button
                  key={preset.label}
                  size="small"
                  onClick={() => choose(preset.toRange(isoDay(new Date(readNowMs()), zone.name)))}
                >
                  {preset.label}
                </Button>
              ))}
            </div>
            <div className="grid grid-cols-2 gap-2">
              <DayEntry label="From" value={dateRangeFrom} onChange={(day) => onChange({ dateRangeFrom: day })} />
              <DayEntry label="To" value={dateRangeTo} onChange={(day) => onChange({ dateRangeTo: day })} />
            </div>
            <p className="flex items-center justify-between gap-2 text-xs text-faint">
              Days in {zone.label}
              {isSet && (
                <Button variant="quiet" size="small" onClick={() => choose({ dateRangeFrom: null, dateRangeTo: null })}>
                  Any date
                </Button>
              )}
            </p>
          </div>
        )
      }}
    </Popover>
  )
}

function DayEntry({
  label,
  value,
  onChange,
}: {
  label: string
  value: string | null
  onChange: (day: string | null) => void
}) {
  const [text, setText] = useState(value ?? '')
  const [shown, setShown] = useState(value)
  const [isLeft, setIsLeft] = useState(false)
  if (value !== shown) {
    setShown(value)
    setText(value ?? '')
  }
  const isWrong = text !== '' && !isDay(text)
  return (
    <TextField
      label={label}
      placeholder="YYYY-MM-DD"
      inputMode="numeric"
      maxLength={10}
      value={text}
      error={isWrong && (isLeft || text.length === 10) ? 'Not a date. Use YYYY-MM-DD.' : undefined}
      onBlur={() => setIsLeft(true)}
      onChange={(event) => {
        const next = event.target.value.trim()
        setText(next)
        setIsLeft(false)
        if (next !== '' && !isDay(next)) return
        setShown(next || null)
        onChange(next || null)
      }}
    />
  )
}

/** `2026-11-01 – 2026-11-07`, one day once, `from …` and `to …` for an open end. */
export function daysText({ dateRangeFrom, dateRangeTo }: Range): string {
  if (dateRangeFrom === null) return dateRangeTo === null ? 'any' : `to ${dateRangeTo}`
  if (dateRangeTo === null) return `from ${dateRangeFrom}`
  if (dateRangeFrom === dateRangeTo) return dateRangeFrom
  const [first, last] = [dateRangeFrom, dateRangeTo].toSorted()
  return `${first} – ${last}`
}
