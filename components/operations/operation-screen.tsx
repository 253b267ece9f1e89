'use client'

import { AuditTrailLink } from '#components/audit/audit-trail-link.tsx'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { WhenRead } from '#components/environment/when-read.tsx'
import { useSentFacts } from '#components/payouts/sent-payout.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { type Facts, FactList } from '#components/ui/fact-list.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { Link } from '#components/ui/link.tsx'
import { Page } from '#components/ui/page.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { quietLink, TextLink } from '#components/ui/text-link.tsx'
import { Time } from '#components/ui/time.tsx'
import { findOperationDefinition } from '#lib/api/actions.ts'
import { roleName } from '#lib/auth/permissions.ts'
import type { SentPayout } from '#lib/console/payouts/types.ts'
import type { Operation } from '#lib/operations/types.ts'
import type { ReadResult } from '#lib/queries/reads.ts'
import { reasonText } from '#lib/shared/reasons.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'
import { OutcomeCallout, outcomeTitles, outcomeTones } from './outcome-text.tsx'
import { isMade, recordHref } from './record-href.ts'
import { SettleButtons } from './settle-buttons.tsx'
import { RequestText, TechnicalDetails } from './technical-details.tsx'
import { useAction } from './use-action.ts'

type OperationRecord = ReadResult<'readOperationRecord'>

/** One operation: its request, what each check found, and what a person can say of an open outcome. */
export function OperationScreen({ operationId }: { operationId: string }) {
  const query = useRead('readOperationRecord', operationId)
  return (
    <WhenRead query={query} what="The operation" blocks={['h-7 w-64', 'h-32', 'h-64']}>
      {(record) => <Detail record={record} />}
    </WhenRead>
  )
}

function Detail({ record }: { record: OperationRecord }) {
  const environment = useEnvironment()
  const { operation, payout, request } = record
  const { kind, target, by, createdAt, outcome } = operation
  const label = findOperationDefinition(kind)?.label ?? kind
  const above =
    kind === 'payout.submit'
      ? { label: 'Payouts', href: routes.payouts(environment) }
      : { label: 'Outcomes not known', href: routes.unsettled(environment) }
  return (
    <Page
      isDense
      title={target.label ?? label}
      badge={<Badge tone={outcomeTones[outcome.state]}>{outcomeTitles[outcome.state]}</Badge>}
      above={[above]}
      subtitle={
        <>
          {label}, by {by.name} ({roleName(by.role)}) <Time instant={createdAt} format="exact" isZoneShown />
        </>
      }
      actions={<AuditTrailLink operationId={operation.id} />}
    >
      <OutcomeNow operation={operation} />
      <div className="grid min-w-0 items-start gap-4 lg:grid-cols-2">
        <Panel title="Request">
          {payout ? <SentPayoutFacts payout={payout} /> : <FactList facts={sentFacts(environment, operation)} />}
        </Panel>
        <Checks record={record} />
      </div>
      <TechnicalDetails>
        {request.body === null ? (
          <p className="text-soft">{request.withheld}</p>
        ) : (
          <RequestText call={request.call}>{request.body}</RequestText>
        )}
        <FactList
          facts={[
            { label: 'Idempotency key', value: <IdText id={operation.id} label="operation ID" isWhole /> },
            payout && { label: 'Quote', value: <IdText id={payout.quoteId} label="quote ID" isWhole /> },
          ]}
        />
      </TechnicalDetails>
    </Page>
  )
}

function SentPayoutFacts({ payout }: { payout: SentPayout }) {
  return <FactList facts={useSentFacts(payout)} />
}

function sentFacts(environment: Environment, operation: Operation): Facts {
  const { id, kind, target, reason, comment } = operation
  const href = isMade(id, target) ? recordHref(environment, target) : null
  const label = target.label ?? target.id
  return [
    { label: 'Action', value: findOperationDefinition(kind)?.label ?? kind },
    { label: 'About', value: <TextLink href={href}>{label}</TextLink> },
    reason && { label: 'Reason', value: reasonText(reason) },
    comment && { label: 'Comment', value: comment },
  ]
}

/** The outcome as it is now; while it is open, what a person can do about it. */
function OutcomeNow({ operation }: { operation: Operation }) {
  const environment = useEnvironment()
  const { denied } = usePermissions()
  const { isPending, problem, run } = useAction()
  const { id, outcome, resultId, kind } = operation
  const row = findOperationDefinition(kind)
  if (outcome.state === 'done') {
    return (
      <Callout tone={outcome.remark ? 'warn' : 'good'} title={outcome.happened}>
        {resultId !== null && kind === 'payout.submit' && (
          <Link href={routes.payout(environment, resultId)} className={quietLink}>
            View payout
          </Link>
        )}
      </Callout>
    )
  }
  const permission = row?.needs ?? 'accounts.read'
  const verb = row?.creates ? 'made' : 'done'
  return (
    <>
      {problem && <OutcomeCallout outcome={problem} />}
      <OutcomeCallout
        outcome={outcome}
        actions={
          outcome.needsReview && (
            <SettleButtons
              verb={verb}
              isPending={isPending}
              unavailable={denied(permission)}
              onSettle={(resolution) => void run('resolveOperation', { operationId: id, resolution })}
            />
          )
        }
      />
    </>
  )
}

function Checks({ record: { operation, checks, givenXid } }: { record: OperationRecord }) {
  const { outcome, resultId, settledAt } = operation
  const isOpen = settledAt === null && outcome.state !== 'waiting'
  const given: Facts = [
    { label: 'ID', value: resultId ? <IdText id={resultId} label="ID of the new record" isWhole /> : 'None given' },
    { label: 'External ID', value: givenXid ?? 'None given' },
    ...(outcome.requestId
      ? [{ label: 'Request', value: <IdText id={outcome.requestId} label="request ID" isWhole /> }]
      : []),
  ]
  return (
    <div className="grid min-w-0 gap-4">
      <Panel title="What came back">
        <FactList facts={given} />
      </Panel>
      <Panel title="What each check found">
        {checks.length === 0 ? (
          <p className="text-soft">{isOpen ? 'Not checked yet.' : 'None.'}</p>
        ) : (
          <ol className="divide-y" aria-label="What each check found">
            {checks.toReversed().map(({ finding, from, to, times }) => (
              <li key={`${from} ${finding}`} className="py-1.5 first:pt-0 last:pb-0">
                <p className="wrap-anywhere">{finding}</p>
                <p className="text-xs text-soft">
                  <Time instant={from} format="exact" />
                  {times > 1 && (
                    <>
                      {' '}
                      to <Time instant={to} format="exact" />, {times} checks
                    </>
                  )}
                </p>
              </li>
            ))}
          </ol>
        )}
      </Panel>
    </div>
  )
}
