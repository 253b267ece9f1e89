'use client'

import { RecordDrawer } from '#components/environment/record-drawer.tsx'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { FactList, type Facts } from '#components/ui/fact-list.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { TextLink } from '#components/ui/text-link.tsx'
import { Time } from '#components/ui/time.tsx'
import type { ServiceRequestDetail } from '#lib/console/requests/types.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { routes } from '#lib/shared/routes.ts'
import { LoggedBody, StatusCode } from './exchange-parts.tsx'

/** One request with its bodies, as they may be stored. */
export function RequestDrawer({ openId, onClose }: { openId: number | null; onClose: () => void }) {
  const environment = useEnvironment()
  return (
    <RecordDrawer
      openId={openId}
      read={(shown) => readQuery('readRequest', environment, String(shown))}
      what="The request"
      renderTitle={(request) => <RequestTitle request={request} />}
      onClose={onClose}
    >
      {(request) => <Detail request={request} />}
    </RecordDrawer>
  )
}

/** The method and the path of a logged request. */
export function RequestTitle({ request }: { request: { method: string; path: string } | undefined }) {
  if (!request) return <>Request</>
  return (
    <span className="font-mono text-sm wrap-anywhere">
      {request.method} {request.path.split('?')[0]}
    </span>
  )
}

function Detail({ request }: { request: ServiceRequestDetail }) {
  const environment = useEnvironment()
  const { requestBody, requestNote, responseBody, responseNote, operationId } = request
  return (
    <div className="grid gap-4">
      <FactList isFramed facts={toFacts(request)} />
      {operationId !== null && (
        <p>
          <TextLink href={routes.audit(environment, { operationId })}>Audit entries of the operation</TextLink>
        </p>
      )}
      <LoggedBody title="Request body" text={requestBody} note={requestNote} />
      <LoggedBody title="Response body" text={responseBody} note={responseNote} />
    </div>
  )
}

function toFacts({ path, ...request }: ServiceRequestDetail): Facts {
  const { status, code, durationMs, attempts, at, requestId, consoleRequestId, operationId } = request
  const mono = (text: string) => <code className="font-mono text-xs wrap-anywhere">{text}</code>
  const query = path.split('?').slice(1).join('?')
  return [
    { label: 'Status', value: <StatusCode status={status} /> },
    code && { label: 'Code', value: mono(code) },
    query && { label: 'Query', value: mono(query) },
    { label: 'Duration', value: `${durationMs} ms` },
    { label: 'Attempts', value: attempts },
    { label: 'Time', value: <Time instant={at} format="exact" isZoneShown /> },
    { label: 'Request ID', value: <IdText id={requestId} label="request ID" /> },
    operationId && { label: 'Operation', value: <IdText id={operationId} label="operation ID" /> },
    consoleRequestId && {
      label: 'Request to Carddesk',
      value: <IdText id={consoleRequestId} label="request ID of Carddesk" />,
    },
  ]
}
