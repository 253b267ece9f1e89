'use client'

import { Plus } from 'lucide-react'
import { useMemo } from 'react'
import { DataTable } from '#components/data-table/data-table.tsx'
import { useListParams, useListRead } from '#components/environment/use-list.tsx'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { ExportButton } from '#components/export/export-button.tsx'
import { IgnoredFilters } from '#components/filters/ignored-filters.tsx'
import { ButtonLink } from '#components/ui/button-link.tsx'
import { Button } from '#components/ui/button.tsx'
import { count } from '#components/ui/count.ts'
import { ExcludedNote } from '#components/ui/excluded-note.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { usePageZone } from '#components/ui/page-zone.tsx'
import { Time } from '#components/ui/time.tsx'
import { onlyRoles } from '#lib/console/desk/permissions.ts'
import type { Coverage } from '#lib/console/desk/shapes.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'
import { payoutColumns } from './payout-columns.tsx'
import { PayoutFilterBar } from './payout-filter-bar.tsx'
import { payoutList } from './payout-params.ts'
import { PayoutTotals } from './payout-totals.tsx'

export function PayoutListScreen({ environment }: { environment: Environment }) {
  const zone = usePageZone()
  const list = useListParams(payoutList)
  const { params, isFiltered, toFirstPage } = list
  const { sourceCurrency, destinationCurrency } = params
  const filters = payoutList.searchOf(params, zone)
  const { data, table } = useListRead(readQuery('listPayouts', environment, filters), {
    what: 'The payouts',
    pageSize: 50,
    toFirstPage,
  })
  const columns = useMemo(
    () => payoutColumns({ sourceCurrency, destinationCurrency }),
    [sourceCurrency, destinationCurrency],
  )
  return (
    <div className="grid min-w-0 gap-4">
      <PageHeader
        title="Payouts"
        breadcrumbs={[{ label: 'Payouts' }]}
        subtitle={
          data && (
            <>
              {count.format(data.matching)} {isFiltered ? 'match' : data.matching === 1 ? 'payout' : 'payouts'} ·{' '}
              <PayoutCoverageText coverage={data.coverage} />
            </>
          )
        }
        actions={
          <>
            <ExportButton environment={environment} list="payouts" tableId="payouts" search={filters} />
            <NewPayout environment={environment} />
          </>
        }
      />
      <PayoutFilterBar environment={environment} list={list} offered={data?.offered} columns={columns} />
      <IgnoredFilters parsers={payoutList.parsers} />
      <ExcludedNote read={data?.coverage} />
      <DataTable
        tableId="payouts"
        caption="Payouts"
        columns={columns}
        rows={data?.payouts}
        rowId={({ id }) => id}
        rowHref={({ id }) => routes.payout(environment, id)}
        {...table}
        total={data?.matching}
        totals={data && <PayoutTotals payouts={data.payouts} matching={data.matching} totals={data.totals} />}
        empty={
          isFiltered
            ? {
                title: 'No payout matches these filters',
                body: 'A beneficiary’s name, an external id or a payout id can be searched for.',
                actions: list.clearButton,
              }
            : data?.coverage.isComplete === false
              ? {
                  title: 'No payout has been read yet',
                  body: 'The console is reading them from the service; they appear here by themselves.',
                }
              : {
                  title: 'There are no payouts yet',
                  body: 'Payouts that are submitted here or through the service appear by themselves.',
                }
        }
      />
    </div>
  )
}

function NewPayout({ environment }: { environment: Environment }) {
  const { role, may } = usePermissions(environment)
  if (role === undefined) return null
  if (!may.has('payouts.submit')) {
    return (
      <Button icon={<Plus />} unavailable={onlyRoles('payouts.submit')}>
        New payout
      </Button>
    )
  }
  return (
    <ButtonLink variant="primary" icon={<Plus />} href={routes.newPayout(environment)}>
      New payout
    </ButtonLink>
  )
}

/** States how complete and how old the list is, so that the total of a part is never shown as the whole. */
function PayoutCoverageText({ coverage }: { coverage: Coverage }) {
  const { isComplete, isReading, asOf } = coverage
  if (!isComplete) {
    return <>read so far{isReading ? ', still reading' : ''}; totals cover these only</>
  }
  return (
    <>
      as of <Time instant={asOf} format="time-seconds" isZoneShown /> or newer
    </>
  )
}
