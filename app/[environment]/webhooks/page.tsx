import { WebhooksScreen } from '#components/webhooks/webhooks-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { page, read } from '../prefetch.tsx'

export const metadata = { title: 'Webhook health' }

export default page(({ environment }) => ({
  here: routes.webhooks(environment),
  reads: [read('readWebhooks', environment)],
  screen: <WebhooksScreen />,
}))
