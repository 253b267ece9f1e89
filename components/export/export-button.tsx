'use client'

import { usePreferences } from '#components/ui/preferences-provider.tsx'
import { apiRoutes, type Environment } from '#lib/shared/routes.ts'
import { DownloadButton } from './download-button.tsx'

/**
 * Downloads every row that the filter matches, on all pages, as a CSV file. `search` is the list's own query. Where the
 * person chose columns of the table `tableId`, the file has only those.
 */
export function ExportButton({
  environment,
  list,
  search,
  tableId = '',
}: {
  environment: Environment
  list: string
  search: Readonly<Record<string, string | number | readonly string[] | null | undefined>>
  tableId?: string
}) {
  const { columns } = usePreferences()
  const { pageToken: _, ...filter } = search
  const chosen = columns[tableId]
  return (
    <DownloadButton
      label="Export CSV"
      path={(zone) => apiRoutes.export(environment, list, { ...filter, columns: chosen, zone })}
    />
  )
}
