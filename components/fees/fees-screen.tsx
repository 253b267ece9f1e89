'use client'

import { HandCoins } from 'lucide-react'
import { useCallback, useMemo } from 'react'
import type { JobChoice } from '#components/bulk/job-dialog.tsx'
import { ChoiceBar } from '#components/data-table/choice-bar.tsx'
import { ListCoverage } from '#components/environment/as-of.tsx'
import { ListTable, ListFilters } from '#components/environment/list-parts.tsx'
import { ListViews } from '#components/environment/saved-views.tsx'
import { ServiceDays } from '#components/environment/service-days.tsx'
import { StatusTotalsPanel } from '#components/environment/status-totals.tsx'
import { useEnvironment, useMadeByService } from '#components/environment/use-environment.ts'
import { useList, type ListOf } from '#components/environment/use-list.tsx'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { ExportButton } from '#components/export/export-button.tsx'
import { FilterMenu } from '#components/filters/filter-menu.tsx'
import { FilterSelect } from '#components/filters/filter-select.tsx'
import { LinkedFilter } from '#components/filters/filter-toggle.tsx'
import { parseAsServiceId } from '#components/filters/filter-values.ts'
import { defineListParams } from '#components/filters/list-params.ts'
import { toOptions } from '#components/form/options.ts'
import { usePaletteCommands } from '#components/layout/commands.tsx'
import { transactionStatusEntry } from '#components/transactions/transaction-labels.ts'
import { Amount } from '#components/ui/amount.tsx'
import { Button } from '#components/ui/button.tsx'
import { matchText, formatCount } from '#components/ui/count.ts'
import { lazyDialog, useOpened } from '#components/ui/dialog.tsx'
import { ExcludedNote } from '#components/ui/excluded-note.tsx'
import { Page } from '#components/ui/page.tsx'
import { feeSearch } from '#lib/api/fees.ts'
import type { FeeList, FeeRow } from '#lib/console/fees/types.ts'
import { feeIntentTitle } from '#lib/contract/fee-intents.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { AccountFilter } from './account-filter.tsx'
import { isChoosable, useChosenFees, refundTotals } from './chosen-fees.ts'
import { feeColumns, hasOwnIntents } from './fee-columns.tsx'
import { feeLabel, countWaivable, selectionText, waiveText } from './fee-labels.ts'

/** `open` is the fee whose details are shown. */
const feeList = defineListParams(feeSearch, { open: parseAsServiceId })

const WaiveDialog = lazyDialog(() => import('./waive-dialog.tsx').then((file) => file.WaiveDialog))
const JobDialog = lazyDialog(() => import('#components/bulk/job-dialog.tsx').then((file) => file.JobDialog))
const FeeDrawer = lazyDialog(() => import('./fee-drawer.tsx').then((file) => file.FeeDrawer))

const names = { what: 'The fees', noun: 'fee', tableId: 'fees', caption: 'Fees' }

export function FeesScreen() {
  const environment = useEnvironment()
  const list = useList(feeList, (search) => readQuery('listFees', environment, search), names)
  const { params, setParams, isFiltered, search, filters, data } = list
  const { may } = usePermissions()
  const mayWaive = may.has('fees.waive')
  const chosen = useChosenFees(data?.fees, JSON.stringify(filters))
  const waiver = useOpened<{ row: FeeRow }>()
  const waivers = useOpened<JobChoice>()
  const isAll = chosen.kind === 'filter'
  const waive = (ids: string[] | null) => waivers.open({ kind: 'fee.waive', ids, filters })
  const waiveMatching = () => waive(null)
  const waiveChosen = () => waive(isAll ? null : [...chosen.rows.keys()])
  const madeByService = useMadeByService('charges fees')
  const isIntentShown = hasOwnIntents(data?.fees ?? [])
  const columns = useMemo(
    () => feeColumns(mayWaive ? waiver.open : undefined, isIntentShown),
    [mayWaive, waiver.open, isIntentShown],
  )
  const rowHref = useCallback(({ fee }: FeeRow) => feeList.href({ ...params, open: fee.id }), [params])
  useFeeCommands({
    mayWaive,
    chosen: chosen.kind === 'filter' ? 0 : chosen.rows.size,
    key: JSON.stringify([filters, [...chosen.selected]]),
    waiveChosen,
    waiveMatching,
  })
  // The totals of another filter say nothing of this one.
  const waivable = countWaivable(list.table.isRefreshing ? undefined : data?.totals)

  return (
    <Page
      isDense
      className="[&_:is(a,button,input)]:scroll-mb-24"
      title="Fees"
      actions={<ExportButton read="listFees" tableId="fees" search={search} />}
      subtitle={
        data && (
          <>
            {matchText(data.totals.matching, 'fee', isFiltered)} · <ListCoverage coverage={data.coverage} />
          </>
        )
      }
    >
      {data && (
        <StatusTotalsPanel totals={data.totals} noun={['fee']} net="Net of waived" toEntry={transactionStatusEntry} />
      )}
      <FeeFilterBar list={list} choices={data?.choices} columns={columns} />
      <ExcludedNote read={data?.coverage} />
      <ListTable
        list={list}
        unmatched="There may be others without them."
        coverage={data?.coverage}
        columns={columns}
        rows={data?.fees}
        rowId={({ fee }) => fee.id}
        rowHref={rowHref}
        total={data?.totals.matching}
        selection={
          mayWaive
            ? { selected: chosen.selected, onChange: chosen.choose, isChoosable, formatLabel: feeLabel }
            : undefined
        }
        none={{ title: 'No fees yet', body: madeByService ?? 'Fees appear here once they are charged.' }}
      />
      {mayWaive && (
        <ChoiceBar
          chosen={chosen}
          noun="fee"
          allText={selectionText(waivable)}
          isAllOffered={waivable !== null && waivable > 0}
          summary={
            isAll ? (
              <span className="text-xs text-soft">Check each one in the preview.</span>
            ) : (
              <Returned rows={chosen.rows.values()} />
            )
          }
        >
          <Button
            variant="primary"
            icon={<HandCoins aria-hidden="true" />}
            aria-haspopup="dialog"
            onClick={waiveChosen}
          >
            {waiveText(isAll ? waivable : chosen.rows.size)}
          </Button>
        </ChoiceBar>
      )}
      <FeeDrawer openId={params.open} mayWaive={mayWaive} onClose={() => void setParams({ open: null })} />
      {waiver.opened && <WaiveDialog key={waiver.opened.operationId} {...waiver.opened} />}
      {waivers.opened && <JobDialog key={waivers.opened.operationId} {...waivers.opened} onStarted={chosen.clear} />}
    </Page>
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
    label: `Waive ${formatCount(chosen, 'fee')} chosen`,
    onSelect: waiveChosen,
  }
  const forMatching = { id: 'fees-waive-matching', label: 'Waive all fees that can be waived', onSelect: waiveMatching }
  const offered = mayWaive ? [...(chosen > 0 ? [forChosen] : []), forMatching] : []
  usePaletteCommands(
    `${mayWaive} ${chosen} ${key}`,
    offered.map((command) => ({ ...command, group: 'Fees', icon: <HandCoins />, keywords: 'bulk' })),
  )
}

/** Refund per currency if the chosen fees are waived. */
function Returned({ rows }: { rows: Iterable<FeeRow> }) {
  return (
    <span className="flex flex-wrap items-baseline gap-x-3 text-soft">
      returns
      {refundTotals(rows).map(({ currency, amount, missing }) => (
        <span key={currency ?? ''}>
          <Amount amount={amount} currency={currency} isSigned tone="good" />
          {amount !== null && missing > 0 && (
            <span className="text-xs text-warn">
              {' '}
              excludes {formatCount(missing, 'fee')} without an amount or direction
            </span>
          )}
        </span>
      ))}
    </span>
  )
}

/** The statuses of the interface; the menu adds others that the URL has. */
const statusOptions = toOptions(['pending', 'posted', 'void'], (code) => transactionStatusEntry(code).label)

/** Every filter of the interface, a status and a text. */
function FeeFilterBar({
  list,
  choices = { intents: [], currencies: [] },
  columns,
}: {
  list: ListOf<typeof feeList>
  choices: FeeList['choices'] | undefined
  columns: ReturnType<typeof feeColumns>
}) {
  const { params, change, filter } = list
  return (
    <ListFilters
      list={list}
      views={<ListViews list="fees" columns={columns} />}
      search={{
        label: 'Search fees',
        placeholder: 'Account, description, ID',
        cardNumberAdvice: 'Search for the account’s name instead.',
        ...filter('q'),
      }}
    >
      <FilterMenu label="Status" {...filter('status')} options={statusOptions} />
      <AccountFilter chosen={params.accountId ?? []} onChange={(accountId) => change({ accountId })} />
      <FilterSelect label="Intent" {...filter('intent')} options={toOptions(choices.intents, feeIntentTitle)} />
      <FilterSelect label="Currency" {...filter('currency')} options={toOptions(choices.currencies)} />
      <ServiceDays params={params} onChange={change} />
      {/* The search finds both; these are in the links of other pages. */}
      <LinkedFilter label="External ID:" {...filter('xid')} text={(xid) => xid} />
      <LinkedFilter label="Fee ID:" {...filter('feeId')} />
    </ListFilters>
  )
}
