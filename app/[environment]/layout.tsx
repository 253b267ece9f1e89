import { cookies } from 'next/headers'
import { notFound } from 'next/navigation'
import { ConsoleShell } from '#components/environment/console-shell.tsx'
import { NotConnected } from '#components/environment/not-connected.tsx'
import { readPreferences } from '#components/ui/preferences.ts'
import { sessionIdleMs } from '#lib/auth/activity.ts'
import { currentStaff } from '#lib/auth/session.ts'
import { readServiceHealth } from '#lib/environments/health.ts'
import { findLab } from '#lib/environments/lab.ts'
import { latestSafePosition } from '#lib/live/feed.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { currentStaffQuery } from '#lib/queries/session.ts'
import { environments, isEnvironment } from '#lib/shared/routes.ts'
import { prefetch, read, readAs } from './prefetch.tsx'

export default async function EnvironmentLayout({ params, children }: LayoutProps<'/[environment]'>) {
  const { environment: name } = await params
  const staff = await currentStaff()
  // The page under an unknown name is a 404, within the frame of the sandbox; where the proxy sends to it stays without one.
  if (!isEnvironment(name) && (!staff || name === 'not-found')) notFound()
  const environment = isEnvironment(name) ? name : 'sandbox'
  // The page sends to the sign-in, since it knows where that leads back to.
  if (!staff) return children
  const cookieStore = await cookies()
  const [liveChangeId, health, ...others] = await Promise.all([
    latestSafePosition(),
    ...[environment, ...environments].map(readServiceHealth),
  ])
  const may = staff.permissions[environment]
  const lab = findLab(environment)
  const state = await prefetch(
    '',
    readAs(currentStaffQuery(), async () => staff),
    readAs(readQuery('readServiceHealth', environment), async () => health),
    read('readAuditIntegrity', environment),
    ...(lab === 'built-in' ? [read('readLabState', environment)] : []),
    ...(may.includes('webhooks.manage') ? [read('readWebhookAlerts', environment)] : []),
    ...(may.includes('accounts.read') ? [read('readMyWork', environment)] : []),
    ...(may.includes('embeds.create') ? [read('readEmbedHosts', environment)] : []),
  )
  const connected = Object.fromEntries(environments.map((name, index) => [name, others[index]?.connected ?? false]))
  return (
    <ConsoleShell
      environment={environment}
      lab={lab}
      connected={connected as Record<(typeof environments)[number], boolean>}
      staff={staff}
      preferences={readPreferences((name) => cookieStore.get(name)?.value)}
      state={state}
      liveChangeId={liveChangeId}
      idleMs={sessionIdleMs()}
    >
      {health && !health.connected ? <NotConnected environment={environment} missing={health.missing} /> : children}
    </ConsoleShell>
  )
}
