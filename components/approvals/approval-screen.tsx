'use client'

import Link from 'next/link'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { WhenRead } from '#components/environment/when-read.tsx'
import { OutcomeCallout } from '#components/operations/outcome-text.tsx'
import { useAction } from '#components/operations/use-action.ts'
import { StatusBadge } from '#components/ui/badge.tsx'
import { ButtonLink } from '#components/ui/button-link.tsx'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { type Fact, FactList } from '#components/ui/fact-list.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { Page } from '#components/ui/page.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { quietLink } from '#components/ui/text-link.tsx'
import { RelativeTime, Time } from '#components/ui/time.tsx'
import { sendApproved } from '#lib/actions/console.ts'
import type { ApprovalDetail } from '#lib/console/approvals/shapes.ts'
import { policyTopics } from '#lib/console/desk/approvals/policy-rules.ts'
import { rowOfKind } from '#lib/console/desk/operations/kinds.ts'
import { roleNames } from '#lib/console/desk/permissions.ts'
import type { Operation } from '#lib/console/desk/shapes.ts'
import { formatAmount } from '#lib/shared/currency.ts'
import { reasonText } from '#lib/shared/reasons.ts'
import { routes } from '#lib/shared/routes.ts'
import { ApprovalActions } from './approval-actions.tsx'
import { approversText, targetHref, approvalStateTable } from './approval-labels.ts'

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
  const { by, topic, createdAt, state } = approval
  const title = `${policyTopics[topic].one} by ${by.name}`
  return (
    <Page
      isDense
      title={title}
      badge={<StatusBadge {...approvalStateTable[state]} />}
      above={[{ label: 'Approvals', href: routes.approvals(environment) }]}
      subtitle={
        <>
          Submitted by {by.name} ({roleNames[by.role]}) <Time instant={createdAt} format="date-time" isZoneShown />
        </>
      }
      actions={<ApprovalActions detail={detail} />}
    >
      {operation && <Result approvalId={approval.id} operation={operation} />}
      <div className="grid min-w-0 items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="grid min-w-0 gap-4">
          <EffectPanel detail={detail} />
          {approval.subject === 'bulk-job' ? <RowsPanel detail={detail} /> : <RequestPanel detail={detail} />}
        </div>
        <div className="grid min-w-0 gap-4">
          <DecisionPanel detail={detail} />
          <HistoryPanel detail={detail} />
        </div>
      </div>
    </Page>
  )
}

/** How the request ended that was approved. */
function Result({ approvalId, operation: { outcome, resultId } }: { approvalId: string; operation: Operation }) {
  const environment = useEnvironment()
  const { isPending, run } = useAction('approvals')
  if (outcome.state === 'waiting') return null
  if (outcome.state === 'done') {
    return (
      <Callout tone="good" title={outcome.happened}>
        {resultId && (
          <Link href={routes.payout(environment, resultId)} className={quietLink}>
            View payout
          </Link>
        )}
      </Callout>
    )
  }
  const isResendable = outcome.state === 'refused' && outcome.isSafeToRetry
  return (
    <OutcomeCallout
      outcome={outcome}
      actions={
        isResendable && (
          <Button
            isPending={isPending}
            onClick={() => void run((environment) => sendApproved({ environment, approvalId }))}
          >
            Send again
          </Button>
        )
      }
    />
  )
}

function EffectPanel({ detail }: { detail: ApprovalDetail }) {
  const environment = useEnvironment()
  const { approval, terms } = detail
  const { effect, reason, comment, because, target } = approval
  const href = targetHref(environment, approval)
  const label = target.label ?? target.id
  const money = (amount: string) => `${formatAmount(amount, terms?.sourceCurrency ?? null)} ${terms?.sourceCurrency}`
  const facts: Fact[] = [
    {
      label: 'About',
      value: href ? (
        <Link href={href} className={quietLink}>
          {label}
        </Link>
      ) : (
        label
      ),
    },
    ...(terms
      ? [
          {
            label: 'If the quote expires',
            value: `A new one is used. It may cost ${money(terms.maximumSourceAmount)} at most.`,
          },
        ]
      : []),
    {
      label: 'Reason',
      value:
        reason === null ? (
          'None given'
        ) : (
          <span className="first-letter:uppercase inline-block">{reasonText(reason)}</span>
        ),
    },
    ...(comment ? [{ label: 'Comment', value: comment }] : []),
    { label: 'Policy', value: because.join(' ') },
  ]
  return (
    <Panel title="Effect">
      <p className="mb-3 text-md wrap-anywhere">{effect}</p>
      <FactList facts={facts} />
    </Panel>
  )
}

/** The rows of a job are on its own page. */
function RowsPanel({ detail }: { detail: ApprovalDetail }) {
  const environment = useEnvironment()
  const { approval, fingerprint } = detail
  return (
    <Panel title="Rows" actions={<ButtonLink href={routes.bulkJob(environment, approval.id)}>View rows</ButtonLink>}>
      <FactList
        facts={[{ label: 'SHA-256', value: <IdText id={fingerprint} label="SHA-256 of the rows" isWhole /> }]}
      />
    </Panel>
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
  const digests: Fact[] = [
    ...(request.sha256
      ? [{ label: 'SHA-256', value: <IdText id={request.sha256} label="SHA-256 of the request" isWhole /> }]
      : []),
    ...(terms?.sha256
      ? [{ label: 'SHA-256 of the terms', value: <IdText id={terms.sha256} label="SHA-256 of the terms" isWhole /> }]
      : []),
    ...(holdsSecret
      ? [{ label: 'Keyed digest', value: <IdText id={fingerprint} label="keyed digest of the request" isWhole /> }]
      : []),
  ]
  return (
    <Panel title="Request" note={terms?.sentSha256 ? 'as sent with a newer quote' : 'exactly as it is sent'}>
      <div className="grid gap-3">
        <code className="font-mono text-xs wrap-anywhere">
          {request.method} {request.path}
        </code>
        <pre className="max-h-80 overflow-auto rounded-control border bg-hover/50 p-3 font-mono text-xs/5 wrap-anywhere whitespace-pre-wrap">
          {request.body}
        </pre>
        <FactList facts={digests} />
      </div>
    </Panel>
  )
}

function DecisionPanel({ detail }: { detail: ApprovalDetail }) {
  const { approval, approvers, isOwn } = detail
  const { state, expiresAt, decidedAt, decidedBy, decisionReason } = approval
  if (state === 'waiting') {
    return (
      <Panel title="Decision">
        <p>{approversText(approvers)}</p>
        {isOwn && <p className="text-soft">You can’t decide on your own request.</p>}
        <p className="text-soft">
          Expires <RelativeTime instant={expiresAt} /> (<Time instant={expiresAt} format="date-time" isZoneShown />
          ).
        </p>
      </Panel>
    )
  }
  return (
    <Panel title="Decision">
      <FactList
        facts={[
          { label: 'By', value: decidedBy ? `${decidedBy.name} (${roleNames[decidedBy.role]})` : 'The console' },
          { label: 'When', value: <Time instant={decidedAt} format="date-time" isZoneShown /> },
          ...(decisionReason ? [{ label: 'Reason', value: decisionReason }] : []),
        ]}
      />
    </Panel>
  )
}

const pastLabels = {
  done: 'done',
  partial: 'partly done',
  refused: 'refused',
  unknown: 'not confirmed yet',
  running: 'in progress',
  waiting: 'waiting',
} as const

function HistoryPanel({ detail: { history, approval } }: { detail: ApprovalDetail }) {
  const title = approval.target.type === 'payout' ? 'History of the funding account' : 'History'
  return (
    <Panel title={title}>
      {history.length === 0 ? (
        <p className="text-soft">No earlier actions.</p>
      ) : (
        <ul className="divide-y">
          {history.map(({ id, kind, by, createdAt, outcome, target }) => (
            <li key={id} className="py-1.5 first:pt-0 last:pb-0">
              <div className="flex flex-wrap justify-between gap-x-3">
                <span>
                  {rowOfKind(kind)?.label ?? kind}: {pastLabels[outcome.state]}
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
