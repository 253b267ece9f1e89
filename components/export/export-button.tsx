'use client'

import { useEnvironment } from '#components/environment/use-environment.ts'
import { usePreferences } from '#components/ui/preferences-provider.tsx'
import { exportUrl } from '#lib/api/reads.ts'
import type { ExportName } from '#lib/queries/reads.ts'
import type { Search } from '#lib/shared/routes.ts'
import { DownloadButton } from './download-button.tsx'

/**
 * Downloads every row that the filter matches, on all pages, as a CSV file. `ids` and `search` are those of the read. Where the
 * person chose columns of the table `tableId`, the file has only those.
 */
export function ExportButton({
  read,
  ids = [],
  search,
  tableId = '',
}: {
  read: ExportName
  ids?: readonly string[]
  search: Readonly<Search>
  tableId?: string
}) {
  const environment = useEnvironment()
  const { columns } = usePreferences()
  const { pageToken: _, ...filter } = search
  const chosen = columns[tableId]
  return (
    <DownloadButton
      label="Export CSV"
      path={(zone) => exportUrl(read, environment, [...ids, { ...filter, columns: chosen, zone }])}
    />
  )
}
