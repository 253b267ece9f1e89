import { clsx } from 'clsx'
import type { DataColumn } from '#components/data-table/data-column.ts'
import type { RateRow, Rates } from '#lib/console/rates/shapes.ts'
import { currencyName } from './currency-names.ts'
import { MovementCell } from './movement-text.tsx'
import { RateAge } from './rate-age.tsx'
import { RateText } from './rate-text.tsx'

/** The columns of the table of rates; `chosen` is the currency whose history is shown. */
export function rateColumns(
  base: string,
  chosen: string,
  rates: Rates | undefined,
  readAtMs: number,
): DataColumn<RateRow>[] {
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
