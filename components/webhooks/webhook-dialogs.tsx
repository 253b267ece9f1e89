'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CopyPlus, Plus, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { Checkbox } from '#components/form/checkbox.tsx'
import { errorSentence } from '#components/form/error-sentence.ts'
import { TextField } from '#components/form/text-field.tsx'
import { OperationDialog } from '#components/operations/operation-dialog.tsx'
import { type OperationProps, useOperation } from '#components/operations/use-operation.ts'
import type { WebhookHealth } from '#lib/console/webhooks/types.ts'
import { webhookTitle } from '#lib/contract/webhook-title.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { secondMs } from '#lib/shared/time.ts'
import { EventName } from './event-subject.tsx'
import { queuedText } from './health-labels.tsx'

/** The event names of the interface and those decided for the service; a ping goes to every webhook. */
export const offeredEvents = [
  'cardaccount.created',
  'cardaccount.balance',
  'cardaccount.client-identity.approved',
  'cardaccount.client-identity.rejected',
  'cardaccount.transaction.created',
  'cardaccount.transaction.updated',
  'cardaccount.transaction.declined',
  'card.updated',
  'account.transaction.created',
  'payout.created',
  'payout.updated',
  'cardaccount.transaction.verification-code-delivered',
]

function EventChoice({ error }: { error?: string | undefined }) {
  const [isAll, setIsAll] = useState(true)
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-soft">Events</legend>
      <Checkbox
        label="All events, including future ones"
        name="all"
        checked={isAll}
        onChange={(event) => setIsAll(event.target.checked)}
      />
      {!isAll && (
        <div className="mt-2 grid gap-1 rounded-panel border p-3">
          {offeredEvents.map((name) => (
            <Checkbox
              key={name}
              label={
                <span className="text-xs">
                  <EventName name={name} />
                </span>
              }
              name="events"
              value={name}
            />
          ))}
        </div>
      )}
      {error && (
        <p role="alert" className="mt-1 text-xs text-bad">
          {error}
        </p>
      )}
    </fieldset>
  )
}

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
          : `Its queue goes with it: ${queuedText(webhook.queuedMessages)} will never be delivered. This can’t be undone.`
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
      confirmationLevel="light"
      title={`Create ${webhookTitle(webhook)} again?`}
      consequence="A new webhook with the same address and events, under a new id. What was queued before is not delivered."
      rows={[
        { label: 'Address', value: <span className="font-mono text-xs wrap-anywhere">{webhook.url}</span> },
        { label: 'Events', value: <span className="wrap-anywhere">{(webhook.events ?? []).join(', ')}</span> },
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
        if (url === '') return operation.setErrors({ url: 'is missing' })
        start(url, {
          url,
          name: String(values.get('name') ?? '').trim(),
          events: values.get('all') === 'on' ? ['*'] : values.getAll('events').map(String),
        })
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
        hint="Public https URL; the sandbox also accepts this machine"
      />
      <TextField label="Name" name="name" isOptional maxLength={200} error={errors.name} />
      <EventChoice error={errors.events && `The choice ${errors.events}.`} />
    </OperationDialog>
  )
}

/** An endpoint has 15 seconds to respond, and the console polls every few. */
const timeoutMs = 20 * secondMs
const readEveryMs = 2 * secondMs

/**
 * The result of the first ping of a webhook that was just added; `before` are the ids of the webhooks that existed
 * before it.
 */
function FirstPing({ url, before }: { url: string | null; before: readonly string[] }) {
  const environment = useEnvironment()
  const { data } = useQuery({ ...readQuery('readWebhooks', environment), refetchInterval: readEveryMs })
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), timeoutMs)
    return () => clearTimeout(timer)
  }, [])
  const added = data?.webhooks.findLast((webhook) => webhook.url === url && !before.includes(webhook.id))
  return <p className="mt-1 font-medium">{firstPingLabels(added ?? null, isLate)}</p>
}

/** The states that an unanswered ping leads to; one that the console does not know says nothing of pings. */
const failing: ReadonlySet<string> = new Set(['unhealthy', 'suspended', 'deleted'])

export function firstPingLabels(
  added: Pick<WebhookHealth, 'state' | 'status' | 'lastSuccessAtMs'> | null,
  isLate: boolean,
): string {
  if (added && failing.has(added.state)) {
    return 'The endpoint didn’t return 200 for the first ping. Nothing is delivered until it does; pings are retried automatically.'
  }
  const hasResponded =
    added && (added.lastSuccessAtMs !== null || (added.status !== null && added.status !== 'created'))
  if (hasResponded) return 'The endpoint returned 200 for the first ping. Events are delivered from now on.'
  return isLate ? 'The first ping is on its way; its result shows on the panel.' : 'Waiting for the first ping…'
}

/**
 * The result of the first ping of a webhook that was added in the last day, for its panel; null where it is unknown.
 */
export function firstPingFigure({
  isNew,
  state,
  lastSuccessAtMs,
  transitions,
}: Pick<WebhookHealth, 'isNew' | 'state' | 'lastSuccessAtMs' | 'transitions'>): { value: string; note: string } | null {
  if (!isNew || state === 'deleted') return null
  const wasUnwell = transitions.some(({ statusAfter }) => failing.has(statusAfter))
  if (lastSuccessAtMs === null && wasUnwell) return { value: 'Failed', note: 'not 200; retried automatically' }
  if (state !== 'healthy' || wasUnwell) return null
  return lastSuccessAtMs === null
    ? { value: 'Waiting', note: 'nothing is delivered before it' }
    : { value: 'Returned 200', note: 'events are delivered' }
}
