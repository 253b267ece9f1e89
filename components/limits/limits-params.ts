import { parseAsString, parseAsStringLiteral } from 'nuqs/server'
import { defineListParams } from '#components/filters/list-params.ts'

/** Which lines are shown, and of which job the rest is prepared again, or what it did to be undone. */
export const limitLineList = defineListParams(
  { lines: parseAsStringLiteral(['left-out', 'good', 'negative'] as const) },
  { job: parseAsString, undo: parseAsString },
)

/** The search of the read of the first lines. */
export function draftSearch({ job, undo }: { job: string | null; undo: string | null }) {
  if (undo !== null) return { undo }
  return job === null ? {} : { job }
}
