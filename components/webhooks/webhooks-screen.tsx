'use client'

import { Plus, Webhook } from 'lucide-react'
import { memo, type RefObject, useLayoutEffect, useMemo, useRef } from 'react'
import { useRead } from '#components/environment/use-environment.ts'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { WhenRead } from '#components/environment/when-read.tsx'
import { Button } from '#components/ui/button.tsx'
import { formatCount } from '#components/ui/count.ts'
import { useOpened } from '#components/ui/dialog.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { Page } from '#components/ui/page.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { RelativeTime } from '#components/ui/time.tsx'
import type { WebhookOverview } from '#lib/console/webhooks/types.ts'
import { byUrgency } from './alert-order.ts'
import { ServiceNow } from './service-now.tsx'
import type { PanelActions } from './webhook-actions.tsx'
import { type WantedDialog, WebhookDialog } from './webhook-dialogs.tsx'
import { WebhookPanel } from './webhook-panel.tsx'

export function WebhooksScreen() {
  const webhooks = useRead('readWebhooks')
  const { data } = webhooks
  const { denied } = usePermissions()
  const { open, opened } = useOpened<WantedDialog>()
  const unavailable = denied('webhooks.manage')
  const isTestOffered = data?.isTestOffered ?? false
  const actions = useMemo<PanelActions>(
    () => ({
      unavailable,
      isTestOffered,
      onRemove: (webhook) => open({ kind: 'remove', webhook }),
      onRecreate: (webhook) => open({ kind: 'recreate', webhook }),
    }),
    [unavailable, isTestOffered, open],
  )
  return (
    <Page
      title="Webhook health"
      label="Webhooks"
      subtitle={data && <Subtitle panel={data} />}
      actions={
        <Button
          variant="primary"
          icon={<Plus />}
          unavailable={unavailable}
          reason="described"
          onClick={() => open({ kind: 'create' })}
        >
          Add webhook
        </Button>
      }
    >
      <WhenRead query={webhooks} what="The webhooks" blocks={['h-72']}>
        {(panel) => (
          <ServiceNow serviceNowMs={panel.serviceNowMs} readAtMs={webhooks.dataUpdatedAt}>
            <Webhooks panel={panel} actions={actions} />
          </ServiceNow>
        )}
      </WhenRead>
      {opened && <WebhookDialog key={opened.operationId} {...opened} />}
    </Page>
  )
}

/** How the service's clock is known. */
const clockNotes = {
  clock: 'by the sandbox’s own clock',
  responses: 'by the date of its responses',
  times: 'by the newest time in its data',
} as const

/** Drawn again only with other data: dialogs open and close above it. */
const Webhooks = memo(function Webhooks({ panel, actions }: { panel: WebhookOverview; actions: PanelActions }) {
  const list = useRestoredFocus<HTMLDivElement>()
  if (panel.webhooks.length === 0) {
    return (
      <Panel>
        <EmptyState title="No webhook" icon={<Webhook strokeWidth={1.5} />}>
          Add one to have events delivered to its address.
        </EmptyState>
      </Panel>
    )
  }
  return (
    <div ref={list} className="grid min-w-0 grid-cols-1 items-start gap-5 2xl:grid-cols-2">
      {panel.webhooks.toSorted(byUrgency).map((webhook) => (
        <WebhookPanel key={webhook.id} webhook={webhook} nowMs={panel.serviceNowMs} actions={actions} />
      ))}
    </div>
  )
})

function Subtitle({ panel }: { panel: WebhookOverview }) {
  const { webhooks, polledAt, clockSource, listedBy } = panel
  const living = webhooks.filter(({ state }) => state !== 'deleted').length
  return (
    <>
      {formatCount(living, 'webhook')}
      {listedBy === 'settings' && ' of the settings'} ·{' '}
      <span title={`All times are the card service’s, ${clockNotes[clockSource]}.`}>
        read <RelativeTime instant={polledAt} />
      </span>
    </>
  )
}

/** Keeps the focus on the focused element below `ref` when elements change places, which makes browsers remove it. */
function useRestoredFocus<Element extends HTMLElement>(): RefObject<Element | null> {
  const ref = useRef<Element>(null)
  const before = typeof document === 'undefined' ? null : document.activeElement
  useLayoutEffect(() => {
    const isLost = before instanceof HTMLElement && before !== document.activeElement && before.isConnected
    if (isLost && ref.current?.contains(before)) before.focus({ preventScroll: true })
  })
  return ref
}
