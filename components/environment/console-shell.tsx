'use client'

import { HydrationBoundary, QueryClientProvider, type DehydratedState, useQuery } from '@tanstack/react-query'
import {
  AppWindow,
  CircleHelp,
  CircleUser,
  CreditCard,
  Gauge,
  House,
  IdCard,
  ListChecks,
  Percent,
  ReceiptText,
  Scale,
  ScrollText,
  Send,
  ShieldCheck,
  UserPlus,
  Users,
  WalletCards,
  Webhook,
} from 'lucide-react'
import { lazy, type ReactNode, Suspense, useCallback, useMemo, useState } from 'react'
import { IntegrityBanner } from '#components/audit/integrity-banner.tsx'
import type { ActingPerson } from '#components/cards/card-action-table.ts'
import { AppShell } from '#components/layout/app-shell.tsx'
import type { CommandSearch } from '#components/layout/commands.tsx'
import type { EnvironmentEntry, NavigationItem } from '#components/layout/side-bar.tsx'
import { LiveFollower } from '#components/live/live-follower.tsx'
import { RecordingMark, SandboxClock, SandboxStrip } from '#components/qa/sandbox-state.tsx'
import { SessionGuard } from '#components/session/session-guard.tsx'
import type { Preferences } from '#components/ui/preferences.ts'
import { Toasts } from '#components/ui/toasts.tsx'
import { type Permission, type Role, roleNames } from '#lib/auth/permissions.ts'
import type { CurrentStaff } from '#lib/auth/types.ts'
import type { Lab } from '#lib/environments/types.ts'
import { createQueryClient, readQuery, fetchRead } from '#lib/queries/reads.ts'
import { holdsCardNumber } from '#lib/shared/card-numbers.ts'
import { environments, type Environment, routes } from '#lib/shared/routes.ts'
import { HealthMark } from './health-mark.tsx'
import { EnvironmentProvider, LabProvider, useRead } from './use-environment.ts'

// Most of the time there is nothing to warn of: their code is loaded when there is.
const ServiceNotice = lazy(() => import('./service-notice.tsx').then((file) => ({ default: file.ServiceNotice })))
const WebhookBanner = lazy(() =>
  import('#components/webhooks/webhook-banner.tsx').then((file) => ({ default: file.WebhookBanner })),
)

/**
 * Finds records of every kind by one read, and what can be done to the cards among them by a deed in the text: “lock 4821”, “4821 lock”,
 * “lock lee”. A deed that is only begun (“chan” of “change PIN”) is meant where the text finds nothing else. What names a found record is
 * loaded with the first search.
 */
function consoleSearch(environment: Environment, person: ActingPerson): CommandSearch {
  return async (query, signal) => {
    if (holdsCardNumber(query)) return { results: [], isReading: false }
    const cardAccountId = /^\/\w+\/card-accounts\/(?!new$|limits$)([^/]+)/.exec(window.location.pathname)?.[1]
    const onAccount = cardAccountId === undefined ? {} : { cardAccountId: decodeURIComponent(cardAccountId) }
    const [{ foundCommand }, { cardCommands, typedDeed }] = await Promise.all([
      import('./found-table.tsx'),
      import('#components/cards/card-commands.tsx'),
    ])
    const typed = typedDeed(query)
    const [whole, target] = await Promise.all([
      fetchRead(signal, 'searchConsole', environment, { q: query, ...onAccount }),
      typed && fetchRead(signal, 'searchConsole', environment, { q: typed.rest, cards: 'yes' }),
    ])
    const cards = target?.found.filter(({ kind }) => kind === 'card') ?? []
    const isMeant = typed !== null && (typed.isWhole || whole.found.length === 0)
    const deeds = isMeant ? cardCommands({ environment, person }, typed, cards) : []
    const found = [...whole.found, ...(typed?.isWhole ? (target?.found ?? []) : [])]
    const records = [
      ...new Map(found.map((one) => foundCommand(environment, one)).map((command) => [command.id, command])).values(),
    ]
    return { results: [...deeds, ...records], isReading: whole.isReading }
  }
}

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
  const areas = areasFor(environment, staff)
  const settings = itemsFor(settingsPages, environment, permissions)
  const search = useMemo(
    () => consoleSearch(environment, { role, may: new Set(permissions) }),
    [environment, role, permissions],
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
      pages={[...areas.flatMap(({ tabs }) => tabs), ...settings]}
      settings={settings}
      tasks={connected[environment] ? itemsFor(tasks, environment, permissions) : []}
      {...(connected[environment] ? { loadShortcuts } : {})}
      user={{ name, role: roleNames[role] }}
      preferences={preferences}
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
        <Toasts />
        <SessionGuard staffId={id} role={role} idleMs={idleMs}>
          {connected[environment] && (
            <LiveFollower key={environment} environment={environment} changeId={liveChangeId} />
          )}
        </SessionGuard>
        <IntegrityBanner />
        <div className="contents print:hidden">
          <ServiceProblems />
          {lab === 'built-in' && <SandboxStrip />}
          {connected[environment] && permissions.includes('webhooks.read') && <WebhookProblems />}
        </div>
        {children}
      </div>
    </AppShell>
  )
}

function ServiceProblems() {
  const { data, error } = useRead('readServiceHealth')
  const isWell = !data?.connected || (data.state === 'online' && data.endpoints.length === 0)
  if (!error && isWell) return null
  return (
    <Suspense fallback={null}>
      <ServiceNotice />
    </Suspense>
  )
}

function WebhookProblems() {
  const { data } = useRead('readWebhookAlerts')
  if (!data || data.alerts.length === 0) return null
  return (
    <Suspense fallback={null}>
      <WebhookBanner />
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

/** An entry of the navigation: what a person does, with its pages as tabs. It leads to the first that the person may open. */
type Area = {
  label: string
  icon: ReactNode
  pages: readonly TaskPage[]
  /** Roles whose day it is no part of. They find its pages in the palette. */
  notFor?: readonly Role[]
}

const allAreas: readonly Area[] = [
  {
    label: 'Home',
    icon: <House />,
    pages: [
      { at: routes.overview, label: 'Home', keywords: 'overview', isExact: true },
      { at: routes.approvals, label: 'Approvals', icon: <ShieldCheck />, needs: 'approvals.read' },
      { at: routes.bulkJobs, label: 'Jobs', icon: <ListChecks />, keywords: 'bulk jobs', needs: 'accounts.read' },
      {
        at: routes.unsettled,
        label: 'Outcomes',
        icon: <CircleHelp />,
        keywords: 'operations, outcomes not known',
        needs: 'accounts.read',
      },
    ],
  },
  {
    label: 'Accounts',
    icon: <WalletCards />,
    pages: [{ at: routes.cardAccounts, label: 'Accounts', keywords: 'card accounts', needs: 'accounts.read' }],
  },
  { label: 'Cards', icon: <CreditCard />, pages: [{ at: routes.cards, label: 'Cards', needs: 'accounts.read' }] },
  {
    label: 'Transactions',
    icon: <ReceiptText />,
    pages: [{ at: routes.transactions, label: 'Transactions', needs: 'accounts.read' }],
  },
  {
    label: 'Payouts',
    icon: <Send />,
    pages: [
      { at: routes.payouts, label: 'Payouts', needs: 'payouts.read' },
      { at: routes.fundingAccounts, label: 'Funding', keywords: 'funding accounts', needs: 'payouts.read' },
      { at: routes.rates, label: 'Rates', needs: 'payouts.read' },
      { at: routes.banks, label: 'Banks', needs: 'payouts.read' },
    ],
  },
  {
    label: 'Fees',
    icon: <Percent />,
    notFor: ['support'],
    pages: [{ at: routes.fees, label: 'Fees', needs: 'accounts.read' }],
  },
  {
    label: 'Identity',
    icon: <IdCard />,
    notFor: ['support'],
    pages: [{ at: routes.identity, label: 'Identity', needs: 'accounts.read' }],
  },
  {
    label: 'Audit',
    icon: <ScrollText />,
    notFor: ['support'],
    pages: [{ at: routes.audit, label: 'Audit', needs: 'audit.read' }],
  },
  {
    label: 'Developers',
    icon: <Webhook />,
    notFor: ['support'],
    pages: [
      { at: routes.webhooks, label: 'Webhooks', isExact: true, needs: 'webhooks.read' },
      { at: routes.inbox, label: 'Events', keywords: 'event inbox', needs: 'webhooks.read' },
      { at: routes.requests, label: 'API requests', needs: 'audit.read' },
      { at: routes.connection, label: 'Connection', needs: 'connection.read' },
      { at: routes.lab, label: 'QA lab', hasPages: true, needs: 'sandbox.simulate' },
    ],
  },
]

/** Pages of settings, in the menu under the person's name. */
const settingsPages: readonly TaskPage[] = [
  { at: routes.policy, label: 'Policy', icon: <Scale />, needs: 'policy.read' },
  { at: routes.staff, label: 'Staff', icon: <Users />, needs: 'staff.manage' },
  { at: routes.embedding, label: 'Embedding', icon: <AppWindow />, needs: 'embeds.manage' },
  { at: routes.ownAccount, label: 'Your account', icon: <CircleUser /> },
]

/** Commands that every page offers. */
const tasks: readonly TaskPage[] = [
  { at: routes.newPayout, label: 'New payout', icon: <Send />, needs: 'payouts.submit' },
  { at: routes.openAccount, label: 'Open card account', icon: <UserPlus />, needs: 'accounts.open' },
  { at: routes.limits, label: 'Set limits by CSV', icon: <Gauge />, needs: 'limits.set' },
]

type TaskPage = NavigationPage & { needs?: Permission }
type NavigationPage = Omit<NavigationItem, 'href' | 'icon'> & {
  icon?: ReactNode
  at: (environment: Environment) => string
}

/** The areas of a person, each with the tabs that they may open; those that are not frequent are in the palette alone. */
export function areasFor(
  environment: Environment,
  { staff: { role }, permissions }: Pick<CurrentStaff, 'permissions'> & { staff: Pick<CurrentStaff['staff'], 'role'> },
): (NavigationItem & { isFrequent: boolean; tabs: readonly NavigationItem[] })[] {
  return allAreas.flatMap(({ label, icon, pages, notFor = [] }) => {
    const tabs = itemsFor(pages, environment, permissions[environment]).map((tab) => ({
      ...tab,
      icon: tab.icon ?? icon,
    }))
    const [first] = tabs
    return first ? [{ href: first.href, label, icon, isFrequent: !notFor.includes(role), tabs }] : []
  })
}

function itemsFor(items: readonly TaskPage[], environment: Environment, may: readonly Permission[]): NavigationItem[] {
  return items
    .filter(({ needs }) => needs === undefined || may.includes(needs))
    .map(({ at, icon = null, ...item }) => ({ ...item, href: at(environment), icon }))
}
