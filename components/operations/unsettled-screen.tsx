'use client'

import { CircleCheck } from 'lucide-react'
import type { DataColumn } from '#components/data-table/data-column.ts'
import { ListFilters, ListTable } from '#components/environment/list-parts.tsx'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { useList } from '#components/environment/use-list.tsx'
import { FilterSelect } from '#components/filters/filter-select.tsx'
import { FilterToggle, LinkedFilter } from '#components/filters/filter-toggle.tsx'
import { defineListParams } from '#components/filters/list-params.ts'
import { toOptions } from '#components/form/options.ts'
import { count as counts } from '#components/ui/count.ts'
import { Page } from '#components/ui/page.tsx'
import { Time } from '#components/ui/time.tsx'
import { findOperationDefinition, operationDefinition, operationKinds } from '#lib/api/actions.ts'
import { unsettledSearch } from '#lib/api/operations.ts'
import type { Operation } from '#lib/operations/types.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { shortId } from '#lib/shared/ids.ts'
import { routes } from '#lib/shared/routes.ts'

const unsettledList = defineListParams(unsettledSearch)

const kindOptions = toOptions(operationKinds, (code) => operationDefinition(code).label)

const columns: DataColumn<Operation>[] = [
  {
    id: 'operation',
    header: 'Action',
    cell: ({ kind, target }) => (
      <span className="line-clamp-2 min-w-28 wrap-anywhere">
        {target.label ?? `${findOperationDefinition(kind)?.noun} ${shortId(target.id)}`}
      </span>
    ),
    below: ({ kind }) => findOperationDefinition(kind)?.label ?? kind,
  },
  {
    id: 'finding',
    header: 'Last check',
    priority: 2,
    cell: ({ outcome: { finding } }) => <span className="text-soft">{finding?.text ?? 'Not checked yet.'}</span>,
    below: ({ outcome: { finding } }) => finding && <Time instant={finding.at} format="time-seconds" />,
  },
  { id: 'by', header: 'By', priority: 2, cell: ({ by }) => <span className="wrap-anywhere">{by.name}</span> },
  { id: 'sent', header: 'Sent', cell: ({ createdAt }) => <Time instant={createdAt} className="text-soft" /> },
]

const names = {
  what: 'The operations',
  noun: 'operation',
  tableId: 'operations',
  caption: 'Operations whose outcome is not known',
  pageSize: 25,
}

/** Everything that was sent and whose outcome is not known. */
export function UnsettledScreen() {
  const environment = useEnvironment()
  const list = useList(unsettledList, (search) => readQuery('listUnsettled', environment, search), names)
  const { data, filter, toggle } = list
  return (
    <Page
      isDense
      title="Outcomes not known"
      subtitle={data?.count ? `${counts.format(data.count)} sent and not confirmed.` : undefined}
    >
      <ListFilters list={list}>
        <FilterSelect label="Action" {...filter('kind')} options={kindOptions} />
        <FilterToggle label="Sent by me" {...toggle('by', 'me')} />
        <LinkedFilter label="About" {...filter('about')} />
      </ListFilters>
      <ListTable
        list={list}
        columns={columns}
        rows={data?.operations}
        rowId={({ id }) => id}
        rowHref={({ id }) => routes.operation(environment, id)}
        none={{
          title: 'Every outcome is known',
          icon: <CircleCheck strokeWidth={1.5} />,
          body: 'Actions that are sent and not confirmed appear here.',
        }}
      />
    </Page>
  )
}
