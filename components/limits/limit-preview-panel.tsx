'use client'

import { DataTable } from '#components/data-table/data-table.tsx'
import { useListParams } from '#components/environment/use-list.tsx'
import { FilterSelect } from '#components/filters/filter-select.tsx'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { count } from '#components/ui/count.ts'
import { Time } from '#components/ui/time.tsx'
import type { LimitLine, LimitPreview } from '#lib/console/limits/shapes.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { limitLineColumns } from './limit-line-columns.tsx'
import { LimitStart } from './limit-start.tsx'
import { limitLineList } from './limits-params.ts'

const pageSize = 50

const shown: Record<string, { label: string; has: (line: LimitLine) => boolean }> = {
  'left-out': { label: 'skipped', has: ({ problem }) => problem !== null },
  good: { label: 'with a new limit', has: ({ problem }) => problem === null },
  negative: { label: 'below what is owed', has: ({ isBelowOutstanding }) => isBelowOutstanding === true },
}

/** What a file would do, line by line, and what it takes to have it done. */
export function LimitPreviewPanel({
  environment,
  text,
  preview,
  jobId,
  onAgain,
}: {
  environment: Environment
  text: string
  preview: LimitPreview
  jobId: string
  onAgain: () => void
}) {
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
        <h2 className="text-md font-semibold">{headlineOf(preview)}</h2>
        {asOf && (
          <span className="text-soft">
            figures as of <Time instant={asOf} format="time-seconds" isZoneShown /> or later
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
      <LimitStart environment={environment} text={text} preview={preview} jobId={jobId} onAgain={onAgain} />
    </section>
  )
}

function headlineOf({ accounts, leftOut, lines }: LimitPreview): string {
  const set = accounts === 1 ? '1 account gets a new limit' : `${count.format(accounts)} accounts get a new limit`
  if (leftOut === 0) return set
  const of = `${count.format(leftOut)} of ${count.format(lines.length)} lines`
  return accounts === 0 ? `No account gets a new limit: ${of} skipped` : `${set}, ${of} skipped`
}
