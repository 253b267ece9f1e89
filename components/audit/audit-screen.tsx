'use client'

import { parseAsInteger } from 'nuqs/server'
import { useState } from 'react'
import type { DataColumn } from '#components/data-table/data-column.ts'
import { ListFilters, ListTable } from '#components/environment/list-parts.tsx'
import { ListViews } from '#components/environment/saved-views.tsx'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { useList } from '#components/environment/use-list.tsx'
import { ExportButton } from '#components/export/export-button.tsx'
import { FilterDays } from '#components/filters/filter-days.tsx'
import { FilterSelect } from '#components/filters/filter-select.tsx'
import { FilterText } from '#components/filters/filter-text.tsx'
import { FilterToggle, LinkedFilter } from '#components/filters/filter-toggle.tsx'
import { defineListParams } from '#components/filters/list-params.ts'
import { tableOptions } from '#components/form/options.ts'
import { StatusBadge } from '#components/ui/badge.tsx'
import { lazyDialog } from '#components/ui/dialog.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { Page } from '#components/ui/page.tsx'
import { Time } from '#components/ui/time.tsx'
import { auditSearch } from '#lib/api/audit.ts'
import type { AuditEntry } from '#lib/audit/types.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { sameId, shortId } from '#lib/shared/ids.ts'
import { actLabel, actOptions, actorName, actorRole, outcomeTable, whyText } from './audit-labels.ts'
import { AuditLimit, AuditTarget, AuditTargetDetail, targetName } from './audit-object.tsx'

/** `open` is the number of the entry whose details are shown. */
const auditList = defineListParams(auditSearch, { open: parseAsInteger })

const AuditWindow = lazyDialog(() => import('./audit-drawer.tsx').then((file) => file.AuditDrawer))

const outcomeOptions = tableOptions(outcomeTable)

const names = { what: 'The audit log', noun: 'entry', tableId: 'audit', caption: 'Audit entries' }

export function AuditScreen() {
  const environment = useEnvironment()
  const list = useList(auditList, (search) => readQuery('listAudit', environment, search), names)
  const { params, setParams, change, filter, toggle, data } = list
  const { targetId, open } = params
  const people = useLoadedPeople(data?.entries)
  const target = data?.entries.find((entry) => sameId(entry.target?.id, targetId))?.target

  return (
    <Page
      isDense
      title="Audit"
      actions={<ExportButton read="listAudit" search={list.search} />}
      subtitle="All actions and refused attempts, newest first. Entries are chained and can’t be changed."
    >
      <ListFilters list={list} views={<ListViews list="audit" />} isGrid>
        <FilterSelect label="User" {...filter('by')} options={people} />
        <FilterSelect label="Action" {...filter('act')} options={actOptions} />
        <FilterSelect label="Result" {...filter('outcome')} options={outcomeOptions} />
        <FilterDays params={params} onChange={change} />
        <FilterText label="Object" placeholder="name, last four, ID" {...filter('object')} />
        <FilterText label="Request ID" isMono {...filter('requestId')} />
        <FilterToggle label="Same person, same object again" {...toggle('own', 'true')} />
        <LinkedFilter label="Operation:" {...filter('operationId')} />
        <LinkedFilter
          label="Object:"
          {...filter('targetId')}
          text={(id) => (target ? targetName(target) : shortId(id))}
        />
      </ListFilters>
      <ListTable
        list={list}
        columns={auditColumns}
        rows={data?.entries}
        rowId={({ number }) => String(number)}
        rowHref={({ number }) => auditList.href({ ...params, open: number })}
        none={{ title: 'No entries yet', body: 'Every action and refused attempt adds an entry.' }}
      />
      <AuditWindow openId={open} onClose={() => void setParams({ open: null })} />
    </Page>
  )
}

/**
 * The people of the entries loaded so far, by name, so that the filter still names them when it is set. Entries keep
 * the name a person had then: a person with two is listed once, by the newer.
 */
export function useLoadedPeople(entries: readonly AuditEntry[] | undefined): { value: string; label: string }[] {
  const [known, setKnown] = useState<Record<string, string>>({})
  const loaded = Object.fromEntries(entries?.toReversed().flatMap(({ by }) => (by ? [[by.id, by.name]] : [])) ?? [])
  if (Object.entries(loaded).some(([id, name]) => known[id] !== name)) setKnown({ ...known, ...loaded })
  return Object.entries(known)
    .map(([value, label]) => ({ value, label }))
    .toSorted((one, other) => one.label.localeCompare(other.label, 'en'))
}

/** Only where there is no room for the columns of their own. */
const narrowOnly = '@min-[40rem]:hidden'

export const auditColumns: DataColumn<AuditEntry>[] = [
  {
    id: 'at',
    header: 'Time',
    cell: ({ at }) => <Time instant={at} format="exact" className="text-soft" />,
    below: ({ number, by, outcome, code }) => (
      <>
        entry {number}
        <span className={narrowOnly}> · {actorName(by)}</span>
        <span className={`flex flex-wrap items-center gap-1 pb-1 ${narrowOnly}`}>
          <StatusBadge {...outcomeTable[outcome]} />
          <Code code={code} />
        </span>
      </>
    ),
  },
  {
    id: 'by',
    header: 'User',
    priority: 2,
    cell: ({ by }) => <span className="inline-block min-w-22 font-medium wrap-anywhere">{actorName(by)}</span>,
    below: ({ by }) => by && actorRole(by),
  },
  {
    id: 'act',
    header: 'Action',
    cell: (entry) => <What entry={entry} />,
    below: (entry) => <Why entry={entry} />,
  },
  {
    id: 'target',
    header: 'Object',
    priority: 2,
    cell: (entry) => <AuditTarget entry={entry} />,
    below: (entry) => <AuditTargetDetail entry={entry} />,
  },
  {
    id: 'outcome',
    header: 'Result',
    priority: 2,
    cell: ({ outcome }) => <StatusBadge {...outcomeTable[outcome]} />,
    below: ({ code }) =>
      code && (
        <span className="block pt-1">
          <Code code={code} />
        </span>
      ),
  },
  {
    id: 'request',
    header: 'Request',
    priority: 3,
    cell: ({ requestId }) => <IdText id={requestId} label="request ID" />,
  },
]

function What({ entry }: { entry: AuditEntry }) {
  const { act, target, facts } = entry
  return (
    <span className="block max-w-72 py-0.5">
      {actLabel(act)}
      {target && (
        <span className={`block ${narrowOnly}`}>
          <AuditTarget entry={entry} />
          <span className="block text-2xs text-faint">
            <AuditTargetDetail entry={entry} />
          </span>
        </span>
      )}
      {facts.limit && (
        <span className="block text-xs">
          <AuditLimit limit={facts.limit} />
        </span>
      )}
    </span>
  )
}

function Code({ code }: { code: string | null }) {
  return code === null ? null : <span className="font-mono wrap-anywhere">{code}</span>
}

function Why({ entry }: { entry: AuditEntry }) {
  const why = whyText(entry)
  return why === '' ? null : <span className="line-clamp-2 max-w-72 wrap-anywhere">{why}</span>
}
