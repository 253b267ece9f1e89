'use client'

import { JobButtons, usePermittedKinds } from '#components/bulk/job-buttons.tsx'
import type { JobChoice } from '#components/bulk/job-dialog.tsx'
import { ChoiceBar } from '#components/data-table/choice-bar.tsx'
import { useChosenRows } from '#components/data-table/use-chosen-rows.ts'
import { count } from '#components/ui/count.ts'
import { lazyDialog, useOpened } from '#components/ui/dialog.tsx'
import type { CardAccountRow, CurrencyTotals } from '#lib/index/types.ts'
import type { BulkKind } from '#lib/operations/bulk/types.ts'
import type { ReadSearch } from '#lib/queries/reads.ts'
import { present } from '#lib/shared/provided.ts'
import { accountTitle } from './account-labels.ts'

const JobDialog = lazyDialog(() => import('#components/bulk/job-dialog.tsx').then((file) => file.JobDialog))
const accountJobs = ['account.set-limit', 'reference.set'] as const

function rowId({ account }: CardAccountRow): string {
  return account.id
}

function isChoosable(): boolean {
  return true
}

function formatAccount({ account }: CardAccountRow): string {
  return ['account', accountTitle(account)].join(' ')
}

/** The choice of accounts for a bulk job: what the table needs, and the bar below it. Without any permission there is none. */
export function useAccountJobs(
  data: { rows: CardAccountRow[]; matching: number; totals: CurrencyTotals[] } | undefined,
  filters: ReadSearch<'listCardAccounts'>,
) {
  const kinds = usePermittedKinds(accountJobs)
  const chosen = useChosenRows(data?.rows, JSON.stringify(filters), rowId, isChoosable)
  const job = useOpened<JobChoice>()
  const matching = data?.matching ?? 0
  if (kinds.length === 0) return { selection: undefined, bar: null }
  const start = (kind: BulkKind) => job.open({ kind, filters, ...toJobChoice(kind, chosen, data?.totals ?? []) })
  return {
    selection: { selected: chosen.selected, onChange: chosen.choose, formatLabel: formatAccount },
    bar: (
      <>
        <ChoiceBar
          chosen={chosen}
          noun="account"
          allText={`All ${count.format(matching)} that match`}
          isAllOffered={matching > chosen.rows.size}
        >
          <JobButtons kinds={kinds} onStart={start} />
        </ChoiceBar>
        {job.opened && <JobDialog key={job.opened.operationId} {...job.opened} onStarted={chosen.clear} />}
      </>
    ),
  }
}

/** The chosen accounts as a job takes them. A limit is in a currency: the only one that they have is chosen already. */
function toJobChoice(
  kind: BulkKind,
  chosen: ReturnType<typeof useChosenRows<CardAccountRow>>,
  totals: readonly CurrencyTotals[],
): Pick<JobChoice, 'ids' | 'settings' | 'currencies'> {
  const isAll = chosen.kind === 'filter'
  const ids = isAll ? null : [...chosen.rows.keys()]
  if (kind === 'reference.set') return { ids, settings: { targetType: 'cardaccount' } }
  const own = isAll
    ? totals.map(({ currency }) => currency)
    : [...chosen.rows.values()].map((row) => row.account.currency)
  const currencies = present([...new Set(own)])
  const [only] = currencies
  return { ids, currencies, settings: only !== undefined && currencies.length === 1 ? { currency: only } : {} }
}
