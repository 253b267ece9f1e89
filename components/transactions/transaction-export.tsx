'use client'

import { useQueryStates } from 'nuqs'
import { ExportButton } from '#components/export/export-button.tsx'
import { usePageZone } from '#components/ui/page-zone.tsx'
import type { Environment } from '#lib/shared/routes.ts'
import { transactionList } from './transaction-params.ts'

/** Takes the transactions of an account away as the list on the same page is filtered. */
export function TransactionExport({ environment, cardAccountId }: { environment: Environment; cardAccountId: string }) {
  const zone = usePageZone()
  const [params] = useQueryStates(transactionList.parsers)
  const search = { ...transactionList.searchOf(params, zone), cardAccountId }
  return <ExportButton environment={environment} list="transactions" search={search} />
}
