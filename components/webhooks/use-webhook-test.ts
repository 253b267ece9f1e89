import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { testWebhook } from '#lib/actions/webhooks.ts'
import type { WebhookHealth } from '#lib/console/webhooks/shapes.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { lostLabels, testLabels } from './test-labels.ts'

type Labels = ReturnType<typeof testLabels>
/** `atMs`: when the browser learned it. */
export type TestedLabels = Labels & { atMs: number }

/** Tests a webhook, one test at a time, and describes the result of the last one. */
export function useWebhookTest(environment: Environment, { id, state }: Pick<WebhookHealth, 'id' | 'state'>) {
  const client = useQueryClient()
  const [isPending, setIsPending] = useState(false)
  const [labels, setLabels] = useState<TestedLabels | null>(null)
  return {
    isPending,
    labels,
    send: async () => {
      setIsPending(true)
      setLabels(null)
      try {
        const result = await testWebhook({ environment, webhookId: id })
        setLabels({ ...testLabels(result, state), atMs: Date.now() })
      } catch {
        setLabels({ ...lostLabels('A test'), atMs: Date.now() })
      } finally {
        setIsPending(false)
        for (const part of ['webhooks', 'audit']) void client.invalidateQueries({ queryKey: [environment, part] })
      }
    },
  }
}
