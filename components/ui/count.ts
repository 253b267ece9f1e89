/** Writes a whole number with its thousands grouped: `12,480`. */
export const count = new Intl.NumberFormat('en-HK')

/** A whole number within a sentence: `12,480`, or "not provided". */
export function countText(figure: number | null): string {
  return figure === null ? 'not provided' : count.format(figure)
}

/** A number with its noun: `1 row`, `12,480 rows`. */
export function formatCount(figure: number, one: string, several = `${one}s`): string {
  return `${count.format(figure)} ${figure === 1 ? one : several}`
}

/** How many rows of a list there are, or match its filters: `1 account`, `12 accounts`, `1 match`, `0 matches`. */
export function matchText(figure: number, one: string, isFiltered: boolean, several?: string): string {
  return isFiltered ? formatCount(figure, 'match', 'matches') : formatCount(figure, one, several)
}
