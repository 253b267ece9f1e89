'use client'

import { useQueryClient } from '@tanstack/react-query'
import { CopyPlus, Plus, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { errorSentence } from '#components/form/error-sentence.ts'
import { TextField } from '#components/form/text-field.tsx'
import { OperationDialog } from '#components/operations/operation-dialog.tsx'
import { type OperationProps, useOperation } from '#components/operations/use-operation.ts'
import type { WebhookHealth } from '#lib/console/webhooks/types.ts'
import { webhookTitle } from '#lib/contract/webhook-title.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { secondMs } from '#lib/shared/time.ts'
import { EventChoice } from './event-choice.tsx'
import { eventsText } from './events-text.ts'
import { FirstPing, hasFirstPingFailed } from './first-ping.tsx'
import { queuedText } from './queued-text.ts'

export type WantedDialog = { kind: 'create' } | { kind: 'remove' | 'recreate'; webhook: WebhookHealth }

const createFields = ['url', 'name', 'events']

/** The dialog that was opened, whichever it is. */
export function WebhookDialog(props: OperationProps & WantedDialog) {
  if (props.kind === 'create') return <CreateDialog {...props} />
  return props.kind === 'remove' ? <RemoveDialog {...props} /> : <RecreateDialog {...props} />
}

function RemoveDialog({ webhook, ...dialog }: OperationProps & { webhook: WebhookHealth }) {
  const operation = useOperation({ ...dialog, kind: 'webhook.remove' })
  const digits = webhook.queuedMessages === null ? null : String(webhook.queuedMessages)
  return (
    <OperationDialog
      {...dialog}
      operation={operation}
      problem={(field, wrong) =>
        field === 'confirmQueued'
          ? `What you confirmed ${wrong}. Close this dialog and check again.`
          : errorSentence(field, wrong)
      }
      confirmationLevel="high"
      title={`Remove ${webhookTitle(webhook)}?`}
      consequence={
        webhook.queuedMessages === 0
          ? 'Deliveries stop. Its queue is empty, so no event is lost now. This can’t be undone.'
          : `Its queue goes with it: ${queuedText(webhook.queuedMessages)}${hasFirstPingFailed(webhook) ? ', its first ping included,' : ''} will never be delivered. This can’t be undone.`
      }
      rows={[
        {
          label: 'Address',
          value: <span className="font-mono text-xs wrap-anywhere">{webhook.url ?? 'not known'}</span>,
        },
        { label: 'Queued events that are lost', value: <strong>{digits ?? 'not provided'}</strong> },
      ]}
      typed={
        digits === null
          ? undefined
          : { digits, label: `Type the number of queued events that are lost, ${digits}, to confirm` }
      }
      confirmLabel="Remove webhook"
      confirmIcon={<Trash2 aria-hidden="true" />}
      cancelLabel="Keep webhook"
      onConfirm={() => operation.start({ webhookId: webhook.id, confirmQueued: webhook.queuedMessages ?? 0 })}
    />
  )
}

/** An operation after which a webhook is new: its toast ends with the result of the first ping. */
function useAddition<Kind extends 'webhook.create' | 'webhook.recreate'>(kind: Kind, dialog: OperationProps) {
  const client = useQueryClient()
  const environment = useEnvironment()
  const added = useRef<{ url: string | null; before: string[] }>({ url: null, before: [] })
  const operation = useOperation({
    ...dialog,
    kind,
    onDone: () => ({
      description: <FirstPing {...added.current} />,
      timeoutMs: 30 * secondMs,
    }),
  })
  return {
    operation,
    start: (url: string | null, entered: Parameters<typeof operation.start>[0]) => {
      const webhooks = client.getQueryData(readQuery('readWebhooks', environment).queryKey)?.webhooks ?? []
      added.current = { url, before: webhooks.map(({ id }) => id) }
      operation.start(entered)
    },
  }
}

function RecreateDialog({ webhook, ...dialog }: OperationProps & { webhook: WebhookHealth }) {
  const { operation, start } = useAddition('webhook.recreate', dialog)
  return (
    <OperationDialog
      {...dialog}
      operation={operation}
      problem={(_, wrong) => `This webhook ${wrong}. Close this dialog.`}
      confirmationLevel="light"
      title={`Create ${webhookTitle(webhook)} again?`}
      consequence="A new webhook with the same address and events, under a new id. What was queued before is not delivered."
      rows={[
        { label: 'Address', value: <span className="font-mono text-xs wrap-anywhere">{webhook.url}</span> },
        { label: 'Events', value: <span className="wrap-anywhere">{eventsText(webhook.events ?? [])}</span> },
      ]}
      confirmLabel="Create again"
      confirmIcon={<CopyPlus aria-hidden="true" />}
      onConfirm={() => start(webhook.url, { webhookId: webhook.id })}
    />
  )
}

function CreateDialog(dialog: OperationProps) {
  const { operation, start } = useAddition('webhook.create', dialog)
  const { errors } = operation
  return (
    <OperationDialog
      {...dialog}
      operation={operation}
      fields={createFields}
      confirmationLevel="light"
      title="Add a webhook"
      consequence="The card service pings the URL first and delivers events once it returns 200. Events hold card account data: add only URLs that may have it."
      confirmLabel="Add webhook"
      confirmIcon={<Plus aria-hidden="true" />}
      onConfirm={(values) => {
        const url = String(values.get('url') ?? '').trim()
        const events = values.getAll('events').map(String)
        if (url === '') return operation.setErrors({ url: 'is missing' })
        if (events.length === 0) return operation.setErrors({ events: 'Choose at least one event.' })
        start(url, { url, name: String(values.get('name') ?? '').trim(), events })
      }}
    >
      <TextField
        label="URL"
        name="url"
        inputMode="url"
        isMono
        maxLength={2048}
        placeholder="https://"
        error={errors.url}
        hint="Public https URL; the sandbox also accepts http and this machine"
      />
      <TextField label="Name" name="name" isOptional maxLength={200} error={errors.name} />
      <EventChoice error={errors.events && errorSentence('choice', errors.events)} />
    </OperationDialog>
  )
}
