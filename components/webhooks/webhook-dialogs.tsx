'use client'

import { CopyPlus, Plus, Trash2 } from 'lucide-react'
import { outcomeText } from '#components/cards/outcome-text.tsx'
import { ConfirmDialog, type ConfirmDialogProps } from '#components/form/confirm-dialog.tsx'
import { TextField } from '#components/form/text-field.tsx'
import { createWebhook, recreateWebhook, removeWebhook } from '#lib/actions/webhooks.ts'
import type { WebhookHealth } from '#lib/console/webhooks/read.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { EventChoice } from './event-choice.tsx'
import { useWebhookOperation } from './use-webhook-operation.ts'

export type OpenedDialog = { operationId: string; isOpen: boolean } & (
  | { kind: 'create' }
  | { kind: 'remove' | 'recreate'; webhook: WebhookHealth }
)

type Shared = { environment: Environment; operationId: string; isOpen: boolean; onClose: () => void }

/** The dialog that was opened, whichever it is. */
export function WebhookDialog({
  opened,
  ...rest
}: {
  environment: Environment
  opened: OpenedDialog
  onClose: () => void
}) {
  const shared = { ...rest, operationId: opened.operationId, isOpen: opened.isOpen }
  if (opened.kind === 'create') return <CreateDialog {...shared} />
  if (opened.kind === 'remove') return <RemoveDialog {...shared} webhook={opened.webhook} />
  return <RecreateDialog {...shared} webhook={opened.webhook} />
}

function nameOf({ name, url, id }: WebhookHealth): string {
  return name ?? url ?? id
}

function events(number: number): string {
  return number === 1 ? '1 queued event' : `${number} queued events`
}

function OperationDialog({
  isOpen,
  onClose,
  operation,
  ...props
}: Omit<ConfirmDialogProps, 'isOpen' | 'onOpenChange' | 'isPending' | 'outcome' | 'onRetry'> & {
  isOpen: boolean
  onClose: () => void
  operation: ReturnType<typeof useWebhookOperation>
}) {
  const { outcome, isPending, errors, retry } = operation
  const other = Object.entries(errors).filter(([field]) => !['url', 'name', 'events'].includes(field))
  return (
    <ConfirmDialog
      {...props}
      isOpen={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      isPending={isPending}
      outcome={outcome === null ? null : outcomeText(outcome)}
      onRetry={outcome !== null && outcome.state !== 'done' && outcome.isSafeToRetry ? retry : undefined}
    >
      {props.children}
      {other.map(([field, problem]) => (
        <p key={field} role="alert" className="text-bad">
          {field === 'confirmQueued'
            ? `What you confirmed ${problem}. Close this and look again.`
            : `${field} ${problem}.`}
        </p>
      ))}
    </ConfirmDialog>
  )
}

function RemoveDialog({ environment, operationId, webhook, ...rest }: Shared & { webhook: WebhookHealth }) {
  const operation = useWebhookOperation(environment, operationId)
  const digits = String(webhook.queuedMessages)
  return (
    <OperationDialog
      {...rest}
      operation={operation}
      grade="high"
      title={`Remove ${nameOf(webhook)}${operation.outcome === null ? '?' : ''}`}
      consequence={
        webhook.queuedMessages === 0
          ? 'Nothing more is delivered to it from now on. Its queue is empty, so no event is lost now. This cannot be undone.'
          : `Its queue goes with it: ${events(webhook.queuedMessages)} will never be delivered. This cannot be undone.`
      }
      rows={[
        {
          label: 'Address',
          value: <span className="font-mono text-xs wrap-anywhere">{webhook.url ?? 'not known'}</span>,
        },
        { label: 'Queued events that are lost', value: <strong>{digits}</strong> },
      ]}
      typed={{ digits, label: `Type the number of queued events that are lost, ${digits}, to confirm` }}
      confirmLabel="Remove webhook"
      confirmIcon={<Trash2 aria-hidden="true" />}
      cancelLabel="Keep webhook"
      onConfirm={() =>
        operation.start(() =>
          removeWebhook({ environment, operationId, webhookId: webhook.id, confirmQueued: webhook.queuedMessages }),
        )
      }
    />
  )
}

function RecreateDialog({ environment, operationId, webhook, ...rest }: Shared & { webhook: WebhookHealth }) {
  const operation = useWebhookOperation(environment, operationId)
  return (
    <OperationDialog
      {...rest}
      operation={operation}
      grade="light"
      title={`Create ${nameOf(webhook)} again${operation.outcome === null ? '?' : ''}`}
      consequence="A new webhook with the same address and events, under a new id. What was queued before is not delivered."
      rows={[
        { label: 'Address', value: <span className="font-mono text-xs wrap-anywhere">{webhook.url}</span> },
        { label: 'Events', value: <span className="wrap-anywhere">{(webhook.events ?? []).join(', ')}</span> },
      ]}
      confirmLabel="Create again"
      confirmIcon={<CopyPlus aria-hidden="true" />}
      onConfirm={() => operation.start(() => recreateWebhook({ environment, operationId, webhookId: webhook.id }))}
    />
  )
}

function CreateDialog({ environment, operationId, ...rest }: Shared) {
  const operation = useWebhookOperation(environment, operationId)
  const { errors } = operation
  return (
    <OperationDialog
      {...rest}
      operation={operation}
      grade="light"
      title={operation.outcome === null ? 'Add a webhook' : 'Webhook'}
      consequence="The service pings the address first and delivers events once it answers 200. Every event holds data of card accounts: add only addresses that may have it."
      confirmLabel="Add webhook"
      confirmIcon={<Plus aria-hidden="true" />}
      onConfirm={(values) =>
        operation.start(() =>
          createWebhook({
            environment,
            operationId,
            url: String(values.get('url') ?? '').trim(),
            name: String(values.get('name') ?? '').trim(),
            events: values.get('all') === 'on' ? ['*'] : values.getAll('events').map(String),
          }),
        )
      }
    >
      <TextField
        label="Address"
        name="url"
        type="url"
        inputMode="url"
        isMono
        required
        maxLength={2048}
        placeholder="https://"
        error={errors.url && `The address ${errors.url}.`}
        hint="https, and public; the sandbox takes addresses of its own machine too."
      />
      <TextField
        label="Name"
        name="name"
        isOptional
        maxLength={200}
        error={errors.name && `The name ${errors.name}.`}
      />
      <EventChoice error={errors.events && `The choice ${errors.events}.`} />
    </OperationDialog>
  )
}
