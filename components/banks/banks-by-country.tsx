'use client'

import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useMemo } from 'react'
import type { DataColumn } from '#components/data-table/data-column.ts'
import { DataTable } from '#components/data-table/data-table.tsx'
import { AsOf } from '#components/environment/as-of.tsx'
import { readFailure } from '#components/environment/when-read.tsx'
import { SearchField } from '#components/filters/search-field.tsx'
import { Button } from '#components/ui/button.tsx'
import { ExcludedNote } from '#components/ui/excluded-note.tsx'
import { CopyButton } from '#components/ui/id-text.tsx'
import { NotProvided } from '#components/ui/not-provided.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { PayoutBank } from '#lib/contract/records.ts'
import { readQuery } from '#lib/queries/reads.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { fieldProblem } from '../environment/when-read.tsx'
import { countryName, payoutCountries } from './bank-params.ts'
import { LookupField } from './lookup-field.tsx'

const columns: DataColumn<PayoutBank>[] = [
  {
    id: 'code',
    header: 'Code',
    cell: ({ code }) =>
      code ? (
        <span className="inline-flex items-center gap-1 font-mono">
          {code}
          <CopyButton text={code} label={`code ${code}`} />
        </span>
      ) : (
        <NotProvided />
      ),
  },
  {
    id: 'name',
    header: 'Bank',
    cell: ({ name }) => <span className="font-medium wrap-anywhere">{name || <NotProvided />}</span>,
  },
]

export function checkCountry(text: string): string | undefined {
  return /^[A-Z]{2}$/.test(text) ? undefined : 'Enter two capital letters, such as HK.'
}

/** The banks that payouts reach in a country, and a search among them. */
export function BanksByCountry({
  environment,
  country,
  q,
  onCountry,
  onSearch,
}: {
  environment: Environment
  country: string
  q: string
  onCountry: (country: string) => void
  onSearch: (q: string) => void
}) {
  const problem = checkCountry(country)
  const isRequested = problem === undefined
  const { data, error, isFetching, refetch } = useQuery({
    ...readQuery('listPayoutBanks', environment, country),
    enabled: isRequested,
  })
  const fieldError = fieldProblem(error, ['COUNTRY_NOT_FOUND', 'INVALID_PARAMETERS'])
  const found = useMemo(() => (data ? data.banks.filter((bank) => isMatch(bank, q)) : undefined), [data, q])
  const name = countryName(country) ?? country

  return (
    <Panel title="By country" note={data && <AsOf freshness={data.freshness} />} isFlush>
      <div className="grid gap-3 p-4">
        <div className="flex flex-wrap gap-1.5">
          {payoutCountries.map((code) => (
            <button
              key={code}
              type="button"
              aria-pressed={code === country}
              onClick={() => onCountry(code)}
              className={clsx(
                'inline-flex h-8 items-center gap-1.5 rounded-control border px-2.5 shadow-control transition-colors pointer-large',
                code === country ? 'border-accent/30 bg-accent-wash text-accent' : 'bg-surface hover:bg-hover',
              )}
            >
              <span className="font-mono text-xs">{code}</span>
              {countryName(code)}
            </button>
          ))}
        </div>
        <LookupField
          label="Country code"
          hint="Two letters, such as HK."
          value={country}
          error={problem ?? fieldError}
          check={checkCountry}
          onLookUp={onCountry}
          isPending={isRequested && isFetching && !data}
        />
        {data && (
          <SearchField label={`Search the banks of ${name}`} placeholder="Code or name" value={q} onChange={onSearch} />
        )}
      </div>
      {isRequested && fieldError === undefined && (
        <div className="border-t">
          <ExcludedNote read={data} />
          <DataTable
            tableId="banks"
            caption={`Banks of ${name}`}
            isBare
            columns={columns}
            rows={found}
            rowId={(bank) => `${bank.code ?? ''} ${found?.indexOf(bank)}`}
            failure={data ? null : readFailure(error, 'The banks')}
            onRetry={() => void refetch()}
            isRefreshing={isFetching && !data}
            total={data?.banks.length}
            skeletonRows={6}
            empty={
              q === ''
                ? { title: `No banks listed for ${name}` }
                : {
                    title: 'No bank matches this search',
                    actions: <Button onClick={() => onSearch('')}>Show all</Button>,
                  }
            }
          />
        </div>
      )}
    </Panel>
  )
}

/** Every term of the search is in the code or in the name. */
function isMatch({ code, name }: PayoutBank, q: string): boolean {
  const text = `${code ?? ''} ${name ?? ''}`.toLowerCase()
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((label) => text.includes(label))
}
