import { useRead } from '#components/environment/use-environment.ts'
import { BodyText } from '#components/requests/exchange-parts.tsx'
import { FactList } from '#components/ui/fact-list.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import type { DeliveryAttempt } from './attempt-text.ts'

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
      <BodyText title="Sent" text={request?.body ?? null} missing="The body of this ping is not stored." />
      <BodyText
        title={response ? `Response, HTTP ${response.status}` : 'Response'}
        text={response?.body ?? null}
        missing={response ? 'The response had no body.' : 'The endpoint did not respond.'}
      />
    </div>
  )
}
