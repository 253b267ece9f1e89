'use client'

import type { ComponentProps } from 'react'
import { accountTitle } from '#components/card-accounts/account-labels.ts'
import type { DataColumn } from '#components/data-table/data-column.ts'
import { DataTable } from '#components/data-table/data-table.tsx'
import { useListParams } from '#components/environment/use-list.tsx'
import { FilterSelect } from '#components/filters/filter-select.tsx'
import { Amount } from '#components/ui/amount.tsx'
import { StatusBadge } from '#components/ui/badge.tsx'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { count, formatCount } from '#components/ui/count.ts'
import { noValue } from '#components/ui/not-provided.tsx'
import { Time } from '#components/ui/time.tsx'
import type { LimitLine, LimitPreview } from '#lib/console/limits/types.ts'
import { shortId } from '#lib/shared/ids.ts'
import { isTenfold, LimitStart } from './limit-start.tsx'
import { limitLineList } from './limits-params.ts'

const pageSize = 50

const shown: Record<string, { label: string; has: (line: LimitLine) => boolean }> = {
  'left-out': { label: 'skipped', has: ({ problem }) => problem !== null },
  good: { label: 'with a new limit', has: ({ problem }) => problem === null },
  negative: { label: 'below what is owed', has: ({ isBelowOutstanding }) => isBelowOutstanding === true },
  tenfold: { label: 'more than ten times the limit now', has: isTenfold },
}

/** The effect of a file, line by line, and the form that starts it. */
export function LimitPreviewPanel(props: ComponentProps<typeof LimitStart>) {
  const { preview } = props
  const { params, change } = useListParams(limitLineList)
  const { lines, ignoredColumns, asOf } = preview
  const options = Object.entries(shown).map(([value, { label, has }]) => ({
    value,
    label: `${label} (${count.format(lines.filter(has).length)})`,
  }))
  const filter = params.lines === null ? null : shown[params.lines]
  const matching = filter ? lines.filter(filter.has) : lines
  const offset = Number(params.pageToken ?? 0)
  const first = Number.isInteger(offset) && offset > 0 && offset < matching.length ? offset : 0
  const show = (chosen: string | null) => change({ lines: chosen })
  return (
    <section aria-label="What the file would do" className="grid min-w-0 gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 className="text-md font-semibold">{formatHeadline(preview)}</h2>
        {asOf && (
          <span className="text-soft">
            figures as of <Time instant={asOf} format="time-seconds" isZoneShown /> or newer
          </span>
        )}
      </div>
      {ignoredColumns.length > 0 && (
        <Callout tone="info" title={ignoredColumns.length === 1 ? 'A column is ignored:' : 'Columns are ignored:'}>
          <span className="wrap-anywhere">{ignoredColumns.map((name) => name.slice(0, 40)).join(', ')}.</span>
        </Callout>
      )}
      <fieldset className="flex min-w-0 flex-wrap items-center gap-2">
        <legend className="sr-only">Lines shown</legend>
        <FilterSelect label="Lines" value={params.lines} options={options} onChange={show} />
      </fieldset>
      <DataTable
        tableId="limit-lines"
        caption="Lines of the file"
        columns={limitLineColumns}
        rows={matching.slice(first, first + pageSize)}
        rowId={({ line }) => String(line)}
        total={matching.length}
        paging={{
          prevPageToken: first > 0 ? String(Math.max(0, first - pageSize)) : null,
          nextPageToken: first + pageSize < matching.length ? String(first + pageSize) : null,
          pageSize,
        }}
        empty={{ title: 'No lines to show', actions: <Button onClick={() => show(null)}>Show all lines</Button> }}
      />
      <LimitStart {...props} />
    </section>
  )
}

function formatHeadline({ accounts, leftOut, lines }: LimitPreview): string {
  const set = formatCount(accounts, 'account gets a new limit', 'accounts get a new limit')
  if (leftOut === 0) return set
  const of = `${count.format(leftOut)} of ${formatCount(lines.length, 'line')}`
  return accounts === 0 ? `No account gets a new limit: ${of} skipped` : `${set}, ${of} skipped`
}

function NewLimit({ line: { limitNew, account, problem } }: { line: LimitLine }) {
  return account && problem === null ? (
    <Amount amount={limitNew} currency={account.currency} />
  ) : (
    <span className="inline-block max-w-40 font-mono text-xs wrap-anywhere text-soft">{limitNew || noValue}</span>
  )
}

/** Where there is no room for the columns of amounts. */
function NarrowNewLimit({ line }: { line: LimitLine }) {
  return (
    <span className="block pb-1 @min-[40rem]:hidden">
      <NewLimit line={line} />
    </span>
  )
}

const limitLineColumns: DataColumn<LimitLine>[] = [
  {
    id: 'line',
    header: 'Line',
    cell: ({ line }) => <span className="tabular-nums">{line}</span>,
  },
  {
    id: 'account',
    header: 'Account',
    cell: ({ account, given }) => (
      <span className="inline-block min-w-24 wrap-anywhere">
        {account ? accountTitle(account) : given === '' ? noValue : cut(given)}
      </span>
    ),
    below: ({ account, given }) => account && cut(given),
  },
  {
    id: 'state',
    header: 'What it does',
    cell: (line) => {
      const { problem, isBelowOutstanding } = line
      if (problem !== null) {
        return (
          <span className="flex max-w-96 min-w-28 flex-wrap items-center gap-x-2 gap-y-0.5 py-1">
            <StatusBadge tone="bad" label="Skipped" />
            <span className="min-w-0 wrap-anywhere">{problem}</span>
            <NarrowNewLimit line={line} />
          </span>
        )
      }
      return (
        <>
          {isBelowOutstanding ? (
            <StatusBadge tone="warn" label="Below what is owed" />
          ) : isTenfold(line) ? (
            <StatusBadge tone="warn" label="More than tenfold" />
          ) : (
            <StatusBadge tone="good" label="Sets the limit" />
          )}
          {isBelowOutstanding === null && (
            <span className="block text-2xs text-faint">what is owed was not provided</span>
          )}
          <NarrowNewLimit line={line} />
        </>
      )
    },
  },
  {
    id: 'now',
    header: 'Limit now',
    align: 'end',
    priority: 2,
    cell: ({ limitNow, account }) => <Amount amount={limitNow} currency={account?.currency ?? ''} />,
  },
  {
    id: 'new',
    header: 'New limit',
    align: 'end',
    priority: 2,
    cell: (line) => <NewLimit line={line} />,
  },
  {
    id: 'after',
    header: 'Expected available',
    align: 'end',
    priority: 2,
    cell: ({ availableAfter, account }) => (
      <Amount
        amount={availableAfter}
        currency={account?.currency ?? ''}
        tone={availableAfter?.startsWith('-') ? 'bad' : undefined}
      />
    ),
  },
]

/** An id shortened as everywhere; an xid is people's own text and only shortened to fit the row. */
function cut(given: string): string {
  return /^[0-9a-f-]{36}$/.test(given) ? shortId(given) : given.length > 60 ? `${given.slice(0, 59)}…` : given
}
