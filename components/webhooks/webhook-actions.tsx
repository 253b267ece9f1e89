import { useQueryClient } from '@tanstack/react-query'
import { CopyPlus, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Tooltip } from '#components/ui/tooltip.tsx'
import { testWebhook } from '#lib/actions/console.ts'
import type { WebhookHealth } from '#lib/console/webhooks/shapes.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { lostLabels, testLabels } from './test-labels.ts'

/** What the page offers on each of its webhooks. */
export type PanelActions = {
  environment: Environment
  /** Why the person may not act; undefined where they may. */
  unavailable: string | undefined
  /** The service can send a test. */
  isTestOffered: boolean
  onRemove: (webhook: WebhookHealth) => void
  onRecreate: (webhook: WebhookHealth) => void
}

const ownInbox = 'Carddesk receives its events here, so it can’t be removed.'

function testMeaning({ state }: WebhookHealth): string {
  const effect = state === 'healthy' ? '.' : '; its success resumes delivery.'
  return `One signed ping, sent beside the queue. Its failure changes nothing${effect}`
}

const notOffered = 'This API can’t send one. Cause an event instead, such as locking a test card.'

export function WebhookActions({
  webhook,
  actions,
  test,
  isStacked = false,
}: {
  webhook: WebhookHealth
  actions: PanelActions
  test: { isPending: boolean; send: () => void }
  /** One below the other; the test, which shows whether the endpoint responds again, comes first. */
  isStacked?: boolean
}) {
  const blocked =
    actions.unavailable === undefined ? {} : { unavailable: actions.unavailable, reason: 'described' as const }
  const isDeleted = webhook.state === 'deleted'
  const isKnown = webhook.url !== null && webhook.events !== null && webhook.events.length > 0
  return (
    <div className={isStacked ? 'grid gap-2' : 'flex flex-wrap items-center gap-2'}>
      {!isDeleted && (
        <Tooltip text={actions.isTestOffered ? (actions.unavailable ?? testMeaning(webhook)) : notOffered}>
          <Button
            variant={isStacked ? 'primary' : 'secondary'}
            icon={<Send />}
            isPending={test.isPending}
            {...(actions.isTestOffered ? blocked : { unavailable: notOffered, reason: 'described' as const })}
            onClick={test.send}
          >
            Send a test
          </Button>
        </Tooltip>
      )}
      {/* One container for both actions, so that after removing one the focus returns to the other. */}
      {isDeleted ? (
        <Button
          icon={<CopyPlus />}
          {...(isKnown ? blocked : { unavailable: 'Its events are unknown.' })}
          onClick={() => actions.onRecreate(webhook)}
        >
          Create again
        </Button>
      ) : webhook.isOwnInbox ? (
        <Tooltip text={ownInbox}>
          <Button variant="danger-quiet" icon={<Trash2 />} unavailable={ownInbox} reason="described">
            Remove…
          </Button>
        </Tooltip>
      ) : (
        <Button variant="danger-quiet" icon={<Trash2 />} {...blocked} onClick={() => actions.onRemove(webhook)}>
          Remove…
        </Button>
      )}
    </div>
  )
}

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
