'use client'

import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import { DataTable } from '#components/data-table/data-table.tsx'
import { AsOf } from '#components/environment/as-of.tsx'
import { useListParams, useListRead } from '#components/environment/use-list.tsx'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { ExportButton } from '#components/export/export-button.tsx'
import { IgnoredFilters } from '#components/filters/ignored-filters.tsx'
import { count } from '#components/ui/count.ts'
import { ExcludedNote } from '#components/ui/excluded-note.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { usePageZone } from '#components/ui/page-zone.tsx'
import { readQuery } from '#lib/queries/reads.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { ChoiceBar } from './choice-bar.tsx'
import { isChoosable, useChosenFees } from './chosen-fees.ts'
import { feeColumns } from './fee-columns.tsx'
import { FeeFilterBar } from './fee-filter-bar.tsx'
import { feeLabel, waivableOf } from './fee-labels.ts'
import { feeList } from './fee-params.ts'
import { FeeTotals } from './fee-totals.tsx'
import { useFeeCommands } from './use-fee-commands.tsx'
import { useWaivers } from './use-waivers.tsx'

const FeeWindow = lazy(() => import('./fee-window.tsx').then(({ FeeWindow }) => ({ default: FeeWindow })))

export function FeesScreen({ environment }: { environment: Environment }) {
  const zone = usePageZone()
  const list = useListParams(feeList)
  const { params, setParams, isFiltered, toFirstPage } = list
  const filters = feeList.searchOf(params, zone)
  const { pageToken: _pageToken, ...filterAlone } = filters
  const { data, table } = useListRead(readQuery('listFees', environment, filters), {
    what: 'The fees',
    pageSize: 50,
    toFirstPage,
  })
  const totals = useQuery(readQuery('readFeeTotals', environment, filterAlone))
  const { may } = usePermissions(environment)
  const mayWaive = may.has('fees.waive')
  const chosen = useChosenFees(data?.fees, JSON.stringify(filterAlone))
  const { waiveOne, waiveMany, dialog } = useWaivers(environment, chosen.clear)
  const waiveChosen = () => waiveMany(chosen.kind === 'filter' ? null : [...chosen.rows.keys()], filterAlone)
  const columns = useMemo(
    () => feeColumns(environment, mayWaive ? waiveOne : undefined),
    [environment, mayWaive, waiveOne],
  )
  useFeeCommands({
    mayWaive,
    chosen: chosen.kind === 'filter' ? 0 : chosen.rows.size,
    key: JSON.stringify([filterAlone, [...chosen.selected]]),
    waiveChosen,
    waiveMatching: () => waiveMany(null, filterAlone),
  })
  const [wasOpened, setWasOpened] = useState(params.open !== null)
  if (params.open !== null && !wasOpened) setWasOpened(true)
  // The totals of another filter say nothing of this one.
  const waivable = waivableOf(totals.isPlaceholderData ? undefined : totals.data)
  const matching = totals.data ? `${count.format(totals.data.fees)}${totals.data.isCut ? ' or more' : ''}` : null

  return (
    <div className="grid min-w-0 gap-4 [&_:is(a,button,input)]:scroll-mb-24">
      <PageHeader
        title="Fees"
        breadcrumbs={[{ label: 'Fees' }]}
        actions={<ExportButton environment={environment} list="fees" tableId="fees" search={filters} />}
        subtitle={
          data && (
            <>
              {matching !== null && `${matching} ${isFiltered ? 'match' : totals.data?.fees === 1 ? 'fee' : 'fees'} · `}
              newest first, <AsOf freshness={data.freshness} />
            </>
          )
        }
      />
      <FeeTotals totals={totals.data} error={totals.error} />
      <FeeFilterBar environment={environment} list={list} intents={totals.data?.intents ?? []} columns={columns} />
      <IgnoredFilters parsers={feeList.parsers} />
      <ExcludedNote read={data} />
      <DataTable
        tableId="fees"
        caption="Fees"
        columns={columns}
        rows={data?.fees}
        rowId={({ fee }) => fee.id}
        rowHref={({ fee }) => feeList.href({ ...params, open: fee.id })}
        {...table}
        total={totals.data?.isCut ? null : totals.data?.fees}
        selection={
          mayWaive ? { selected: chosen.selected, onChange: chosen.choose, isChoosable, labelOf: feeLabel } : undefined
        }
        empty={
          isFiltered
            ? {
                title: 'No fee matches these filters',
                body: 'There may be others without them.',
                actions: list.clearButton,
              }
            : { title: 'No fee has been charged', body: 'Fees appear here once the service charges them.' }
        }
      />
      {mayWaive && <ChoiceBar chosen={chosen} waivable={waivable} onWaive={waiveChosen} />}
      <Suspense fallback={null}>
        {wasOpened && (
          <FeeWindow
            environment={environment}
            feeId={params.open}
            mayWaive={mayWaive}
            seesAudit={may.has('audit.read')}
            onClose={() => void setParams({ open: null })}
          />
        )}
      </Suspense>
      {dialog}
    </div>
  )
}
