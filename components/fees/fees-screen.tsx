'use client'

import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import { DataTable } from '#components/data-table/data-table.tsx'
import { addressOfOpened } from '#components/data-table/table-params.ts'
import { useListParams } from '#components/data-table/use-list-params.ts'
import { AsOf } from '#components/environment/as-of.tsx'
import { tableRead } from '#components/environment/table-read.ts'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { ExportButton } from '#components/export/export-button.tsx'
import { IgnoredFilters } from '#components/filters/ignored-filters.tsx'
import { EntryTypeNote } from '#components/transactions/entry-type-note.tsx'
import { Button } from '#components/ui/button.tsx'
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
import { feeFilters, feeParams, type FeeParams, isNarrowed, noFeeFilters } from './fee-params.ts'
import { FeeTotals } from './fee-totals.tsx'
import { useFeeCommands } from './use-fee-commands.tsx'
import { useWaivers } from './use-waivers.tsx'

const FeeWindow = lazy(() => import('./fee-window.tsx').then(({ FeeWindow }) => ({ default: FeeWindow })))

export function FeesScreen({ environment }: { environment: Environment }) {
  const zone = usePageZone()
  const { params, setParams, change, toFirstPage } = useListParams(feeParams)
  const filters = feeFilters(params, zone)
  const list = useQuery(readQuery('listFees', environment, filters))
  const { data, isFetching, isPlaceholderData } = list
  const totals = useQuery(readQuery('readFeeTotals', environment, filters))
  const { may } = usePermissions(environment)
  const mayWaive = may.has('fees.waive')
  const { pageToken: _pageToken, ...filterAlone } = filters
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
  const isFiltered = isNarrowed(params)
  const clear = () => void setParams(noFeeFilters)
  // The totals of another filter say nothing of this one.
  const waivable = waivableOf(totals.isPlaceholderData ? undefined : totals.data)
  const matching = totals.data ? `${count.format(totals.data.fees)}${totals.data.isCut ? ' or more' : ''}` : null

  return (
    <div className="grid min-w-0 gap-4 [&_:is(a,button,input)]:scroll-mb-24">
      <PageHeader
        title="Fees"
        breadcrumbs={[{ label: 'Fees' }]}
        actions={<ExportButton environment={environment} list="fees" search={filters} />}
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
      <FeeFilterBar
        environment={environment}
        params={params}
        intents={totals.data?.intents ?? []}
        columns={columns}
        onChange={change}
        onClear={clear}
      />
      <IgnoredFilters parsers={feeParams} />
      <ExcludedNote read={data} />
      <DataTable
        tableId="fees"
        caption="Fees"
        columns={columns}
        rows={data?.fees}
        rowId={({ fee }) => fee.id}
        rowHref={({ fee }) => `?${addressOf(params, fee.id)}`}
        {...tableRead(list, { what: 'The fees', pageSize: 50, toFirstPage })}
        isRefreshing={isPlaceholderData || (isFetching && data === undefined)}
        total={totals.data?.isCut ? null : totals.data?.fees}
        selection={
          mayWaive ? { selected: chosen.selected, onChange: chosen.choose, isChoosable, labelOf: feeLabel } : undefined
        }
        empty={
          isFiltered
            ? {
                title: 'No fee matches these filters',
                body: 'There may be others without them.',
                actions: <Button onClick={clear}>Clear filters</Button>,
              }
            : { title: 'No fee has been charged', body: 'Fees appear here once the service charges them.' }
        }
      />
      {mayWaive && <ChoiceBar chosen={chosen} waivable={waivable} onWaive={waiveChosen} />}
      <EntryTypeNote />
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

/** The address of this very list with a fee opened; several accounts are one text there. */
function addressOf({ account, ...params }: FeeParams & { from: number }, open: string): string {
  return addressOfOpened({ ...params, account: account ? feeParams.account.serialize(account) : null }, open)
}
