'use client'

import { useState } from 'react'
import { idKey } from '#lib/shared/ids.ts'

/** Rows that were chosen one by one, on whatever page, or everything that a filter matches. */
type Chosen<Row> = { kind: 'rows'; rows: ReadonlyMap<string, Row> } | { kind: 'filter'; filter: string }

/**
 * The choice of rows for a bulk job. Rows stay chosen over pages and filters; "everything that matches" ends with its filter, which is
 * given as text. A row that the page shows as not choosable is no longer chosen.
 */
export function useChosenRows<Row>(
  page: readonly Row[] | undefined,
  filter: string,
  rowId: (row: Row) => string,
  isChoosable: (row: Row) => boolean,
) {
  const nothing: Chosen<Row> = { kind: 'rows', rows: new Map() }
  const [current, setChosen] = useState<Chosen<Row>>(nothing)
  const isOver = current.kind === 'filter' && current.filter !== filter
  if (isOver) setChosen(nothing)
  const chosen = isOver ? nothing : current
  const onPage = new Map((page ?? []).filter(isChoosable).map((row) => [rowId(row), row]))
  const out = new Set((page ?? []).filter((row) => !isChoosable(row)).map((row) => idKey(rowId(row))))
  const rows = chosen.kind === 'filter' ? onPage : new Map([...chosen.rows].filter(([id]) => !out.has(idKey(id))))
  return {
    kind: chosen.kind,
    rows,
    selected: new Set(rows.keys()),
    choose: (ids: ReadonlySet<string>) => {
      const known = [...new Map([...rows, ...onPage])]
      setChosen({ kind: 'rows', rows: new Map(known.filter(([id]) => ids.has(id))) })
    },
    chooseAll: () => setChosen({ kind: 'filter', filter }),
    clear: () => setChosen(nothing),
  }
}
