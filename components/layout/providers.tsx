'use client'

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { NuqsAdapter } from 'nuqs/adapters/next/app'
import { type ReactNode, useState } from 'react'
import { PreferencesProvider } from '#components/ui/preferences-provider.tsx'
import type { Preferences } from '#components/ui/preferences.ts'

function isFinal(error: unknown): boolean {
  const status = typeof error === 'object' && error !== null && 'status' in error ? Number(error.status) : 0
  return status >= 400 && status < 500 && status !== 429
}

/**
 * Reads are fresh for ten seconds and read again when the window comes back. A refusal (4xx) is final; anything else is
 * tried twice more.
 */
function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (failures, error) => !isFinal(error) && failures < 2,
        refetchOnWindowFocus: true,
      },
      mutations: { retry: false },
    },
  })
}

/** What the console's pages need around them. The sign-in page does without, and stays small. */
export function Providers({ preferences, children }: { preferences: Preferences; children: ReactNode }) {
  const [client] = useState(createQueryClient)
  return (
    <NuqsAdapter>
      <QueryClientProvider client={client}>
        <PreferencesProvider preferences={preferences}>{children}</PreferencesProvider>
      </QueryClientProvider>
    </NuqsAdapter>
  )
}
