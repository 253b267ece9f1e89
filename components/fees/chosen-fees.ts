'use client'

import { useState } from 'react'
import type { FeeRow } from '#lib/console/fees/shapes.ts'
import { partialSum } from '#lib/shared/exact-sum.ts'
import { sameId } from '#lib/shared/ids.ts'
import { turned } from './fee-labels.ts'

/** Rows that were chosen one by one, on whatever page, or everything that a filter matches. */
type ChosenFees = { kind: 'rows'; rows: ReadonlyMap<string, FeeRow> } | { kind: 'filter'; filter: string }

const nothing: ChosenFees = { kind: 'rows', rows: new Map() }

/**
 * The choice of fees. Rows stay chosen over pages and filters; "everything that matches" ends with its filter, which is given
 * as text. A row that became void is no longer chosen.
 */
export function useChosenFees(page: readonly FeeRow[] | undefined, filter: string) {
  const [current, setChosen] = useState<ChosenFees>(nothing)
  const isOver = current.kind === 'filter' && current.filter !== filter
  if (isOver) setChosen(nothing)
  const chosen = isOver ? nothing : current
  const onPage = new Map((page ?? []).filter(isChoosable).map((row) => [row.fee.id, row]))
  const isVoidNow = (id: string) => page?.some(({ fee }) => sameId(fee.id, id) && fee.status === 'void') ?? false
  const rows = chosen.kind === 'filter' ? onPage : new Map([...chosen.rows].filter(([id]) => !isVoidNow(id)))
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

export function isChoosable({ fee }: FeeRow): boolean {
  return fee.status !== 'void'
}

/** What waiving these rows brings back, per currency; `missing` counts the fees that `amount` excludes. */
export function broughtBack(
  rows: Iterable<FeeRow>,
): { currency: string | null; amount: string | null; missing: number }[] {
  const byCurrency = Map.groupBy(rows, ({ fee }) => fee.currency)
  return [...byCurrency].map(([currency, own]) => {
    const { sum, missing } = partialSum(own.map(({ change }) => change && turned(change)))
    return { currency, amount: sum, missing }
  })
}
