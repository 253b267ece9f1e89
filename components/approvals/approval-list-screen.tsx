'use client'

import { ShieldCheck } from 'lucide-react'
import type { DataColumn } from '#components/data-table/data-column.ts'
import { ListFilters, ListTable } from '#components/environment/list-parts.tsx'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { useList } from '#components/environment/use-list.tsx'
import { FilterSelect } from '#components/filters/filter-select.tsx'
import { tableOptions } from '#components/form/options.ts'
import { pastOutcomes } from '#components/operations/outcome-text.tsx'
import { Amount } from '#components/ui/amount.tsx'
import { StatusBadge } from '#components/ui/badge.tsx'
import { ButtonLink } from '#components/ui/button-link.tsx'
import { Page } from '#components/ui/page.tsx'
import { RelativeTime, Time } from '#components/ui/time.tsx'
import { roleName } from '#lib/auth/permissions.ts'
import { approvalTopics } from '#lib/operations/approvals/policy-rules.ts'
import type { Approval } from '#lib/operations/approvals/types.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { routes } from '#lib/shared/routes.ts'
import { approvalStateTable, approvalList, requestTitle } from './approval-labels.ts'

const stateOptions = tableOptions(approvalStateTable)
const topicOptions = tableOptions(approvalTopics)

const columns: DataColumn<Approval>[] = [
  {
    id: 'request',
    header: 'Request',
    cell: (approval) => <span className="line-clamp-1 wrap-anywhere">{requestTitle(approval)}</span>,
    below: ({ topic }) => approvalTopics[topic].one,
  },
  {
    id: 'state',
    header: 'State',
    cell: ({ state }) => <StatusBadge {...approvalStateTable[state]} />,
    below: ({ outcome }) => <ApprovedOutcome outcome={outcome} />,
  },
  {
    id: 'amount',
    header: 'Amount',
    align: 'end',
    priority: 2,
    cell: ({ amount, currency, refunds }) =>
      refunds.length === 0
        ? amount && <Amount amount={amount} currency={currency} />
        : refunds.map(({ whole, currency: one }) => (
            <span key={one} className="block">
              <Amount amount={whole} currency={one} />
            </span>
          )),
    below: ({ executed }) =>
      executed && (
        <>
          debited <Amount {...executed} />
        </>
      ),
  },
  {
    id: 'by',
    header: 'Submitted by',
    priority: 2,
    cell: ({ by }) => <span className="wrap-anywhere">{by.name}</span>,
    below: ({ by, ticket }) => (ticket === null ? roleName(by.role) : `Help desk, ticket ${ticket}`),
  },
  {
    id: 'submitted',
    header: 'Submitted',
    priority: 3,
    cell: ({ createdAt }) => <Time instant={createdAt} className="text-soft" />,
  },
  {
    id: 'decided',
    header: 'Decided',
    priority: 3,
    cell: ({ state, decidedAt, expiresAt }) =>
      state === 'waiting' ? (
        <span className="text-soft">
          expires <RelativeTime instant={expiresAt} />
        </span>
      ) : (
        <Time instant={decidedAt} className="text-soft" />
      ),
    below: ({ decidedBy }) => decidedBy?.name,
  },
]

/** Said only where an approved request was not simply done. */
function ApprovedOutcome({ outcome }: Pick<Approval, 'outcome'>) {
  if (outcome === null || outcome === 'done') return null
  return <span className={outcome === 'running' ? undefined : 'text-warn'}>{pastOutcomes[outcome]}</span>
}

const names = { what: 'The approvals', noun: 'request', tableId: 'approvals', caption: 'Approvals', pageSize: 25 }

export function ApprovalListScreen() {
  const environment = useEnvironment()
  const list = useList(approvalList, (search) => readQuery('listApprovals', environment, search), names)
  const { data, filter } = list
  return (
    <Page
      isDense
      title="Approvals"
      subtitle="Requests that a second person decides, newest first"
      actions={<ButtonLink href={routes.policy(environment)}>View policy</ButtonLink>}
    >
      <ListFilters list={list}>
        <FilterSelect label="State" {...filter('state')} options={stateOptions} />
        <FilterSelect label="Action" {...filter('topic')} options={topicOptions} />
      </ListFilters>
      <ListTable
        list={list}
        columns={columns}
        rows={data?.approvals}
        rowId={({ id }) => id}
        rowHref={({ id }) => routes.approval(environment, id)}
        none={{
          title: 'No requests yet',
          icon: <ShieldCheck strokeWidth={1.5} />,
          body: 'Requests appear here when the policy asks for a second person.',
        }}
      />
    </Page>
  )
}
