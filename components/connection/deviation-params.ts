import { parseAsString, parseAsStringLiteral } from 'nuqs/server'
import type { DeviationFilters } from '#lib/console/connection/read.ts'

export const deviationParams = {
  endpoint: parseAsString,
  kind: parseAsStringLiteral(['difference', 'unknown-field'] as const),
}

export const noDeviationFilters = { endpoint: null, kind: null }

export function deviationFilters({
  endpoint,
  kind,
}: Record<keyof typeof deviationParams, string | null>): DeviationFilters {
  return { endpoint: endpoint ?? undefined, kind: kind ?? undefined }
}
