'use client'

import { apiRoutes, type Environment } from '#lib/shared/routes.ts'
import { DownloadButton } from './download-button.tsx'

/** Takes away everything that the filter shows, on all pages, as a CSV file. `search` is what the list itself is read with. */
export function ExportButton({
  environment,
  list,
  search,
}: {
  environment: Environment
  list: string
  search: Readonly<Record<string, string | number | readonly string[] | null | undefined>>
}) {
  const { pageToken: _, ...filter } = search
  return <DownloadButton label="Export CSV" path={(zone) => apiRoutes.export(environment, list, { ...filter, zone })} />
}
