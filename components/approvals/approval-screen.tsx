'use client'

import { Suspense } from 'react'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { WhenRead } from '#components/environment/when-read.tsx'
import { OutcomeCallout, pastOutcomes } from '#components/operations/outcome-text.tsx'
import { recordHref } from '#components/operations/record-href.ts'
import { RequestText, TechnicalDetails } from '#components/operations/technical-details.tsx'
import { useAction } from '#components/operations/use-action.ts'
import { useSentFacts } from '#components/payouts/sent-payout.tsx'
import { SimilarPayouts } from '#components/payouts/similar-payouts.tsx'
import { Amount } from '#components/ui/amount.tsx'
import { StatusBadge } from '#components/ui/badge.tsx'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { type Facts, FactList } from '#components/ui/fact-list.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { lazyPart } from '#components/ui/lazy-part.ts'
import { NotProvided } from '#components/ui/not-provided.tsx'
import { Page } from '#components/ui/page.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Skeleton } from '#components/ui/skeleton.tsx'
import { TextLink } from '#components/ui/text-link.tsx'
import { RelativeTime, Time } from '#components/ui/time.tsx'
import { findOperationDefinition } from '#lib/api/actions.ts'
import { roleName } from '#lib/auth/permissions.ts'
import type { SentPayout } from '#lib/console/payouts/types.ts'
import { isLess } from '#lib/contract/exact-sum.ts'
import { approvalTopics, decidingPermissions } from '#lib/operations/approvals/policy-rules.ts'
import type { ApprovalDetail } from '#lib/operations/approvals/types.ts'
import type { Operation } from '#lib/operations/types.ts'
import { moneyText } from '#lib/shared/currency.ts'
import { reasonText } from '#lib/shared/reasons.ts'
import { routes } from '#lib/shared/routes.ts'
import { ApprovalActions } from './approval-actions.tsx'
import { approversText, effectText, targetHref, requestTitle, toApprovalBadge } from './approval-labels.ts'

const RequestedRows = lazyPart(() => import('./requested-rows.tsx').then((file) => file.RequestedRows))

export function ApprovalScreen({ approvalId }: { approvalId: string }) {
  const query = useRead('readApproval', approvalId)
  return (
    <WhenRead query={query} what="The request" blocks={['h-7 w-64', 'h-48', 'h-64']}>
      {(detail) => <Detail detail={detail} />}
    </WhenRead>
  )
}

function Detail({ detail }: { detail: ApprovalDetail }) {
  const environment = useEnvironment()
  const { approval, operation } = detail
  const { by, topic, createdAt } = approval
  const isJob = approval.subject === 'bulk-job'
  return (
    <Page
      isDense
      title={requestTitle(approval)}
      badge={<StatusBadge {...toApprovalBadge(approval)} />}
      above={[{ label: 'Approvals', href: routes.approvals(environment) }]}
      subtitle={
        <>
          {approvalTopics[topic].one}, submitted by {by.name} {by.role && `(${roleName(by.role)}) `}
          <Time instant={createdAt} isZoneShown />
        </>
      }
      actions={<ApprovalActions detail={detail} />}
    >
      <SimilarPayouts similar={detail.similar} />
      {detail.obstacle && (
        <Callout tone="warn" title={detail.obstacle}>
          Approving the request would change nothing.
        </Callout>
      )}
      {operation && <Result detail={detail} operation={operation} />}
      <div className="grid min-w-0 items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="grid min-w-0 gap-4">
          <EffectPanel detail={detail} />
          {detail.payout && <PayoutPanel payout={detail.payout} approval={approval} />}
          {!isJob && <RequestPanel detail={detail} />}
        </div>
        <div className="grid min-w-0 gap-4">
          <DecisionPanel detail={detail} />
          {!isJob && <HistoryPanel detail={detail} />}
        </div>
      </div>
      {isJob && (
        <>
          <Suspense fallback={<Skeleton className="h-48" />}>
            <RequestedRows jobId={approval.id} />
          </Suspense>
          <RowsDigest fingerprint={detail.fingerprint} />
        </>
      )}
    </Page>
  )
}

/** How the request ended that was approved. */
function Result({ detail, operation }: { detail: ApprovalDetail; operation: Operation }) {
  const environment = useEnvironment()
  const { denied } = usePermissions()
  const { isPending, problem, run } = useAction()
  const { id: approvalId, kind, target, outcome, resultId } = operation
  if (outcome.state === 'waiting') return null
  if (outcome.state === 'done') {
    return (
      <Callout tone={outcome.remark ? 'warn' : 'good'} title={outcome.happened}>
        {resultId && (
          <TextLink href={recordHref(environment, { ...target, id: resultId })}>
            View {findOperationDefinition(kind)?.noun ?? 'record'}
          </TextLink>
        )}
      </Callout>
    )
  }
  const isResendable = outcome.state === 'refused' && outcome.isSafeToRetry
  const isOthers = !detail.isOwn && denied(decidingPermissions[detail.approval.topic]) !== undefined
  return (
    <>
      {problem && <OutcomeCallout outcome={problem} />}
      <OutcomeCallout
        outcome={outcome}
        actions={
          isResendable && (
            <Button
              isPending={isPending}
              unavailable={isOthers ? 'Only its maker or an approver can send it again.' : undefined}
              onClick={() => void run('sendApproved', { approvalId })}
            >
              Send again
            </Button>
          )
        }
      />
    </>
  )
}

function EffectPanel({ detail }: { detail: ApprovalDetail }) {
  const environment = useEnvironment()
  const { approval, operation, terms, cardholder } = detail
  const { reason, comment, because, target, by, ticket } = approval
  const href = targetHref(environment, approval)
  const isRefused = approval.outcome === 'refused' && !operation?.outcome.isSafeToRetry
  const isOff = isRefused || (approval.state !== 'waiting' && approval.state !== 'approved')
  const facts: Facts = [
    href &&
      approval.subject !== 'bulk-job' && {
        label: 'About',
        value: <TextLink href={href}>{target.label ?? target.id}</TextLink>,
      },
    cardholder !== target.label && cardholder && { label: 'Cardholder', value: cardholder },
    ticket && { label: 'Ticket', value: ticket },
    ticket && { label: 'Requested by', value: by.name },
    terms &&
      approval.state === 'approved' && {
        label: 'Approved at most',
        value: moneyText(terms.maximumSourceAmount, terms.sourceCurrency),
      },
    // A payout's reason and comment are its purpose and remarks, which are among its facts.
    !detail.payout && {
      label: 'Reason',
      value: reason ? <span className="first-letter:uppercase inline-block">{reasonText(reason)}</span> : 'None given',
    },
    !detail.payout && comment && { label: 'Comment', value: comment },
    // For a request from a ticket, the policy adds nothing to the ticket and its agent.
    !ticket && { label: 'Policy', value: because.join(' ') },
  ]
  return (
    <Panel title={isOff ? 'Effect it would have had' : 'Effect'} note={approval.executed && 'as approved'}>
      <p className="mb-3 text-md wrap-anywhere">{effectText(detail)}</p>
      {approval.executed && (
        <p className="mb-3 text-md">
          The quote had expired: <Amount {...approval.executed} /> was debited.{' '}
          <Amount amount={approval.amount} currency={approval.currency} /> was approved.
        </p>
      )}
      <FactList facts={facts} />
    </Panel>
  )
}

/** Facts for the checker, above the bytes of the request. */
function PayoutPanel({ payout, approval }: { payout: SentPayout; approval: ApprovalDetail['approval'] }) {
  const facts = useSentFacts(payout)
  const isWaiting = approval.state === 'waiting'
  return (
    <Panel title="Payout" note={approval.executed && 'as executed'}>
      <FactList facts={[...facts, isWaiting && { label: 'Available now', value: <AvailableNow payout={payout} /> }]} />
    </Panel>
  )
}

/** What the funding account of a payout that waits has, and whether it is enough. */
function AvailableNow({ payout: { accountId, sourceAmount, sourceCurrency } }: { payout: SentPayout }) {
  const { data, isPending } = useRead('listFundingAccounts')
  const account = data?.accounts.find(({ id }) => id === accountId)
  if (isPending) return <span className="text-soft">Reading…</span>
  if (!account) return <NotProvided />
  const { available, currency } = account
  const isShort = currency === sourceCurrency && isLess(available, sourceAmount)
  return (
    <span className={isShort ? 'text-warn' : undefined}>
      <Amount amount={available} currency={currency} />
      {isShort && ', less than the payout'}
    </span>
  )
}

/** Which rows the approval is for: their digest, folded. */
function RowsDigest({ fingerprint }: { fingerprint: string }) {
  return (
    <TechnicalDetails>
      <FactList
        facts={[{ label: 'SHA-256', value: <IdText id={fingerprint} label="SHA-256 of the rows" isWhole /> }]}
      />
    </TechnicalDetails>
  )
}

function RequestPanel({ detail }: { detail: ApprovalDetail }) {
  const { request, terms, holdsSecret, fingerprint } = detail
  if (!request) {
    return (
      <Panel title="Request">
        <p className="text-soft">The request isn’t stored any more.</p>
      </Panel>
    )
  }
  const digests: Facts = [
    request.sha256 && {
      label: 'SHA-256',
      value: <IdText id={request.sha256} label="SHA-256 of the request" isWhole />,
    },
    terms?.sha256 && {
      label: 'SHA-256 of the terms',
      value: <IdText id={terms.sha256} label="SHA-256 of the terms" isWhole />,
    },
    holdsSecret && {
      label: 'Keyed digest',
      value: <IdText id={fingerprint} label="keyed digest of the request" isWhole />,
    },
  ]
  return (
    <TechnicalDetails>
      <p className="text-soft">
        The request {terms?.sentSha256 ? 'as it was sent, with a newer quote' : 'exactly as it is sent'}
        {holdsSecret ? ', but for secrets and files' : ''}.
      </p>
      <RequestText call={`${request.method} ${request.path}`}>{request.body}</RequestText>
      <FactList facts={digests} />
    </TechnicalDetails>
  )
}

function DecisionPanel({ detail }: { detail: ApprovalDetail }) {
  const { may } = usePermissions()
  const { approval, approvers, isMaker } = detail
  const { state, expiresAt, decidedAt, decidedBy, decisionReason } = approval
  if (state === 'waiting') {
    return (
      <Panel title="Decision">
        <p>{!isMaker && may.has(decidingPermissions[approval.topic]) ? 'You can decide.' : approversText(approvers)}</p>
        {isMaker && <p className="text-soft">You can’t decide on your own request.</p>}
        <p className="text-soft">
          Expires <RelativeTime instant={expiresAt} /> (<Time instant={expiresAt} isZoneShown />
          ).
        </p>
      </Panel>
    )
  }
  return (
    <Panel title="Decision">
      <FactList
        facts={[
          { label: 'By', value: decidedBy ? `${decidedBy.name} (${roleName(decidedBy.role)})` : 'Carddesk' },
          { label: 'When', value: <Time instant={decidedAt} isZoneShown /> },
          decisionReason && { label: state === 'approved' ? 'Comment' : 'Reason', value: decisionReason },
        ]}
      />
    </Panel>
  )
}

/** By the type of the request's object: other requests about it are in its history, too. */
const historyTitles: Readonly<Record<string, string>> = {
  payout: 'History of the funding account',
  card: 'History of the card',
  cardaccount: 'History of the card account',
}

function HistoryPanel({ detail: { history, approval } }: { detail: ApprovalDetail }) {
  const title = historyTitles[approval.target.type] ?? 'History'
  return (
    <Panel title={title}>
      {history.length === 0 ? (
        <p className="text-soft">No earlier actions in Carddesk.</p>
      ) : (
        <ul className="divide-y">
          {history.map(({ id, kind, by, createdAt, outcome, target }) => (
            <li key={id} className="py-1.5 first:pt-0 last:pb-0">
              <div className="flex flex-wrap justify-between gap-x-3">
                <span>
                  {findOperationDefinition(kind)?.label ?? kind}: {pastOutcomes[outcome.state]}
                </span>
                <Time instant={createdAt} className="text-soft" />
              </div>
              <div className="text-xs text-soft wrap-anywhere">
                {[by.name, target.label].filter(Boolean).join(' · ')}
              </div>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
