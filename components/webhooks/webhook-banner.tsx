'use client'

import { usePathname } from 'next/navigation'
import { Suspense } from 'react'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { lazyPart } from '#components/ui/lazy-part.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'

// Webhooks are healthy nearly always: the code of their alerts is fetched when there are some.
const WebhookAlertList = lazyPart(() => import('./webhook-alerts.tsx').then((file) => file.WebhookAlertList))

/** The webhooks that are not healthy, on the pages that show them, for people who may manage them. */
export function WebhookBanner() {
  const isShown = showsWebhookBanner(useEnvironment(), usePathname())
  return isShown && <Alerts />
}

/** Whether a page shows the banner: in production each, in the sandbox, where webhooks are tested, only Home and Webhooks. */
export function showsWebhookBanner(environment: Environment, pathname: string): boolean {
  return environment === 'production' || [routes.overview(environment), routes.webhooks(environment)].includes(pathname)
}

function Alerts() {
  const { data, dataUpdatedAt } = useRead('readWebhookAlerts')
  if (!data || data.alerts.length === 0) return null
  return (
    <Suspense fallback={null}>
      <WebhookAlertList data={data} readAtMs={dataUpdatedAt} />
    </Suspense>
  )
}
