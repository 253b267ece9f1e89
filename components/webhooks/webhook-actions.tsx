import { CopyPlus, Send, Trash2 } from 'lucide-react'
import { Button } from '#components/ui/button.tsx'
import { Tooltip } from '#components/ui/tooltip.tsx'
import type { WebhookHealth } from '#lib/console/webhooks/types.ts'

/** Actions on a webhook. */
export type PanelActions = {
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

function whyNotOffered({ state }: WebhookHealth): string {
  return state === 'suspended'
    ? 'This API can’t send one. The card service pings every 5 minutes by itself.'
    : 'This API can’t send one. Cause an event instead, such as locking a test card.'
}

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
  const isDeleted = webhook.state === 'deleted'
  const notOffered = actions.isTestOffered ? undefined : whyNotOffered(webhook)
  const isKnown = webhook.url !== null && webhook.events !== null && webhook.events.length > 0
  const notAgain = webhook.isReplaced
    ? 'Another webhook gets its events.'
    : isKnown
      ? undefined
      : 'Its events are unknown.'
  return (
    <div
      className={
        isStacked ? 'grid justify-items-start gap-2 @2xl:justify-items-center' : 'flex flex-wrap items-center gap-2'
      }
    >
      {!isDeleted && (
        <Tooltip text={notOffered ?? actions.unavailable ?? testMeaning(webhook)}>
          <Button
            variant={isStacked ? 'primary' : 'secondary'}
            icon={<Send />}
            isPending={test.isPending}
            unavailable={notOffered ?? actions.unavailable}
            reason="described"
            onClick={test.send}
          >
            {webhook.state === 'suspended' ? 'Ping now' : 'Send a test'}
          </Button>
        </Tooltip>
      )}
      {/* One container for both actions, so that after removing one the focus returns to the other. */}
      {isDeleted ? (
        <Button
          icon={<CopyPlus />}
          unavailable={notAgain ?? actions.unavailable}
          reason={notAgain === undefined ? 'described' : 'beside'}
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
        <Button
          variant="danger-quiet"
          icon={<Trash2 />}
          unavailable={actions.unavailable}
          reason="described"
          onClick={() => actions.onRemove(webhook)}
        >
          Remove…
        </Button>
      )}
    </div>
  )
}
