'use client'

import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { PageZoneProvider } from './page-zone.tsx'
import {
  cookieOfColumns,
  type Density,
  hostPrefix,
  preferenceCookies,
  type Preferences,
  readPreferences,
  type Theme,
} from './preferences.ts'
import type { TimeZoneChoice } from './time-format.ts'
import { cookieOfZone, hktZone, zoneOfCookie } from './time-format.ts'

type PreferencesStore = Preferences & {
  chooseTheme: (theme: Theme) => void
  chooseZone: (choice: TimeZoneChoice) => void
  chooseDensity: (density: Density) => void
  /** Null restores the table's default columns. */
  chooseColumns: (table: string, columns: string[] | null) => void
}

const initial: PreferencesStore = {
  theme: 'system',
  zone: hktZone,
  density: 'base',
  columns: {},
  chooseTheme: () => {},
  chooseZone: () => {},
  chooseDensity: () => {},
  chooseColumns: () => {},
}

const PreferencesContext = createContext<PreferencesStore>(initial)

export function usePreferences(): PreferencesStore {
  return useContext(PreferencesContext)
}

function storeCookie(name: string, value: string) {
  const isSecure = window.location.protocol === 'https:'
  document.cookie = `${isSecure ? hostPrefix : ''}${name}=${value}; path=/; max-age=31536000; samesite=lax${isSecure ? '; secure' : ''}`
}

function cookieOfPage(name: string): string | undefined {
  const cookies = document.cookie.split('; ')
  return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1)
}

/** Provides the preferences that the server read, and stores each change in a cookie. */
export function PreferencesProvider({ preferences, children }: { preferences: Preferences; children: ReactNode }) {
  const [now, setNow] = useState(preferences)
  const store = useMemo<PreferencesStore>(() => {
    const change = (part: Partial<Preferences>) => setNow((before) => ({ ...before, ...part }))
    return {
      ...now,
      chooseTheme: (theme) => {
        storeCookie(preferenceCookies.theme, theme)
        document.documentElement.dataset.theme = theme
        change({ theme })
      },
      chooseZone: (choice) => {
        const text = cookieOfZone(choice)
        storeCookie(preferenceCookies.zone, text)
        change({ zone: zoneOfCookie(text) })
      },
      chooseDensity: (density) => {
        storeCookie(preferenceCookies.density, density)
        change({ density })
      },
      chooseColumns: (table, ids) => {
        // Another tab may have chosen those of another table since.
        const { columns } = readPreferences(cookieOfPage)
        if (ids === null) delete columns[table]
        else columns[table] = ids
        storeCookie(preferenceCookies.columns, cookieOfColumns(columns))
        change({ columns })
      },
    }
  }, [now])
  return (
    <PreferencesContext value={store}>
      <PageZoneProvider zone={now.zone}>{children}</PageZoneProvider>
    </PreferencesContext>
  )
}
