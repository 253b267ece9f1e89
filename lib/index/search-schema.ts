import { z } from 'zod'
import type { Filter, Filters, Sorts } from '#lib/api/search.ts'
import { dateTime, dateTimeText, listPage, plainText, ServiceId, wholeNumber } from '#lib/shared/parse.ts'

/** Product names and merchant codes are open sets, and a menu offers each of them. An address has 200 parameters at most. */
const mostTexts = 100

function severalTexts(maximumLength: number) {
  return z
    .union([z.string(), z.array(z.string())], 'must be texts')
    .transform((value) => [value].flat())
    .pipe(z.array(plainText(maximumLength)).max(mostTexts, `must name at most ${mostTexts}`))
}

/** Ids of the service, as a search repeats them or with commas between. */
function severalIds(maximum: number) {
  return z
    .union([z.string(), z.array(z.string())], 'must be ids')
    .transform((value) => [value].flat().flatMap((text) => text.split(',')))
    .pipe(z.array(ServiceId).min(1, 'must name one').max(maximum, `must name at most ${maximum}`))
}

type FilterSchema<One extends Filter> = One extends { kind: 'choice'; choices: readonly (infer Choice)[] }
  ? z.ZodType<Choice, Choice>
  : One extends { kind: 'texts' }
    ? ReturnType<typeof severalTexts>
    : One extends { kind: 'ids' }
      ? ReturnType<typeof severalIds>
      : One extends { kind: 'day' }
        ? typeof dateTime
        : One extends { kind: 'days' }
          ? ReturnType<typeof wholeNumber>
          : z.ZodType<string, string>

/** The schemas of a list's filters, for the search of its read. */
export function filterSchemas<Filtered extends Filters>(filters: Filtered) {
  return Object.fromEntries(
    Object.entries(filters).map(([name, filter]) => [
      name,
      (schemas[filter.kind] as (filter: Filter) => z.ZodType)(filter),
    ]),
  ) as {
    [Name in keyof Filtered]: FilterSchema<Filtered[Name]>
  }
}

const schemas: { [Kind in Filter['kind']]: (filter: Extract<Filter, { kind: Kind }>) => z.ZodType } = {
  text: ({ maximum }) => plainText(maximum),
  texts: ({ maximum }) => severalTexts(maximum),
  id: () => ServiceId,
  ids: ({ maximum }) => severalIds(maximum),
  uuid: () => z.uuid('must be a UUID'),
  day: () => dateTime,
  days: ({ maximum }) => wholeNumber(maximum),
  choice: ({ choices }) => z.enum(choices, `must be ${choices.join(' or ')}`),
  checked: ({ maximum, findProblem, must }) =>
    plainText(maximum).refine((text) => findProblem(text) === undefined, must),
}

/** The two ends of a range for the service, which gets them as they came: ISO 8601 with a zone; both included. */
export const dateRangeTexts = { dateRangeFrom: dateTimeText, dateRangeTo: dateTimeText }

/** One page of a list, sorted by one of its columns. */
export function sortedPage<Sorted extends Sorts>(sorts: Sorted) {
  const columns = Object.keys(sorts) as (keyof Sorted & string)[]
  return {
    sort: z.enum(columns, `must be one of ${columns.join(', ')}`) as z.ZodType<
      keyof Sorted & string,
      keyof Sorted & string
    >,
    direction: z.enum(['asc', 'desc'], 'must be asc or desc'),
    ...listPage,
  }
}

/** The rule of a sort that needs a filter, for `superRefine`: amounts of different currencies have no order. */
export function checkSort(sorts: Sorts) {
  return (search: { sort?: string | undefined }, context: z.RefinementCtx) => {
    const needed = sorts[search.sort ?? ''] ?? []
    if (needed.length === 0 || needed.some((name) => Reflect.get(search, name))) return
    context.addIssue({ code: 'custom', path: ['sort'], message: `by ${search.sort} needs ${needed.join(' or ')}` })
  }
}
