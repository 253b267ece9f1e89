'use client'

import { HydrationBoundary, QueryClientProvider, type DehydratedState, useQuery } from '@tanstack/react-query'
import { usePathname } from 'next/navigation'
import { type ReactNode, Suspense, useCallback, useState } from 'react'
import { IntegrityBanner } from '#components/audit/integrity-banner.tsx'
import { AppShell } from '#components/layout/app-shell.tsx'
import type { CommandSearch } from '#components/layout/commands.tsx'
import type { EnvironmentEntry } from '#components/layout/side-bar.tsx'
import { LiveFollower } from '#components/live/live-follower.tsx'
import { RecordingMark, SandboxClock, SandboxStrip } from '#components/qa/sandbox-state.tsx'
import { SessionGuard } from '#components/session/session-guard.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { lazyPart } from '#components/ui/lazy-part.ts'
import type { Preferences } from '#components/ui/preferences.ts'
import { Toasts } from '#components/ui/toasts.tsx'
import { showsWebhookBanner, WebhookBanner } from '#components/webhooks/webhook-banner.tsx'
import { roleNames } from '#lib/auth/permissions.ts'
import type { CurrentStaff } from '#lib/auth/types.ts'
import type { Lab } from '#lib/environments/types.ts'
import { ReadError } from '#lib/queries/read.ts'
import { createQueryClient, readQuery } from '#lib/queries/reads.ts'
import { environments, type Environment, routes } from '#lib/shared/routes.ts'
import { HealthMark } from './health-mark.tsx'
import { areasFor, itemsFor, labPages, settingsPages, tasks } from './navigation.tsx'
import { EnvironmentProvider, LabProvider, useEnvironment, useRead } from './use-environment.ts'
import { toActingPerson } from './use-permissions.ts'

// A problem of the service is rare: the code of its notice is fetched when there is one.
const ServiceNotice = lazyPart(() => import('./service-notice.tsx').then((file) => file.ServiceNotice))

export type ConsoleShellProps = {
  environment: Environment
  connected: Record<Environment, boolean>
  lab: Lab
  staff: CurrentStaff
  preferences: Preferences
  /** The frame's own data, read by the server. */
  state: DehydratedState
  /** The change after which the page's stream begins. */
  liveChangeId: number
  /** After how long without any input a session ends. */
  idleMs: number
  children: ReactNode
}

/** The console's own frame, with the cache of its reads. */
export function ConsoleShell(props: ConsoleShellProps) {
  const [client] = useState(createQueryClient)
  return (
    <QueryClientProvider client={client}>
      {/* Around the whole frame: a query that the frame has begun already would get the server's data after hydration only. */}
      <HydrationBoundary state={props.state}>
        <EnvironmentProvider value={props.environment}>
          <LabProvider value={props.lab}>
            <Frame {...props} />
          </LabProvider>
        </EnvironmentProvider>
      </HydrationBoundary>
    </QueryClientProvider>
  )
}

/** The frame: which pages there are, which environments, who is signed in, how the service does. */
function Frame({
  environment,
  connected,
  lab,
  staff,
  preferences,
  liveChangeId,
  idleMs,
  children,
}: Omit<ConsoleShellProps, 'state'>) {
  const { id, name, role } = staff.staff
  const permissions = staff.permissions[environment]
  const { data: waiting } = useQuery({
    ...readQuery('readMyWork', environment),
    enabled: permissions.includes('accounts.read'),
    select: ({ count }) => count,
  })
  const { error } = useRead('readServiceHealth')
  const areas = areasFor(environment, staff)
  const settings = itemsFor(settingsPages, environment, permissions)
  const search = useCallback<CommandSearch>(
    async (query, signal) => {
      const { searchConsole } = await import('./console-search.ts')
      return searchConsole(environment, toActingPerson(environment, permissions), query, signal)
    },
    [environment, permissions],
  )
  const loadShortcuts = useCallback(
    () => import('./list-shortcuts.tsx').then(({ listShortcuts }) => listShortcuts(environment, permissions)),
    [environment, permissions],
  )
  return (
    <AppShell
      environment={environment}
      environments={listEnvironmentEntries(connected)}
      areas={areas
        .filter(({ isFrequent }) => isFrequent)
        .map((area, at) => (at === 0 ? { ...area, count: waiting ?? 0 } : area))}
      pages={[
        ...areas.flatMap(({ tabs }) => tabs),
        ...(lab === 'built-in' ? itemsFor(labPages, environment, permissions) : []),
        ...settings,
      ]}
      settings={settings}
      tasks={connected[environment] ? itemsFor(tasks, environment, permissions) : []}
      {...(connected[environment] ? { loadShortcuts } : {})}
      user={{ name, role: roleNames[role] }}
      preferences={preferences}
      isServerAway={error instanceof ReadError && error.status === 0}
      health={
        <>
          {lab === 'built-in' && (
            <>
              <RecordingMark />
              <SandboxClock />
            </>
          )}
          <HealthMark />
        </>
      }
      {...(connected[environment] ? { search } : {})}
      homeHref={routes.overview(environment)}
    >
      <div className="grid min-w-0 gap-5">
        <Toasts environment={environment} />
        <SessionGuard staffId={id} role={role} idleMs={idleMs}>
          {connected[environment] && (
            <LiveFollower key={environment} environment={environment} changeId={liveChangeId} />
          )}
        </SessionGuard>
        <IntegrityBanner />
        <div className="contents print:hidden">
          <ServiceProblems />
          {lab === 'built-in' && <SandboxStrip />}
          {connected[environment] && permissions.includes('webhooks.manage') && <WebhookProblems />}
        </div>
        {children}
      </div>
    </AppShell>
  )
}

function WebhookProblems() {
  const isShown = showsWebhookBanner(useEnvironment(), usePathname())
  return isShown && <WebhookBanner />
}

function ServiceProblems() {
  const { data, error } = useRead('readServiceHealth')
  if (error) {
    return (
      data && (
        <Callout tone="bad" title="Carddesk isn’t responding." isAlert>
          The page shows the last data and tries again every few seconds.
        </Callout>
      )
    )
  }
  if (!data?.connected || (data.state === 'online' && data.endpoints.length === 0)) return null
  return (
    <Suspense fallback={null}>
      <ServiceNotice />
    </Suspense>
  )
}

function listEnvironmentEntries(connected: Record<Environment, boolean>): EnvironmentEntry[] {
  return environments.map((environment) => ({
    environment,
    href: routes.overview(environment),
    note: connected[environment] ? undefined : 'not connected',
  }))
}
