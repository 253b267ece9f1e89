import { parseAsString, parseAsStringLiteral } from 'nuqs/server'
import { defineListParams } from '#components/filters/list-params.ts'

/** Which lines are shown, and of which job the rest is prepared again. */
export const limitLineList = defineListParams(
  { lines: parseAsStringLiteral(['left-out', 'good', 'negative'] as const) },
  { job: parseAsString },
)
