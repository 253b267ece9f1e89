'use client'

import { useQuery } from '@tanstack/react-query'
import { HandCoins } from 'lucide-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { DataTable } from '#components/data-table/data-table.tsx'
import { AsOf } from '#components/environment/as-of.tsx'
import { useListParams, useListRead } from '#components/environment/use-list.tsx'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { ExportButton } from '#components/export/export-button.tsx'
import { IgnoredFilters } from '#components/filters/ignored-filters.tsx'
import { useOffer } from '#components/layout/offered-commands.tsx'
import { Amount } from '#components/ui/amount.tsx'
import { Button } from '#components/ui/button.tsx'
import { count } from '#components/ui/count.ts'
import { ExcludedNote } from '#components/ui/excluded-note.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { usePageZone } from '#components/ui/page-zone.tsx'
import { readQuery } from '#lib/queries/reads.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { isChoosable, useChosenFees, broughtBack } from './chosen-fees.ts'
import { feeColumns } from './fee-columns.tsx'
import { FeeFilterBar } from './fee-filter-bar.tsx'
import { feeLabel, waivableOf, feeCount, allLabels, type Waivable, waiveLabels } from './fee-labels.ts'
import { feeList } from './fee-params.ts'
import { FeeTotals } from './fee-totals.tsx'
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

/** Adds the commands of the list to the palette. `key` changes whenever the selection or the matching fees change. */
function useFeeCommands({
  mayWaive,
  chosen,
  key,
  waiveChosen,
  waiveMatching,
}: {
  mayWaive: boolean
  chosen: number
  key: string
  waiveChosen: () => void
  waiveMatching: () => void
}): void {
  const forChosen = {
    id: 'fees-waive-chosen',
    label: `Waive ${feeCount(chosen)} chosen`,
    onSelect: waiveChosen,
  }
  const forMatching = { id: 'fees-waive-matching', label: 'Waive all fees that can be waived', onSelect: waiveMatching }
  const offered = mayWaive ? [...(chosen > 0 ? [forChosen] : []), forMatching] : []
  useOffer(
    `${mayWaive} ${chosen} ${key}`,
    offered.map((command) => ({ ...command, group: 'Fees', icon: <HandCoins />, keywords: 'bulk' })),
  )
}

/**
 * The selected fees, the amount that waiving them returns, and the actions for them. It stays visible below the list.
 */
function ChoiceBar({
  chosen,
  waivable,
  onWaive,
}: {
  chosen: ReturnType<typeof useChosenFees>
  /** How many of what the filter matches can be waived. */
  waivable: Waivable
  onWaive: () => void
}) {
  const isAll = chosen.kind === 'filter'
  const isAny = isAll || chosen.rows.size > 0
  const all = allLabels(waivable)
  return (
    <>
      <output className="sr-only">{isAny ? (isAll ? `${all} selected` : `${chosen.rows.size} selected`) : ''}</output>
      {isAny && (
        <section
          aria-label="Selected fees"
          className="sticky bottom-3 z-20 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-panel border bg-raised px-4 py-2.5 shadow-raised"
        >
          <span className="font-medium">{isAll ? all : `${feeCount(chosen.rows.size)} selected`}</span>
          {isAll ? (
            <span className="text-xs text-soft">Check each one in the preview.</span>
          ) : (
            <span className="flex flex-wrap items-baseline gap-x-3 text-soft">
              returns
              {broughtBack(chosen.rows.values()).map(({ currency, amount, missing }) => (
                <span key={currency ?? ''}>
                  <Amount amount={amount} currency={currency} isSigned tone="good" />
                  {amount !== null && missing > 0 && (
                    <span className="text-xs text-warn"> excludes {feeCount(missing)} without an amount</span>
                  )}
                </span>
              ))}
            </span>
          )}
          <span className="ml-auto flex flex-wrap items-center gap-2">
            {!isAll && waivable !== null && waivable.fees > 0 && (
              <Button variant="quiet" onClick={chosen.chooseAll}>
                {all}
              </Button>
            )}
            <Button variant="quiet" onClick={chosen.clear}>
              Clear
            </Button>
            <Button variant="primary" icon={<HandCoins aria-hidden="true" />} aria-haspopup="dialog" onClick={onWaive}>
              {waiveLabels(isAll ? waivable : { fees: chosen.rows.size, newest: null })}
            </Button>
          </span>
        </section>
      )}
    </>
  )
}
