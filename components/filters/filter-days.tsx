'use client'

import { usePageZone } from '#components/ui/page-zone.tsx'
import { FilterDay } from './filter-day.tsx'

/** From one day to another, as days of the page's zone. */
export function FilterDays({
  label = 'From',
  params: { dateRangeFrom, dateRangeTo },
  onChange,
}: {
  label?: string
  params: { dateRangeFrom: string | null; dateRangeTo: string | null }
  onChange: (change: { dateRangeFrom: string | null } | { dateRangeTo: string | null }) => void
}) {
  const zone = usePageZone()
  return (
    <>
      <FilterDay label={label} value={dateRangeFrom} onChange={(day) => onChange({ dateRangeFrom: day })} />
      <FilterDay label="to" zone={zone.label} value={dateRangeTo} onChange={(day) => onChange({ dateRangeTo: day })} />
    </>
  )
}
