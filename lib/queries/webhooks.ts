import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { InboxEventDetail, InboxFilters, InboxPage } from '#lib/console/inbox/read.ts'
import type { WebhookAlerts, WebhookPanel } from '#lib/console/webhooks/read.ts'
import { apiRoutes, type Environment } from '#lib/shared/routes.ts'
import { isWorthRetrying, readJson } from './read.ts'

/** The health panel; while it is open the console looks at the webhooks every few seconds. */
export function webhooksQuery(environment: Environment) {
  return queryOptions({
    queryKey: [environment, 'webhooks', 'panel'],
    queryFn: ({ signal }) => readJson<WebhookPanel>(apiRoutes.webhooks(environment), signal),
    refetchInterval: 5_000,
    retry: isWorthRetrying,
    staleTime: 2_000,
  })
}

/** What is wrong with the webhooks, for every page. */
export function webhookAlertsQuery(environment: Environment) {
  return queryOptions({
    queryKey: [environment, 'webhooks', 'alerts'],
    queryFn: ({ signal }) => readJson<WebhookAlerts>(apiRoutes.webhookAlerts(environment), signal),
    refetchInterval: 15_000,
    retry: isWorthRetrying,
    staleTime: 5_000,
  })
}

export function inboxQuery(environment: Environment, filters: InboxFilters = {}) {
  return queryOptions({
    queryKey: [environment, 'webhooks', 'inbox', filters],
    queryFn: ({ signal }) => readJson<InboxPage>(apiRoutes.inbox(environment, filters), signal),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
    retry: isWorthRetrying,
    staleTime: 2_000,
  })
}

/** One delivery with its payload, which never changes. */
export function inboxEventQuery(environment: Environment, eventId: string) {
  return queryOptions({
    queryKey: [environment, 'webhooks', 'event', eventId],
    queryFn: ({ signal }) => readJson<InboxEventDetail>(apiRoutes.inboxEvent(environment, eventId), signal),
    retry: isWorthRetrying,
    staleTime: 60_000,
  })
}
