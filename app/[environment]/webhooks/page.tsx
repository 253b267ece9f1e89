import { HydrationBoundary } from '@tanstack/react-query'
import { WebhooksScreen } from '#components/webhooks/webhooks-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { environmentOf, prefetch, read } from '../prefetch.ts'

export const metadata = { title: 'Webhook health' }

export default async function WebhooksPage({ params }: PageProps<'/[environment]/webhooks'>) {
  const environment = environmentOf((await params).environment)
  const state = await prefetch(routes.webhooks(environment), read('readWebhooks', environment))
  return (
    <HydrationBoundary state={state}>
      <WebhooksScreen environment={environment} />
    </HydrationBoundary>
  )
}
