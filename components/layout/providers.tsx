'use client'

import { NuqsAdapter } from 'nuqs/adapters/next/app'
import type { ReactNode } from 'react'
import { PreferencesProvider } from '#components/ui/preferences-provider.tsx'
import type { Preferences } from '#components/ui/preferences.ts'

/** What the console's pages need around them. The sign-in page does without, and stays small. */
export function Providers({ preferences, children }: { preferences: Preferences; children: ReactNode }) {
  return (
    <NuqsAdapter>
      <PreferencesProvider preferences={preferences}>{children}</PreferencesProvider>
    </NuqsAdapter>
  )
}
