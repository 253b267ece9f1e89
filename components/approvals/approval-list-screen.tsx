'use client'

import { ShieldCheck } from 'lucide-react'
import type { DataColumn } from '#components/data-table/data-column.ts'
import { DataTable } from '#components/data-table/data-table.tsx'
import { useListParams, useListRead } from '#components/environment/use-list.tsx'
import { FilterBar } from '#components/filters/filter-bar.tsx'
import { FilterSelect, optionsOf } from '#components/filters/filter-select.tsx'
import { IgnoredFilters } from '#components/filters/ignored-filters.tsx'
import { Amount } from '#components/ui/amount.tsx'
import { ButtonLink } from '#components/ui/button-link.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { usePageZone } from '#components/ui/page-zone.tsx'
import { RelativeTime, Time } from '#components/ui/time.tsx'
import type { Approval } from '#lib/console/approvals/shapes.ts'
import { policyTopics } from '#lib/console/desk/approvals/policy-rules.ts'
import { roleNames } from '#lib/console/desk/permissions.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'
import { ApprovalBadge } from './approval-badge.tsx'
import { approvalStateTable } from './approval-labels.ts'
import { approvalList } from './approval-params.ts'

const stateOptions = optionsOf(approvalStateTable)
const topicOptions = optionsOf(policyTopics)

const columns: DataColumn<Approval>[] = [
  {
    id: 'request',
    header: 'Request',
    cell: ({ topic }) => policyTopics[topic].one,
    below: ({ effect }) => <span className="line-clamp-1 wrap-anywhere">{effect}</span>,
  },
  { id: 'state', header: 'State', cell: ({ state }) => <ApprovalBadge state={state} /> },
  {
    id: 'amount',
    header: 'Amount',
    align: 'end',
    priority: 2,
    cell: ({ amount, currency }) =>
      amount === null ? <span className="text-faint">–</span> : <Amount amount={amount} currency={currency} />,
  },
  {
    id: 'by',
    header: 'Submitted by',
    priority: 2,
    cell: ({ by }) => <span className="wrap-anywhere">{by.name}</span>,
    below: ({ by }) => roleNames[by.role],
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

export function ApprovalListScreen({ environment }: { environment: Environment }) {
  const zone = usePageZone()
  const list = useListParams(approvalList)
  const { params, isFiltered, change, clearButton, toFirstPage } = list
  const { data, table } = useListRead(readQuery('listApprovals', environment, approvalList.searchOf(params, zone)), {
    what: 'The approvals',
    pageSize: 25,
    toFirstPage,
  })
  return (
    <div className="grid min-w-0 gap-4">
      <PageHeader
        title="Approvals"
        breadcrumbs={[{ label: 'Approvals' }]}
        subtitle="Requests that a second person decides, newest first"
        actions={<ButtonLink href={routes.policy(environment)}>View policy</ButtonLink>}
      />
      <FilterBar list={list}>
        <FilterSelect
          label="State"
          value={params.state}
          options={stateOptions}
          onChange={(state) => change({ state })}
        />
        <FilterSelect
          label="What"
          allLabel="anything"
          value={params.topic}
          options={topicOptions}
          onChange={(topic) => change({ topic })}
        />
      </FilterBar>
      <IgnoredFilters parsers={approvalList.parsers} />
      <DataTable
        tableId="approvals"
        caption="Approvals"
        columns={columns}
        rows={data?.approvals}
        rowId={({ id }) => id}
        rowHref={({ id }) => routes.approval(environment, id)}
        {...table}
        empty={
          isFiltered
            ? { title: 'No request matches these filters', actions: clearButton }
            : {
                title: 'No requests yet',
                icon: <ShieldCheck strokeWidth={1.5} />,
                body: 'Requests appear here when the policy asks for a second person.',
              }
        }
      />
    </div>
  )
}
