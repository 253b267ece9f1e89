'use client'

import { HydrationBoundary, type DehydratedState } from '@tanstack/react-query'
import { Inbox, LayoutDashboard, ScrollText, WalletCards, Webhook } from 'lucide-react'
import type { ReactNode } from 'react'
import { AppShell } from '#components/layout/app-shell.tsx'
import type { EnvironmentEntry, NavigationGroup } from '#components/layout/navigation.ts'
import { LiveFollower } from '#components/live/live-follower.tsx'
import type { Preferences } from '#components/ui/preferences.ts'
import { WebhookBanner } from '#components/webhooks/webhook-banner.tsx'
import type { CurrentStaff } from '#lib/console/staff.ts'
import { environments, type Environment, routes } from '#lib/shared/routes.ts'
import { accountSearch } from './account-search.tsx'
import { HealthMark } from './health-mark.tsx'
import { OfferedCommandsProvider, useOfferedCommands } from './offered-commands.tsx'
import { roleNames } from './role-names.ts'
import { ServiceNotice } from './service-notice.tsx'

export type ConsoleShellProps = {
  environment: Environment
  connected: Record<Environment, boolean>
  staff: CurrentStaff
  preferences: Preferences
  signOut: (formData: FormData) => void | Promise<void>
  /** What the server read for the frame itself. */
  state: DehydratedState
  children: ReactNode
}

/** The console's own frame: which pages there are, which environments, who is signed in, how the service does. */
export function ConsoleShell(props: ConsoleShellProps) {
  return (
    <OfferedCommandsProvider>
      <Frame {...props} />
    </OfferedCommandsProvider>
  )
}

function Frame({ environment, connected, staff, preferences, signOut, state, children }: ConsoleShellProps) {
  const { commands } = useOfferedCommands()
  const { name, role } = staff.staff
  return (
    <AppShell
      environment={environment}
      environments={entriesOf(connected)}
      groups={navigationOf(environment, staff)}
      user={{ name, role: roleNames[role] }}
      signOut={signOut}
      preferences={preferences}
      health={
        <HydrationBoundary state={state}>
          <HealthMark environment={environment} />
        </HydrationBoundary>
      }
      commands={commands}
      {...(connected[environment] ? { search: accountSearch[environment] } : {})}
      searchHint="Search last four, name, xid…"
      homeHref={routes.overview(environment)}
    >
      <HydrationBoundary state={state}>
        <div className="grid min-w-0 gap-5">
          {connected[environment] && <LiveFollower environment={environment} />}
          <ServiceNotice environment={environment} />
          {connected[environment] && staff.permissions[environment].includes('webhooks.read') && (
            <WebhookBanner environment={environment} />
          )}
          {children}
        </div>
      </HydrationBoundary>
    </AppShell>
  )
}

function entriesOf(connected: Record<Environment, boolean>): EnvironmentEntry[] {
  return environments.map((environment) => ({
    environment,
    href: routes.overview(environment),
    note: connected[environment] ? undefined : 'not connected',
  }))
}

function navigationOf(environment: Environment, { permissions }: CurrentStaff): NavigationGroup[] {
  const may = permissions[environment]
  return [
    {
      items: [
        { href: routes.overview(environment), label: 'Overview', icon: <LayoutDashboard />, isExact: true },
        ...(may.includes('accounts.read')
          ? [{ href: routes.cardAccounts(environment), label: 'Card accounts', icon: <WalletCards /> }]
          : []),
      ],
    },
    ...(may.includes('webhooks.read')
      ? [
          {
            label: 'Operations',
            items: [
              { href: routes.webhooks(environment), label: 'Webhooks', icon: <Webhook />, isExact: true },
              { href: routes.inbox(environment), label: 'Event inbox', icon: <Inbox /> },
            ],
          },
        ]
      : []),
    ...(may.includes('audit.read')
      ? [{ label: 'Records', items: [{ href: routes.audit(environment), label: 'Audit', icon: <ScrollText /> }] }]
      : []),
  ]
}
