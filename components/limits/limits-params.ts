import { parseAsString } from 'nuqs/server'
import { defineListParams } from '#components/filters/list-params.ts'
import { choice, defineSearch } from '#lib/api/search.ts'

/** Which lines are shown, and of which job the rest is prepared again, or what it did to be undone. */
export const limitLineList = defineListParams(
  defineSearch({ lines: choice('left-out', 'good', 'negative', 'tenfold') }),
  {
    job: parseAsString,
    undo: parseAsString,
  },
)

/** The search of the read of the first lines. */
export function draftSearch({ job, undo }: { job: string | null; undo: string | null }) {
  if (undo !== null) return { undo }
  return job === null ? {} : { job }
}
