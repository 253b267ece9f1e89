'use client'

import { lazy, Suspense, useMemo, useState } from 'react'
import { DataTable } from '#components/data-table/data-table.tsx'
import { SavedViews } from '#components/environment/saved-views.tsx'
import { useListParams, useListRead } from '#components/environment/use-list.tsx'
import { ExportButton } from '#components/export/export-button.tsx'
import { FilterBar } from '#components/filters/filter-bar.tsx'
import { FilterDays } from '#components/filters/filter-days.tsx'
import { FilterSelect, optionsOf } from '#components/filters/filter-select.tsx'
import { FilterText } from '#components/filters/filter-text.tsx'
import { FilterToggle } from '#components/filters/filter-toggle.tsx'
import { IgnoredFilters } from '#components/filters/ignored-filters.tsx'
import { refuseCardNumber } from '#components/filters/refuse-card-number.ts'
import { PageHeader } from '#components/ui/page-header.tsx'
import { usePageZone } from '#components/ui/page-zone.tsx'
import type { AuditEntry } from '#lib/console/desk/shapes.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { sameId, shortId } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { auditColumns } from './audit-columns.tsx'
import { actOptions, outcomeTable } from './audit-labels.ts'
import { auditList } from './audit-params.ts'

const AuditWindow = lazy(() => import('./audit-window.tsx').then(({ AuditWindow }) => ({ default: AuditWindow })))

const outcomeOptions = optionsOf(outcomeTable)

export function AuditScreen({ environment }: { environment: Environment }) {
  const zone = usePageZone()
  const list = useListParams(auditList)
  const { params, setParams, isFiltered, change, clearButton, toFirstPage } = list
  const { by, act, outcome, targetId, operationId, requestId, own, open } = params
  const filters = auditList.searchOf(params, zone)
  const { data, table } = useListRead(readQuery('listAudit', environment, filters), {
    what: 'The audit trail',
    pageSize: 50,
    toFirstPage,
  })
  const columns = useMemo(() => auditColumns(environment), [environment])
  const people = useKnownPeople(data?.entries)
  const [wasOpened, setWasOpened] = useState(open !== null)
  if (open !== null && !wasOpened) setWasOpened(true)
  const targetLabel = data?.entries.find((entry) => sameId(entry.target?.id, targetId))?.target?.label

  return (
    <div className="grid min-w-0 gap-4">
      <PageHeader
        title="Audit"
        breadcrumbs={[{ label: 'Audit' }]}
        actions={<ExportButton environment={environment} list="audit" search={filters} />}
        subtitle="All actions and refused attempts, newest first. Entries are chained and cannot be changed."
      />
      <FilterBar list={list} columnChooser={<SavedViews environment={environment} list="audit" />}>
        <FilterSelect
          label="Who"
          allLabel="everyone"
          value={by}
          options={people}
          onChange={(value) => change({ by: value })}
        />
        <FilterSelect
          label="What"
          allLabel="anything"
          value={act}
          options={actOptions}
          onChange={(value) => change({ act: value })}
        />
        <FilterSelect
          label="Outcome"
          value={outcome}
          options={outcomeOptions}
          onChange={(value) => change({ outcome: value })}
        />
        <FilterDays params={params} onChange={change} />
        <FilterText
          label="Request ID"
          isMono
          value={requestId}
          problem={refuseCardNumber}
          onChange={(value) => change({ requestId: value })}
        />
        <FilterToggle
          label="Acted on own item"
          isOn={own !== null}
          onChange={(isOn) => change({ own: isOn ? 'true' : null })}
        />
        {operationId !== null && (
          <FilterToggle
            label={`Operation: ${shortId(operationId)}`}
            isOn
            onChange={() => change({ operationId: null })}
          />
        )}
        {targetId !== null && (
          <FilterToggle
            label={`On: ${targetLabel ?? shortId(targetId)}`}
            isOn
            onChange={() => change({ targetId: null })}
          />
        )}
      </FilterBar>
      <IgnoredFilters parsers={auditList.parsers} />
      <DataTable
        tableId="audit"
        caption="Audit entries"
        columns={columns}
        rows={data?.entries}
        rowId={({ number }) => String(number)}
        rowHref={({ number }) => auditList.href({ ...params, open: number })}
        {...table}
        empty={
          isFiltered
            ? { title: 'No entry matches these filters', actions: clearButton }
            : {
                title: 'Nothing has been done yet',
                body: 'Every action on a card adds an entry here.',
              }
        }
      />
      <Suspense fallback={null}>
        {wasOpened && (
          <AuditWindow environment={environment} number={open} onClose={() => void setParams({ open: null })} />
        )}
      </Suspense>
    </div>
  )
}

/** The people of the entries loaded so far, so that the filter still names them when it is set. */
function useKnownPeople(entries: readonly AuditEntry[] | undefined): { value: string; label: string }[] {
  const [known, setKnown] = useState<Record<string, string>>({})
  const added = entries?.flatMap(({ by }) => (by && known[by.id] !== by.name ? [[by.id, by.name] as const] : [])) ?? []
  if (added.length > 0) setKnown({ ...known, ...Object.fromEntries(added) })
  return Object.entries(known)
    .map(([value, label]) => ({ value, label }))
    .toSorted((one, other) => one.label.localeCompare(other.label, 'en'))
}
