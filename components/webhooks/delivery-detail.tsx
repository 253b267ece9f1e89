import type { ReactNode } from 'react'
import { useRead } from '#components/environment/use-environment.ts'
import { FactList } from '#components/ui/fact-list.tsx'
import { CopyButton, IdText } from '#components/ui/id-text.tsx'
import type { ReadResult } from '#lib/queries/reads.ts'
import { indentedJson } from '#lib/shared/json.ts'

type DeliveryAttempt = ReadResult<'listDeliveries'>['attempts'][number]

/** Request of one attempt, with its headers, and the endpoint's response. */
export function DeliveryDetail({ webhookId, attempt }: { webhookId: string; attempt: DeliveryAttempt }) {
  const { data, error } = useRead('readDelivery', webhookId, attempt.id)
  if (error && !data) return <p className="text-soft">Couldn’t read the attempt. {error.message}</p>
  if (!data) return <p className="text-soft">Loading…</p>
  const { request, response } = data
  return (
    <div className="grid gap-3">
      <FactList
        isFramed
        facts={[
          { label: 'Event ID', value: <IdText id={attempt.eventId} label="event ID" /> },
          ...Object.entries(request?.headers ?? {}).map(([name, value]) => ({
            label: name,
            value: <span className="font-mono wrap-anywhere">{value}</span>,
          })),
        ]}
      />
      <Text title="Sent" text={request?.body ?? null}>
        The body of this ping is not stored.
      </Text>
      <Text title={response ? `Response, HTTP ${response.status}` : 'Response'} text={response?.body ?? null}>
        {response ? 'The response had no body.' : 'The endpoint did not respond.'}
      </Text>
    </div>
  )
}

/** A text of HTTP, or the sentence of its absence. */
function Text({ title, text, children }: { title: string; text: string | null; children: ReactNode }) {
  return (
    <section className="min-w-0">
      <div className="flex items-center gap-1">
        <h3 className="font-medium">{title}</h3>
        <CopyButton text={text} label={title.toLowerCase()} />
      </div>
      {text === null ? (
        <p className="text-soft">{children}</p>
      ) : (
        <pre className="mt-1 max-h-80 overflow-y-auto rounded-panel border bg-sunken p-3 font-mono text-xs wrap-anywhere whitespace-pre-wrap">
          {indentedJson(text)}
        </pre>
      )}
    </section>
  )
}
