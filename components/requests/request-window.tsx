'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { type ReactNode, useState } from 'react'
import { WhenRead } from '#components/environment/when-read.tsx'
import { StatusCode } from '#components/lab/explorer/exchange-panels.tsx'
import { LoggedBody } from '#components/lab/explorer/logged-body.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import { type Fact, FactBox } from '#components/ui/fact-list.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { quietLink } from '#components/ui/link-style.ts'
import { Loading, Skeleton } from '#components/ui/skeleton.tsx'
import { Time } from '#components/ui/time.tsx'
import type { ServiceRequestDetail } from '#lib/console/requests/shapes.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'

/** One request with its bodies, as they may be stored. */
export function RequestWindow({
  environment,
  id,
  onClose,
}: {
  environment: Environment
  id: number | null
  onClose: () => void
}) {
  const [shown, setShown] = useState(id)
  if (id !== null && id !== shown) setShown(id)
  const request = useQuery({ ...readQuery('readRequest', environment, String(shown)), enabled: id !== null })
  const { data } = request
  return (
    <RequestDialog isOpen={id !== null} request={data} onClose={onClose}>
      <WhenRead
        query={request}
        what="The request"
        skeleton={
          <>
            <Loading what="the request" />
            <Skeleton className="h-72 w-full rounded-panel" />
          </>
        }
      >
        {(found) => <Detail environment={environment} request={found} />}
      </WhenRead>
    </RequestDialog>
  )
}

/** The window of a logged request; its method and path are the title. */
export function RequestDialog({
  isOpen,
  request,
  onClose,
  footer,
  children,
}: {
  isOpen: boolean
  request: { method: string; path: string } | undefined
  onClose: () => void
  footer?: ReactNode
  children: ReactNode
}) {
  return (
    <Dialog
      kind="drawer-end"
      isOpen={isOpen}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
      title={
        request ? (
          <span className="font-mono text-sm wrap-anywhere">
            {request.method} {request.path.split('?')[0]}
          </span>
        ) : (
          'Request'
        )
      }
      footer={footer}
    >
      {children}
    </Dialog>
  )
}

function Detail({ environment, request }: { environment: Environment; request: ServiceRequestDetail }) {
  const { requestBody, requestNote, responseBody, responseNote, operationId } = request
  return (
    <div className="grid gap-4">
      <FactBox facts={factsOf(request)} />
      {operationId !== null && (
        <p>
          <Link prefetch={false} href={routes.audit(environment, { operationId })} className={quietLink}>
            Audit entries of the operation
          </Link>
        </p>
      )}
      <LoggedBody title="Request body" text={requestBody} note={requestNote} />
      <LoggedBody title="Response body" text={responseBody} note={responseNote} />
    </div>
  )
}

function factsOf({ path, ...request }: ServiceRequestDetail): Fact[] {
  const { status, code, durationMs, attempts, at, requestId, consoleRequestId, operationId } = request
  const mono = (text: string) => <code className="font-mono text-xs wrap-anywhere">{text}</code>
  const query = path.split('?').slice(1).join('?')
  return [
    { label: 'Status', value: <StatusCode status={status} /> },
    ...(code === null ? [] : [{ label: 'Code', value: mono(code) }]),
    ...(query === '' ? [] : [{ label: 'Query', value: mono(query) }]),
    { label: 'Duration', value: `${durationMs} ms` },
    { label: 'Attempts', value: attempts },
    { label: 'Time', value: <Time instant={at} format="exact" isZoneShown /> },
    { label: 'Request ID', value: <IdText id={requestId} label="request ID" /> },
    ...(operationId === null ? [] : [{ label: 'Operation', value: <IdText id={operationId} label="operation ID" /> }]),
    ...(consoleRequestId === null
      ? []
      : [{ label: 'Request to Carddesk', value: <IdText id={consoleRequestId} label="request ID of Carddesk" /> }]),
  ]
}
