import { holdsCardNumber } from '#lib/shared/card-numbers.ts'

/** The issue of a text that is not empty, and how to correct it; undefined where it is valid. */
export type FindProblem = (text: string) => string | undefined

/** A filter of a list. The parser of its page's URL and the schema of its read follow from it. */
export type Filter =
  /** A text, or one of an open set of codes; `texts`: one or several. */
  | { kind: 'text'; maximum: number }
  | { kind: 'texts'; maximum: number }
  /** An id of the service, as it was sent; `ids`: one or several. */
  | { kind: 'id' }
  | { kind: 'ids'; maximum: number }
  /** An id of the console's own: of a person or an operation. */
  | { kind: 'uuid' }
  /** A day of the page's zone, of which the read gets the first instant, or the last one as `dateRangeTo`. */
  | { kind: 'day' }
  /** A number of days, from 1. */
  | { kind: 'days'; maximum: number }
  | { kind: 'choice'; choices: readonly string[] }
  /** A text that people type and that is checked as they do; `must` says the same to a caller of the read. */
  | { kind: 'checked'; maximum: number; findProblem: FindProblem; must: string }

export type Filters = Readonly<Record<string, Filter>>
/** The columns that a list can be sorted by, each with the filters of which one must be set; none where it always can be. */
export type Sorts = Readonly<Record<string, readonly string[]>>

/** Filters and sorts of a list. Its URL, the schema of its read, clearing, headers and links follow from them. */
export type SearchDefinition<Filtered extends Filters = Filters, Sorted extends Sorts = Sorts> = {
  filters: Filtered
  sorts: Sorted
}

export function defineSearch<const Filtered extends Filters, const Sorted extends Sorts = Record<never, never>>(
  filters: Filtered,
  sorts: Sorted = {} as Sorted,
): SearchDefinition<Filtered, Sorted> {
  return { filters, sorts }
}

export const text = (maximum: number) => ({ kind: 'text', maximum }) as const
export const texts = (maximum: number) => ({ kind: 'texts', maximum }) as const
export const id = { kind: 'id' } as const
export const ids = (maximum: number) => ({ kind: 'ids', maximum }) as const
export const uuid = { kind: 'uuid' } as const
export const day = { kind: 'day' } as const
export const days = (maximum: number) => ({ kind: 'days', maximum }) as const
export const choice = <const Choices extends readonly string[]>(...choices: Choices) =>
  ({ kind: 'choice', choices }) as const
export const checked = (maximum: number, findProblem: FindProblem, must: string) =>
  ({ kind: 'checked', maximum, findProblem, must }) as const

/** The two ends of a range of whole days. */
export const dateRange = { dateRangeFrom: day, dateRangeTo: day } as const

/** The issue of a text as an amount without separators of thousands; undefined where it is valid. */
export function amountProblem(text: string): string | undefined {
  return /^\d{1,13}(?:\.\d{1,8})?$/.test(text) ? undefined : 'Enter an amount such as 120 or 1,200.50.'
}

const amount = checked(22, amountProblem, 'must be an amount such as 120 or 120.50')

/** The two ends of a range of amounts. */
export const amountRange = { amountFrom: amount, amountTo: amount } as const

/** The order and the page of a list: what a search has beside its filters. */
export type Paging = { sort?: unknown; direction?: unknown; pageSize?: unknown; pageToken?: unknown }

/** The filters of a search: what a total, a count or a job of all that match is about. */
export function withoutPage<Search extends Paging>(search: Search): Omit<Search, keyof Paging> {
  const { sort: _sort, direction: _direction, pageSize: _pageSize, pageToken: _pageToken, ...filters } = search
  return filters
}

/** The issue of a text that may be a card number, before any request; `advice` says what to do. */
export function refuseCardNumber(text: string, advice = 'It isn’t searched, stored or logged.'): string | undefined {
  return holdsCardNumber(text) ? `This looks like a card number. ${advice}` : undefined
}
