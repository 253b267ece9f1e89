import { cookies } from 'next/headers'
import { createLoader } from 'nuqs/server'
import { transactionParams } from '#components/transactions/transaction-params.ts'
import { readPreferences } from '#components/ui/preferences.ts'

export const loadTransactionParams = createLoader(transactionParams)

/** The zone of the page, in which a day of a filter begins and ends. */
export async function pageZone() {
  const cookieStore = await cookies()
  return readPreferences((name) => cookieStore.get(name)?.value).zone
}
