'use client'

import { usePageZone } from '#components/ui/page-zone.tsx'
import { FilterDay } from './filter-day.tsx'

/** From one day to another, as days of the page's zone. */
export function FilterDays({
  label = 'From',
  since,
  until,
  onChange,
}: {
  label?: string
  since: string | null
  until: string | null
  onChange: (change: { since: string | null } | { until: string | null }) => void
}) {
  const zone = usePageZone()
  return (
    <>
      <FilterDay label={label} value={since} onChange={(day) => onChange({ since: day })} />
      <FilterDay label="to" zone={zone.label} value={until} onChange={(day) => onChange({ until: day })} />
    </>
  )
}
