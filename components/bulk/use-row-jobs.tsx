'use client'

import { ChoiceBar } from '#components/data-table/choice-bar.tsx'
import { useChosenRows } from '#components/data-table/use-chosen-rows.ts'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { Button } from '#components/ui/button.tsx'
import { count } from '#components/ui/count.ts'
import { lazyDialog, useOpened } from '#components/ui/dialog.tsx'
import { type BulkKind, bulkKinds } from '#lib/operations/bulk/types.ts'
import { kindTable } from './bulk-labels.ts'
import type { JobChoice } from './job-dialog.tsx'

const JobDialog = lazyDialog(() => import('./job-dialog.tsx').then((file) => file.JobDialog))

/** Every row can be chosen. */
const anyRow = () => true

/**
 * The choice of a list's rows for bulk jobs: what the table needs, and the bar below it. Without the permission for any of the kinds there
 * is none. `toSettings` says what a job knows of the chosen rows beforehand; of all that match it gets no rows.
 */
export function useRowJobs<Row>({
  kinds: offered,
  noun,
  rows,
  matching = 0,
  filters,
  rowId,
  isChoosable = anyRow,
  formatLabel,
  toSettings,
}: {
  kinds: readonly BulkKind[]
  noun: string
  rows: readonly Row[] | undefined
  /** How many rows the filters leave. */
  matching: number | undefined
  filters: Record<string, unknown>
  rowId: (row: Row) => string
  isChoosable?: (row: Row) => boolean
  formatLabel: (row: Row) => string
  toSettings: (kind: BulkKind, rows: readonly Row[] | null) => Pick<JobChoice, 'settings' | 'currencies'>
}) {
  const { may } = usePermissions()
  const kinds = offered.filter((kind) => may.has(bulkKinds[kind].permission))
  const chosen = useChosenRows(rows, JSON.stringify(filters), rowId, isChoosable)
  const job = useOpened<JobChoice>()
  if (kinds.length === 0) return { selection: undefined, bar: null, chooseAll: undefined }

  function start(kind: BulkKind) {
    const isAll = chosen.kind === 'filter'
    const ids = isAll ? null : [...chosen.rows.keys()]
    job.open({ kind, ids, filters, ...toSettings(kind, isAll ? null : [...chosen.rows.values()]) })
  }

  return {
    selection: { selected: chosen.selected, onChange: chosen.choose, isChoosable, formatLabel },
    /** Chooses all that match; undefined once they are chosen. */
    chooseAll: chosen.kind === 'rows' && matching > 0 ? chosen.chooseAll : undefined,
    bar: (
      <>
        <ChoiceBar
          chosen={chosen}
          noun={noun}
          allText={`All ${count.format(matching)} that match`}
          isAllOffered={matching > chosen.rows.size}
        >
          <JobButtons kinds={kinds} onStart={start} />
        </ChoiceBar>
        {job.opened && <JobDialog key={job.opened.operationId} {...job.opened} onStarted={chosen.clear} />}
      </>
    ),
  }
}

/** A button for each kind of job that the chosen rows can go to. */
function JobButtons({ kinds, onStart }: { kinds: readonly BulkKind[]; onStart: (kind: BulkKind) => void }) {
  return kinds.map((kind) => {
    const { short, icon: Icon } = kindTable[kind]
    return (
      <Button key={kind} icon={<Icon aria-hidden="true" />} aria-haspopup="dialog" onClick={() => onStart(kind)}>
        {short}…
      </Button>
    )
  })
}
