'use client'

import { HydrationBoundary, QueryClientProvider, type DehydratedState, useQuery } from '@tanstack/react-query'
import {
  AppWindow,
  ArrowLeftRight,
  ArrowUpDown,
  Building2,
  Cable,
  ClipboardCheck,
  CircleUser,
  FlaskConical,
  Gauge,
  IdCard,
  Inbox,
  Landmark,
  LayoutDashboard,
  ListChecks,
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
import { SandboxClock, SandboxStrip } from '#components/lab/sandbox-state.tsx'
import { AppShell } from '#components/layout/app-shell.tsx'
import type { CommandSearch } from '#components/layout/commands.tsx'
import type { EnvironmentEntry, NavigationGroup, NavigationItem } from '#components/layout/side-bar.tsx'
import { LiveFollower } from '#components/live/live-follower.tsx'
import { SessionGuard } from '#components/session/session-guard.tsx'
import type { Preferences } from '#components/ui/preferences.ts'
import { Toasts } from '#components/ui/toasts.tsx'
import { type Permission, roleNames } from '#lib/console/desk/permissions.ts'
import type { CurrentStaff } from '#lib/console/desk/shapes.ts'
import { createQueryClient, readQuery, fetchRead } from '#lib/queries/reads.ts'
import { holdsCardNumber } from '#lib/shared/card-numbers.ts'
import { environments, type Environment, routes } from '#lib/shared/routes.ts'
import { HealthMark } from './health-mark.tsx'
import { EnvironmentProvider, useRead } from './use-environment.ts'

// Most of the time there is nothing to warn of: their code is loaded when there is.
const ServiceNotice = lazy(() => import('./service-notice.tsx').then((file) => ({ default: file.ServiceNotice })))
const WebhookBanner = lazy(() =>
  import('#components/webhooks/webhook-banner.tsx').then((file) => ({ default: file.WebhookBanner })),
)

/** The last four digits of a card, also behind the name of an action: `4821`, `lock 4821`. */
const cardPattern = /^(?:(?<terms>\p{L}[\p{L} ]*?) +)?(?<last4>\d{4})$/u

/**
 * Finds records of every kind by one read, and what can be done to a card by its name and the card's last four digits. What names
 * a found record is loaded with the first search.
 */
function consoleSearch(environment: Environment, person: ActingPerson): CommandSearch {
  return async (query, signal) => {
    if (holdsCardNumber(query)) return { results: [], isReading: false }
    const { terms = '', last4 } = cardPattern.exec(query)?.groups ?? {}
    const cardAccountId = /^\/\w+\/card-accounts\/(?!new$|limits$)([^/]+)/.exec(window.location.pathname)?.[1]
    const [{ found, isReading }, { foundCommand }, { cardCommands }] = await Promise.all([
      fetchRead(signal, 'searchConsole', environment, {
        q: last4 ?? query,
        ...(cardAccountId === undefined ? {} : { cardAccountId: decodeURIComponent(cardAccountId) }),
      }),
      import('./found-table.tsx'),
      import('#components/cards/card-commands.tsx'),
    ])
    const cards = found.filter(({ kind }) => kind === 'card')
    const results = [
      ...cardCommands({ environment, person }, terms, cards),
      ...found.map((one) => foundCommand(environment, one)),
    ]
    return { results, isReading }
  }
}

export type ConsoleShellProps = {
  environment: Environment
  connected: Record<Environment, boolean>
  /** The environment has a QA lab. */
  hasLab: boolean
  staff: CurrentStaff
  preferences: Preferences
  /** What the server read for the frame itself. */
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
      <EnvironmentProvider value={props.environment}>
        <Frame {...props} />
      </EnvironmentProvider>
    </QueryClientProvider>
  )
}

/** The frame: which pages there are, which environments, who is signed in, how the service does. */
function Frame({
  environment,
  connected,
  hasLab,
  staff,
  preferences,
  state,
  liveChangeId,
  idleMs,
  children,
}: ConsoleShellProps) {
  const { id, name, role } = staff.staff
  const permissions = staff.permissions[environment]
  const { data: waiting } = useQuery({
    ...readQuery('readMyWork', environment),
    enabled: permissions.includes('accounts.read'),
    select: ({ count }) => count,
  })
  const { data: undecided } = useQuery({
    ...readQuery('readWaitingApprovals', environment),
    enabled: permissions.includes('approvals.read'),
    select: ({ count }) => count,
  })
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
      environments={entriesOf(connected)}
      groups={navigationOf(environment, staff, hasLab, { work: waiting ?? 0, approvals: undecided ?? 0 })}
      tasks={connected[environment] ? itemsFor(tasks, environment, permissions) : []}
      {...(connected[environment] ? { loadShortcuts } : {})}
      user={{ name, role: roleNames[role] }}
      preferences={preferences}
      health={
        <HydrationBoundary state={state}>
          {hasLab && <SandboxClock />}
          <HealthMark />
        </HydrationBoundary>
      }
      {...(connected[environment] ? { search } : {})}
      searchHint="Search name, last four, ID…"
      homeHref={routes.overview(environment)}
    >
      <HydrationBoundary state={state}>
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
            {hasLab && <SandboxStrip />}
            {connected[environment] && permissions.includes('webhooks.read') && <WebhookProblems />}
          </div>
          {children}
        </div>
      </HydrationBoundary>
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

function entriesOf(connected: Record<Environment, boolean>): EnvironmentEntry[] {
  return environments.map((environment) => ({
    environment,
    href: routes.overview(environment),
    note: connected[environment] ? undefined : 'not connected',
  }))
}

/** Every page that has a place in the navigation, with the permission that opens it. */
const pages: readonly { label?: string; items: readonly TaskPage[] }[] = [
  {
    items: [
      { at: routes.overview, label: 'Overview', icon: <LayoutDashboard />, isExact: true },
      { at: routes.myWork, label: 'My work', icon: <ClipboardCheck />, needs: 'accounts.read' },
      { at: routes.approvals, label: 'Approvals', icon: <ShieldCheck />, needs: 'approvals.read' },
      { at: routes.cardAccounts, label: 'Card accounts', icon: <WalletCards />, needs: 'accounts.read' },
      { at: routes.identity, label: 'Identity', icon: <IdCard />, needs: 'accounts.read' },
    ],
  },
  {
    label: 'Money',
    items: [
      { at: routes.fees, label: 'Fees', icon: <ReceiptText />, needs: 'accounts.read' },
      { at: routes.payouts, label: 'Payouts', icon: <Send />, needs: 'payouts.read' },
      { at: routes.fundingAccounts, label: 'Funding accounts', icon: <Landmark />, needs: 'payouts.read' },
      { at: routes.rates, label: 'Rates', icon: <ArrowLeftRight />, needs: 'payouts.read' },
      { at: routes.banks, label: 'Banks', icon: <Building2 />, needs: 'payouts.read' },
    ],
  },
  {
    label: 'Operations',
    items: [
      { at: routes.bulkJobs, label: 'Bulk jobs', icon: <ListChecks />, needs: 'accounts.read' },
      { at: routes.webhooks, label: 'Webhooks', icon: <Webhook />, isExact: true, needs: 'webhooks.read' },
      { at: routes.inbox, label: 'Event inbox', icon: <Inbox />, needs: 'webhooks.read' },
    ],
  },
  {
    label: 'Records',
    items: [
      { at: routes.audit, label: 'Audit', icon: <ScrollText />, needs: 'audit.read' },
      { at: routes.requests, label: 'API requests', icon: <ArrowUpDown />, needs: 'audit.read' },
    ],
  },
  {
    label: 'Settings',
    items: [
      { at: routes.connection, label: 'Connection', icon: <Cable />, needs: 'connection.read' },
      { at: routes.policy, label: 'Policy', icon: <Scale />, needs: 'policy.read' },
      { at: routes.embedding, label: 'Embedding', icon: <AppWindow />, needs: 'embeds.manage' },
      { at: routes.staff, label: 'Staff', icon: <Users />, needs: 'staff.manage' },
      { at: routes.ownAccount, label: 'Your account', icon: <CircleUser /> },
    ],
  },
]

/** Of the QA lab, a real sandbox service has only the API explorer. */
function testingPages(hasLab: boolean) {
  const page = hasLab ? { at: routes.lab, label: 'QA lab' } : { at: routes.explorer, label: 'API explorer' }
  return { label: 'Testing', items: [{ ...page, icon: <FlaskConical />, needs: 'sandbox.simulate' as const }] }
}

/** Commands that every page offers. */
const tasks: readonly TaskPage[] = [
  { at: routes.newPayout, label: 'New payout', icon: <Send />, needs: 'payouts.submit' },
  { at: routes.openAccount, label: 'Open card account', icon: <UserPlus />, needs: 'accounts.open' },
  { at: routes.limits, label: 'Set limits by CSV', icon: <Gauge />, needs: 'limits.set' },
]

type TaskPage = NavigationPage & { needs?: Permission }
type NavigationPage = Omit<NavigationItem, 'href'> & { at: (environment: Environment) => string }

function navigationOf(
  environment: Environment,
  { permissions }: CurrentStaff,
  hasLab: boolean,
  waiting: { work: number; approvals: number },
): NavigationGroup[] {
  const counts = new Map([
    [routes.myWork(environment), waiting.work],
    [routes.approvals(environment), waiting.approvals],
  ])
  const withCount = (item: NavigationItem) => ({ ...item, count: counts.get(item.href) })
  return [...pages, testingPages(hasLab)]
    .map(({ items, ...group }) => ({
      ...group,
      items: itemsFor(items, environment, permissions[environment]).map(withCount),
    }))
    .filter(({ items }) => items.length > 0)
}

function itemsFor(items: readonly TaskPage[], environment: Environment, may: readonly Permission[]): NavigationItem[] {
  return items
    .filter(({ needs }) => needs === undefined || may.includes(needs))
    .map(({ at, label, icon, isExact }) => ({ href: at(environment), label, icon, isExact: isExact ?? false }))
}
