'use client'

import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useQueryStates } from 'nuqs'
import { useMemo } from 'react'
import type { DataColumn } from '#components/data-table/data-column.ts'
import { DataTable } from '#components/data-table/data-table.tsx'
import { AsOf } from '#components/environment/as-of.tsx'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { fieldProblem, readFailure } from '#components/environment/when-read.tsx'
import { SearchField } from '#components/filters/search-field.tsx'
import { OtherFields } from '#components/references/other-fields.tsx'
import { Button } from '#components/ui/button.tsx'
import { ErrorState } from '#components/ui/error-state.tsx'
import { ExcludedNote } from '#components/ui/excluded-note.tsx'
import { CopyButton } from '#components/ui/id-text.tsx'
import { Provided } from '#components/ui/not-provided.tsx'
import { Page } from '#components/ui/page.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { LoadingBlocks } from '#components/ui/skeleton.tsx'
import type { PayoutBank, ReceivedResponse } from '#lib/contract/records.ts'
import { bankCountries } from '#lib/contract/terms.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { holdsCardNumber } from '#lib/shared/card-numbers.ts'
import { bankParams, countryName, longestWireCode } from './bank-params.ts'
import { LookupField } from './lookup-field.tsx'

/** The banks that payouts reach in a country, and the record of a wire code. */
export function BanksScreen() {
  const [{ country, q, wireCode }, setParams] = useQueryStates(bankParams, { history: 'push' })
  return (
    <Page isDense title="Banks" subtitle="Look up payout banks by country or wire code (SWIFT).">
      <div className="grid min-w-0 items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <BanksByCountry
          country={country}
          q={q}
          onCountry={(next) => void setParams({ country: next, q: null })}
          onSearch={(next) => void setParams({ q: next === '' ? null : next }, { history: 'replace' })}
        />
        <BankByWireCode wireCode={wireCode} onLookUp={(next) => void setParams({ wireCode: next })} />
      </div>
    </Page>
  )
}

const columns: DataColumn<PayoutBank>[] = [
  {
    id: 'code',
    header: 'Code',
    cell: ({ code }) => (
      <Provided>
        {code && (
          <span className="inline-flex items-center gap-1 font-mono">
            {code}
            <CopyButton text={code} label={`code ${code}`} />
          </span>
        )}
      </Provided>
    ),
  },
  {
    id: 'name',
    header: 'Bank',
    cell: ({ name }) => (
      <span className="font-medium wrap-anywhere">
        <Provided>{name}</Provided>
      </span>
    ),
  },
]

export function checkCountry(text: string): string | undefined {
  return /^[A-Z]{2}$/.test(text) ? undefined : 'Enter two capital letters, such as HK.'
}

/** The banks that payouts reach in a country, and a search among them. */
export function BanksByCountry({
  country,
  q,
  onCountry,
  onSearch,
}: {
  country: string
  q: string
  onCountry: (country: string) => void
  onSearch: (q: string) => void
}) {
  const environment = useEnvironment()
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
          {bankCountries.map((code) => (
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
    .every((term) => text.includes(term))
}

export function checkWireCode(text: string): string | undefined {
  if (text === '') return 'Enter a wire code, such as HSBCHKHH.'
  if (holdsCardNumber(text)) return 'This looks like a card number. It wasn’t sent or stored.'
  if (text.length > longestWireCode)
    return `A wire code has at most ${longestWireCode} characters; this has ${text.length}.`
  return undefined
}

/** The whole record of a bank, by its wire code. */
export function BankByWireCode({
  wireCode,
  onLookUp,
}: {
  wireCode: string | null
  onLookUp: (wireCode: string) => void
}) {
  const environment = useEnvironment()
  const problem = wireCode === null ? undefined : checkWireCode(wireCode)
  const isRequested = wireCode !== null && problem === undefined
  const { data, error, isFetching, refetch } = useQuery({
    ...readQuery('readBank', environment, { wireCode: wireCode ?? '' }),
    enabled: isRequested,
  })
  const fieldError = fieldProblem(error, ['BANK_NOT_FOUND', 'INVALID_PARAMETERS', 'CARD_NUMBER_REFUSED'])
  const failure = data || fieldError !== undefined ? null : readFailure(error, 'The bank')
  return (
    <Panel title="By wire code" note={data && <AsOf freshness={data.freshness} />} isFlush>
      <div className="p-4">
        <LookupField
          label="Wire code"
          hint="8 characters, or 11 with the branch."
          value={wireCode ?? ''}
          error={problem ?? fieldError}
          check={checkWireCode}
          onLookUp={onLookUp}
          isPending={isRequested && isFetching && !data}
        />
      </div>
      {isRequested && failure && (
        <div className="border-t">
          <ErrorState failure={failure} onRetry={() => void refetch()} isRetrying={isFetching} />
        </div>
      )}
      {isRequested && !data && !error && <LoadingBlocks what="the bank" blocks={['h-56']} className="border-t p-4" />}
      {data && fieldError === undefined && <BankFacts bank={data.bank} />}
    </Panel>
  )
}

type BankInfo = ReceivedResponse<'getBank'>

const labels: Record<Exclude<keyof BankInfo, 'otherFields'>, string> = {
  bankName: 'Bank',
  wireCode: 'Wire code',
  branch: 'Branch',
  bankAddress: 'Address',
  city: 'City',
  country: 'Country',
  countryCode: 'Country code',
  accountNumber: 'Account number',
  id: 'Bank ID',
}

function BankFacts({ bank }: { bank: BankInfo }) {
  return (
    <div className="border-t">
      <dl aria-label="Bank" className="divide-y">
        {Object.entries(labels).map(([name, label]) => {
          const text = bank[name as keyof typeof labels]
          return (
            <div key={name} className="flex min-h-10 items-center gap-x-4 px-4 py-1.5">
              <dt className="w-32 shrink-0 text-soft">{label}</dt>
              <dd className="flex min-w-0 flex-1 items-center gap-1 wrap-anywhere">
                <Provided>
                  {text && (
                    <>
                      <span className="min-w-0 font-medium">{text}</span>
                      <CopyButton text={text} label={label.toLowerCase()} />
                    </>
                  )}
                </Provided>
              </dd>
            </div>
          )
        })}
      </dl>
      <div className="px-4 pb-3 empty:hidden">
        <OtherFields fields={bank.otherFields} />
      </div>
    </div>
  )
}
