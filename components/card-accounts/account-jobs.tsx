import type { JobChoice } from '#components/bulk/job-dialog.tsx'
import { useRowJobs } from '#components/bulk/use-row-jobs.tsx'
import type { CardAccountRow, CurrencyTotals } from '#lib/index/types.ts'
import type { ReadSearch } from '#lib/queries/reads.ts'
import { present } from '#lib/shared/provided.ts'
import { accountTitle } from './account-labels.ts'

function rowId({ account }: CardAccountRow): string {
  return account.id
}

function formatAccount({ account }: CardAccountRow): string {
  return `account ${accountTitle(account)}`
}

/** The choice of accounts for a bulk job. A limit is in a currency: the only one that they have is chosen already. */
export function useAccountJobs(
  data: { rows: CardAccountRow[]; matching: number; totals: CurrencyTotals[] } | undefined,
  filters: ReadSearch<'listCardAccounts'>,
) {
  return useRowJobs({
    kinds: ['account.set-limit', 'reference.set'],
    noun: 'account',
    rows: data?.rows,
    matching: data?.matching,
    filters,
    rowId,
    formatLabel: formatAccount,
    toSettings: (kind, rows): Pick<JobChoice, 'settings' | 'currencies'> => {
      if (kind === 'reference.set') return { settings: { targetType: 'cardaccount' } }
      const own = rows ? rows.map(({ account }) => account) : (data?.totals ?? [])
      const currencies = present([...new Set(own.map(({ currency }) => currency))])
      const [only = '', ...others] = currencies
      return { currencies, settings: only === '' || others.length > 0 ? {} : { currency: only } }
    },
  })
}
