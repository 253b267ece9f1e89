import { clsx } from 'clsx'
import { type DataColumn, sortableWithin } from '#components/data-table/data-column.ts'
import { CodeBadge } from '#components/ui/badge.tsx'
import { NotProvided } from '#components/ui/not-provided.tsx'
import { Time } from '#components/ui/time.tsx'
import type { PayoutRecord } from '#lib/console/payouts/shapes.ts'
import { countryLabel } from '#lib/shared/countries.ts'
import { shortId } from '#lib/shared/ids.ts'
import { payoutMethodLabel } from '../code-labels.ts'
import { PayoutAmount } from '../payout-amount.tsx'
import { beneficiaryName, payoutSubStatusEntry, payoutStatusEntry } from '../payout-labels.ts'
import { isSortable } from './payout-params.ts'

type Column = DataColumn<PayoutRecord>

function SubStatus({ payout }: { payout: PayoutRecord }) {
  if (!payout.subStatus) return null
  const { label, isKnown } = payoutSubStatusEntry(payout.subStatus)
  return <span className={clsx('inline-block', !isKnown && 'font-mono wrap-anywhere')}>{label}</span>
}

function Below({ payout }: { payout: PayoutRecord }) {
  return (
    <span className="block max-w-72">
      <span className="flex flex-wrap items-center gap-x-1.5 gap-y-1 pb-1 @min-[40rem]:hidden">
        <CodeBadge code={payout.status} entryOf={payoutStatusEntry} />
        {payout.subStatus && !payoutSubStatusEntry(payout.subStatus).isKnown && <SubStatus payout={payout} />}
        <Time instant={payout.created} />
      </span>
      <span className="flex items-center gap-1.5">
        <span className="font-mono whitespace-nowrap">{shortId(payout.id)}</span>
        {payout.xid && <span className="truncate">{payout.xid}</span>}
      </span>
    </span>
  )
}

const columns: readonly Column[] = [
  {
    id: 'beneficiary',
    header: 'Beneficiary',
    cell: ({ destination }) => (
      <span className="line-clamp-2 max-w-72 min-w-28 wrap-anywhere">{beneficiaryName(destination)}</span>
    ),
    below: (payout) => <Below payout={payout} />,
    copy: ({ id }) => ({ text: id, label: 'payout ID' }),
  },
  {
    id: 'status',
    header: 'Status',
    priority: 2,
    cell: ({ status }) => <CodeBadge code={status} entryOf={payoutStatusEntry} />,
    below: (payout) => (
      <span className="block pt-1">
        <SubStatus payout={payout} />
      </span>
    ),
  },
  {
    id: 'method',
    header: 'Method',
    priority: 4,
    cell: ({ method }) => <span className="text-soft">{method ? payoutMethodLabel(method) : <NotProvided />}</span>,
    below: ({ destination }) =>
      [destination.country && countryLabel(destination.country), destination.bankName].filter(Boolean).join(' · ') ||
      null,
  },
  {
    id: 'sourceAmount',
    header: 'From the account',
    align: 'end',
    priority: 2,
    cell: (payout) => <PayoutAmount payout={payout} side="source" />,
  },
  {
    id: 'destinationAmount',
    header: 'To the beneficiary',
    align: 'end',
    isHideable: false,
    cell: (payout) => (
      <span className="inline-grid justify-items-end">
        <PayoutAmount payout={payout} side="destination" />
        <span className="pt-1 @min-[40rem]:hidden">
          <PayoutAmount payout={payout} side="source" size="small" />
        </span>
      </span>
    ),
  },
  {
    id: 'created',
    header: 'Created',
    priority: 2,
    cell: ({ created }) => <Time instant={created} className="text-soft" />,
  },
  {
    id: 'updated',
    header: 'Changed',
    priority: 4,
    cell: ({ updated }) => <Time instant={updated} className="text-soft" />,
  },
]

/** The columns of the list; amounts can be sorted once one currency is chosen. */
export function payoutColumns(params: Parameters<typeof isSortable>[1]): Column[] {
  return columns.map((column) => sortableWithin(column, isSortable(column.id, params)))
}
