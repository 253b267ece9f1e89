/** Lets rows be chosen, on every page, Shift-click from the row chosen last; `selected` holds row ids. `formatLabel` names a row, `isChoosable` leaves some out. */
export type RowSelection<Row> = {
  selected: ReadonlySet<string>
  onChange: (selected: Set<string>) => void
  isChoosable?: (row: Row) => boolean
  formatLabel?: (row: Row) => string
}

/** `selected` with or without these rows. Those of other pages stay as they are. */
export function withChoice(selected: ReadonlySet<string>, ids: readonly string[], isChosen: boolean): Set<string> {
  const others = [...selected].filter((id) => !ids.includes(id))
  return new Set(isChosen ? [...others, ...ids] : others)
}

/** The ids from one row to another in the order of the page, both included; the second alone where the first is not on it. */
export function idsBetween(ids: readonly string[], from: string | null, to: string): readonly string[] {
  const ends = [from ?? to, to].map((id) => ids.indexOf(id))
  return ends.includes(-1) ? [to] : ids.slice(Math.min(...ends), Math.max(...ends) + 1)
}
