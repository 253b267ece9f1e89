'use client'

import { Clock } from 'lucide-react'
import { Menu } from '#components/ui/menu.tsx'
import { usePreferences } from '#components/ui/preferences-provider.tsx'

/** The one zone of the page, labelled once, here. */
export function ZoneMenu() {
  const { zone, chooseZone } = usePreferences()
  return (
    <Menu
      label="Time zone"
      trigger={
        <>
          <Clock aria-hidden="true" className="text-faint max-sm:hidden" />
          <span className="sr-only">Time zone: </span>
          <span className="max-w-28 truncate text-xs font-normal">{zone.label}</span>
        </>
      }
      items={[
        {
          kind: 'choice',
          label: 'HKT',
          hint: 'Hong Kong',
          isChosen: zone.choice === 'hkt',
          onSelect: () => chooseZone('hkt'),
        },
        { kind: 'choice', label: 'UTC', isChosen: zone.choice === 'utc', onSelect: () => chooseZone('utc') },
        {
          kind: 'choice',
          label: 'Local',
          hint: 'this computer',
          isChosen: zone.choice === 'local',
          onSelect: () => chooseZone('local'),
        },
      ]}
    />
  )
}
