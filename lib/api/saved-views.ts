/** The lists whose views people save, by the ids of their tables. */
export const savedLists = [
  'card-accounts',
  'identity',
  'cards',
  'transactions',
  'fees',
  'payouts',
  'account-ledger',
  'audit',
  'inbox',
  'bulk-jobs',
] as const
export type SavedList = (typeof savedLists)[number]

/** The longest name of a view, in characters. */
export const longestViewName = 60

/** Asks for a list without filters where the person has a default view of it, which a URL without parameters opens. */
export const withoutFilters = 'view=none'

/** Parameters of a list's URL that no view saves: the page that is shown, the row that is open, and how it was asked for. */
const passing = new Set(['pageToken', 'from', 'open', 'view'])

/** The part of a list's URL that a view stores, in one order: the same view is the same text. */
export function viewQuery(search: URLSearchParams | string): string {
  const stored = [...new URLSearchParams(search)].filter(([name, value]) => !passing.has(name) && value !== '')
  return new URLSearchParams(stored.toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))).toString()
}
