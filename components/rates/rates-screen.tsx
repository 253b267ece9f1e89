'use client'

import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useQueryStates } from 'nuqs'
import { useMemo } from 'react'
import { ColumnChooser } from '#components/data-table/column-chooser.tsx'
import type { DataColumn } from '#components/data-table/data-column.ts'
import { DataTable } from '#components/data-table/data-table.tsx'
import { AsOf } from '#components/environment/as-of.tsx'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { readFailure } from '#components/environment/when-read.tsx'
import { FilterSelect } from '#components/filters/filter-select.tsx'
import { IgnoredFilters } from '#components/filters/ignored-filters.tsx'
import { ChoiceButtons } from '#components/ui/choice-buttons.tsx'
import { findEntry } from '#components/ui/code-entry.ts'
import { ExcludedNote } from '#components/ui/excluded-note.tsx'
import { CopyButton } from '#components/ui/id-text.tsx'
import { Page } from '#components/ui/page.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { rateRanges } from '#lib/api/rates.ts'
import type { RateRow, Rates } from '#lib/console/rates/types.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { routes } from '#lib/shared/routes.ts'
import { Freshness, MovementCell, RateAge } from './rate-figures.tsx'
import { RateHistoryFigure } from './rate-history-figure.tsx'
import { chosenCurrency, rangeLabels, rateParams } from './rate-params.ts'
import { RateText } from './rate-text.tsx'

const rangeOptions = rateRanges.map((value) => ({ value, label: rangeLabels[value].short }))
const viewOptions = [
  { value: 'chart', label: 'Chart' },
  { value: 'table', label: 'Table' },
] as const

/** Every rate of a base currency with its movement, and the history of one pair. It refreshes automatically. */
export function RatesScreen() {
  const environment = useEnvironment()
  const [params, setParams] = useQueryStates(rateParams, { history: 'push' })
  const { base, range, view } = params
  const currency = chosenCurrency(params)
  const { data, error, isFetching, refetch, dataUpdatedAt } = useRead('readRates', { base })
  // A base without rates still has to offer the others.
  const { data: others } = useQuery({
    ...readQuery('readRates', environment, { base: 'USD' }),
    enabled: error !== null && !data,
  })
  const options = currencyOptions(data ?? others, base)
  const columns = useMemo(() => rateColumns(base, currency, data, dataUpdatedAt), [base, currency, data, dataUpdatedAt])
  const failure = data ? null : readFailure(error, `The rates of ${base}`)

  return (
    <Page
      isDense
      title="Rates"
      subtitle={
        data ? (
          <>
            Current exchange rates, <AsOf freshness={data.freshness} />
          </>
        ) : (
          'Current exchange rates'
        )
      }
    >
      <fieldset className="flex min-w-0 flex-wrap items-center gap-2">
        <legend className="sr-only">What is shown</legend>
        <CurrencySelect
          label="Base currency"
          value={base}
          options={options}
          onChange={(value) => void setParams({ base: value, currency: value === currency ? null : currency })}
        />
        <CurrencySelect
          label="History against"
          value={currency}
          options={options.filter(({ value }) => value !== base)}
          onChange={(value) => void setParams({ currency: value })}
        />
        <span className="ml-auto">
          <ColumnChooser tableId="rates" columns={columns} />
        </span>
      </fieldset>
      <IgnoredFilters parsers={rateParams} />
      <ExcludedNote read={data} />
      <div className="grid min-w-0 gap-4 2xl:grid-cols-2">
        <Panel
          title={
            <>
              {base} / {currency}
            </>
          }
          note={
            data && (
              <span className="text-xs">
                <Freshness rates={data} readAtMs={dataUpdatedAt} />
              </span>
            )
          }
          actions={
            <>
              <ChoiceButtons
                label="Range"
                value={range}
                options={rangeOptions}
                onChange={(value) => void setParams({ range: value })}
              />
              <ChoiceButtons
                label="Shown as"
                value={view}
                options={viewOptions}
                onChange={(value) => void setParams({ view: value })}
              />
            </>
          }
        >
          <PairNow rates={data} currency={currency} />
          <RateHistoryFigure base={base} currency={currency} range={range} view={view} now={findRate(data, currency)} />
        </Panel>
        <DataTable
          tableId="rates"
          caption={`Rates of ${base}`}
          columns={columns}
          rows={data?.rows}
          rowId={({ currency }) => currency}
          rowHref={(row) => routes.rates(environment, { ...address(params), currency: row.currency })}
          failure={failure}
          onRetry={() => void refetch()}
          isRefreshing={isFetching && data === undefined}
          skeletonRows={15}
          empty={{ title: `No rates of ${base}`, body: 'Choose another base currency.' }}
        />
      </div>
    </Page>
  )
}

/** The rest of the address, its defaults left out. */
function address({ base, range, view }: { base: string; range: string; view: string }): Record<string, string> {
  return {
    ...(base === rateParams.base.defaultValue ? {} : { base }),
    ...(range === rateParams.range.defaultValue ? {} : { range }),
    ...(view === rateParams.view.defaultValue ? {} : { view }),
  }
}

type Option = { value: string; label: string }

function currencyOptions(rates: Rates | undefined, base: string): Option[] {
  const codes = rates ? [rates.baseCurrency, ...rates.rows.map(({ currency }) => currency)] : ['USD', base]
  return [...new Set(codes)].sort().map((value) => {
    const name = currencyName(value)
    return { value, label: name === null ? value : `${value} · ${name}` }
  })
}

function CurrencySelect({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: string
  options: readonly Option[]
  onChange: (value: string | null) => void
}) {
  return <FilterSelect label={label} allLabel={null} value={value} options={options} onChange={onChange} isQuiet />
}

/** The present rate of the pair; null while it is not known. */
function findRate(rates: Rates | undefined, currency: string) {
  const row = rates?.rows.find((one) => one.currency === currency)
  return rates && row ? { ...row, at: rates.at, baseCurrency: rates.baseCurrency } : null
}

function PairNow({ rates, currency }: { rates: Rates | undefined; currency: string }) {
  const row = rates?.rows.find((one) => one.currency === currency)
  if (!rates) return null
  if (!row) {
    return (
      <p className="mb-2 text-soft">
        There is no rate of {rates.baseCurrency} in {currency} now.
      </p>
    )
  }
  return (
    <div className="mb-3">
      <p className="text-2xl font-semibold tracking-tight">
        <RateText rate={row.rate} />
        <span className="mr-1 ml-1.5 text-xs font-normal tracking-normal text-faint">{currency}</span>
        <CopyButton text={row.rate} label={`rate of ${rates.baseCurrency} in ${currency}`} />
      </p>
      <p className="text-xs text-soft">
        1 {currency} is <RateText rate={row.inverse} /> {rates.baseCurrency}
      </p>
    </div>
  )
}

/** The columns of the table of rates; `chosen` is the currency whose history is shown. */
function rateColumns(base: string, chosen: string, rates: Rates | undefined, readAtMs: number): DataColumn<RateRow>[] {
  return [
    {
      id: 'currency',
      header: 'Currency',
      cell: ({ currency }) => (
        <span className={clsx(currency === chosen && 'text-accent')}>
          {currency}
          {currency === chosen && <span className="sr-only"> (shown in the chart)</span>}
        </span>
      ),
      below: ({ currency }) => currencyName(currency),
    },
    {
      id: 'rate',
      header: `1 ${base} is`,
      align: 'end',
      isHideable: false,
      cell: ({ rate }) => <RateText rate={rate} className="font-medium" />,
    },
    {
      id: 'inverse',
      header: `in ${base}`,
      align: 'end',
      priority: 2,
      cell: ({ inverse }) => <RateText rate={inverse} className="text-soft" />,
    },
    { id: 'hour', header: '1 h', align: 'end', cell: ({ hour }) => <MovementCell movement={hour} /> },
    { id: 'day', header: '24 h', align: 'end', priority: 2, cell: ({ day }) => <MovementCell movement={day} /> },
    {
      id: 'age',
      header: 'Age',
      align: 'end',
      priority: 2,
      cell: () => (rates ? <RateAge rates={rates} readAtMs={readAtMs} className="text-soft" /> : null),
    },
  ]
}

const names: Record<string, string> = {
  AUD: 'Australian dollar',
  CAD: 'Canadian dollar',
  CHF: 'Swiss franc',
  CNH: 'Renminbi, offshore',
  CNY: 'Renminbi',
  EUR: 'Euro',
  GBP: 'Pound sterling',
  HKD: 'Hong Kong dollar',
  IDR: 'Indonesian rupiah',
  INR: 'Indian rupee',
  JPY: 'Japanese yen',
  KRW: 'Korean won',
  MOP: 'Macanese pataca',
  MYR: 'Malaysian ringgit',
  NZD: 'New Zealand dollar',
  PHP: 'Philippine peso',
  SGD: 'Singapore dollar',
  THB: 'Thai baht',
  TWD: 'New Taiwan dollar',
  USD: 'US dollar',
  VND: 'Vietnamese dong',
}

/** The name of a currency; null for a code that has no name here. The browser's own names differ from the server's. */
export function currencyName(code: string): string | null {
  return findEntry(names, code) ?? null
}
