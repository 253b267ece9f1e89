'use client'

import { RecordDrawer } from '#components/environment/record-drawer.tsx'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { StatusBadge } from '#components/ui/badge.tsx'
import { type Facts, FactList } from '#components/ui/fact-list.tsx'
import { CopyButton, IdText } from '#components/ui/id-text.tsx'
import { Quoted } from '#components/ui/quoted.tsx'
import { TextLink } from '#components/ui/text-link.tsx'
import { Time } from '#components/ui/time.tsx'
import type { AuditDetail, AuditEntry, AuditRequest } from '#lib/audit/types.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { statedReason } from '#lib/shared/reasons.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'
import { actorName, actorRole, actLabel, outcomeTable, textLabels } from './audit-labels.ts'
import { AuditLimit, AuditTarget, AuditTargetDetail } from './audit-object.tsx'

/** One entry with all its details and the request that was sent. */
export function AuditDrawer({ openId, onClose }: { openId: number | null; onClose: () => void }) {
  const environment = useEnvironment()
  return (
    <RecordDrawer
      openId={openId}
      read={(shown) => readQuery('readAuditEntry', environment, String(shown))}
      what="The entry"
      renderTitle={(detail) => (detail ? actLabel(detail.entry.act) : `Entry ${openId ?? ''}`)}
      onClose={onClose}
    >
      {(detail) => <Detail detail={detail} />}
    </RecordDrawer>
  )
}

function Detail({ detail: { entry, request } }: { detail: AuditDetail }) {
  const environment = useEnvironment()
  const { requestId, operationId, details, facts } = entry
  return (
    <div className="grid gap-4">
      <FactList isFramed facts={toFacts(environment, entry)} />
      {request && <Request request={request} />}
      <Related entry={entry} />
      <FactList
        isFramed
        facts={[
          { label: 'Entry', value: entry.number },
          requestId && { label: 'Request', value: <IdText id={requestId} label="request ID" /> },
          details.consoleRequestId && {
            label: 'Request to Carddesk',
            value: <IdText id={details.consoleRequestId} label="request ID of Carddesk" />,
          },
          operationId && { label: 'Operation', value: <IdText id={operationId} label="operation ID" /> },
          facts.bodySha256 && {
            label: 'SHA-256 of the body',
            value: <IdText id={facts.bodySha256} label="SHA-256 of the body" />,
          },
          { label: 'Record hash', value: <IdText id={entry.hash} label="hash of the entry" /> },
        ]}
      />
    </div>
  )
}

/** Other entries of the same person and the same object. */
function Related({ entry: { by, target, operationId, requestId } }: { entry: AuditEntry }) {
  const environment = useEnvironment()
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1">
      {by && <TextLink href={routes.audit(environment, { by: by.id })}>All entries of {by.name}</TextLink>}
      {(operationId ?? requestId) !== null && (
        <TextLink href={routes.requests(environment, operationId ? { operationId } : { requestId })}>
          API requests
        </TextLink>
      )}
      {operationId !== null && (
        <TextLink href={routes.operation(environment, operationId)}>Operation and its checks</TextLink>
      )}
      {target && (
        <TextLink href={routes.audit(environment, { targetId: target.id })}>All entries of this item</TextLink>
      )}
    </p>
  )
}

function toFacts(environment: Environment, entry: AuditEntry): Facts {
  const { at, by, facts, outcome, code, reason, comment, details } = entry
  const stated = statedReason(reason)
  const own = textLabels[entry.act]
  return [
    {
      label: 'On',
      value: (
        <span className="wrap-anywhere">
          <AuditTarget entry={entry} /> <AuditTargetDetail entry={entry} />
        </span>
      ),
    },
    facts.limit && { label: 'Limit', value: <AuditLimit limit={facts.limit} /> },
    { label: 'Result', value: <StatusBadge {...outcomeTable[outcome]} /> },
    code && { label: 'Code', value: <span className="font-mono text-xs wrap-anywhere">{code}</span> },
    { label: 'User', value: by ? `${by.name}, ${actorRole(by)}` : actorName(by) },
    { label: 'Time', value: <Time instant={at} format="exact" isZoneShown /> },
    stated && { label: own?.reason ?? 'Reason', value: <span className="wrap-anywhere">{stated}</span> },
    comment && { label: own?.comment ?? 'Comment', value: own ? comment : <Quoted>{comment}</Quoted> },
    details.ipAddress && { label: 'IP address', value: details.ipAddress },
    details.linkExpiresAt && {
      label: 'Link valid until',
      value: <Time instant={details.linkExpiresAt} format="exact" isZoneShown />,
    },
  ]
}

/** The exact bytes: they wrap, and nothing of them is put in order. */
function Request({ request: { call, body, withheld } }: { request: AuditRequest }) {
  return (
    <section aria-labelledby="audit-request" className="min-w-0">
      <div className="flex items-center justify-between gap-2">
        <h3 id="audit-request" className="font-medium">
          Request
        </h3>
        <CopyButton text={body} label="the request" />
      </div>
      <p className="font-mono text-xs wrap-anywhere text-soft">{call}</p>
      {body === null ? (
        <p className="mt-1.5 text-soft">{withheld}</p>
      ) : (
        <pre className="mt-1.5 rounded-panel border bg-canvas px-3 py-2 font-mono text-xs wrap-anywhere whitespace-pre-wrap">
          {body}
        </pre>
      )}
    </section>
  )
}
