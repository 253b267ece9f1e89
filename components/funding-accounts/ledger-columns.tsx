import { ArrowRight } from 'lucide-react'
import type { DataColumn } from '#components/data-table/data-column.ts'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { Amount } from '#components/ui/amount.tsx'
import { CodeBadge } from '#components/ui/badge.tsx'
import { NotProvided, Provided } from '#components/ui/not-provided.tsx'
import { TextLink } from '#components/ui/text-link.tsx'
import { Time } from '#components/ui/time.tsx'
import type { LedgerEntry } from '#lib/console/ledger/types.ts'
import { isMore } from '#lib/contract/exact-sum.ts'
import type { AccountTransaction } from '#lib/contract/records.ts'
import { shortId } from '#lib/shared/ids.ts'
import { routes } from '#lib/shared/routes.ts'
import { directionMeaning, ledgerIntentLabel, noBalanceText, ledgerStatusEntry } from './ledger-labels.ts'

/** The balance after an entry, or why there is none. */
export function LedgerBalance({ entry, className }: { entry: AccountTransaction; className?: string }) {
  const { balance, asset, status } = entry
  const why = balance === null && noBalanceText(status)
  if (why) return <span className="text-xs whitespace-nowrap text-faint">{why}</span>
  return <Amount amount={balance} currency={asset} className={className} />
}

/** The amount of an entry with its sign and its colour; what never reached the balance is struck out. */
export function LedgerAmount({ entry }: { entry: Pick<AccountTransaction, 'amount' | 'asset' | 'status'> }) {
  return (
    <Amount
      amount={entry.amount}
      currency={entry.asset}
      isSigned
      isVoid={entry.status === 'void'}
      tone={isMore(entry.amount, 0) ? 'good' : 'neutral'}
    />
  )
}

/** Where the money came from and where it went. */
function FromTo({ entry }: { entry: AccountTransaction }) {
  const [from, to] = [entry.fromAccountLabel ?? entry.fromAccountNumber, entry.toAccountLabel ?? entry.toAccountNumber]
  return (
    <span className="flex max-w-96 min-w-0 flex-wrap items-center gap-x-1">
      <span>
        <Provided>{from}</Provided>
      </span>
      <ArrowRight aria-hidden="true" className="size-3 shrink-0" />
      <span className="sr-only">to</span>
      <span>
        <Provided>{to}</Provided>
      </span>
    </span>
  )
}

/** The cells of the columns that a narrow table hides. */
function Below({ entry }: { entry: AccountTransaction }) {
  return (
    <span className="block max-w-64 wrap-anywhere @min-[40rem]:hidden">
      <span className="block pb-1">
        <CodeBadge code={entry.status} toEntry={ledgerStatusEntry} />
      </span>
      <span className="line-clamp-2">{entry.description}</span>
    </span>
  )
}

/** The cause of an entry: a link to the payout, or the id of another object. */
export function Cause({ entry }: { entry: AccountTransaction }) {
  const environment = useEnvironment()
  if (!entry.intentId) return <NotProvided />
  if (entry.intent !== 'payout')
    return <span className="font-mono text-[0.92em] text-soft">{shortId(entry.intentId)}</span>
  return (
    <TextLink href={routes.payout(environment, entry.intentId)} className="whitespace-nowrap">
      Payout <span className="font-mono text-[0.92em]">{shortId(entry.intentId)}</span>
    </TextLink>
  )
}

export const ledgerColumns: DataColumn<LedgerEntry>[] = [
  {
    id: 'time',
    header: 'Time',
    cell: ({ time, createdAt }) => <Time instant={time ?? createdAt} className="text-soft" />,
    below: (entry) => <Below entry={entry} />,
  },
  {
    id: 'intent',
    header: 'Intent',
    priority: 4,
    cell: ({ intent }) => (
      <span className="whitespace-nowrap">
        <Provided>{intent && ledgerIntentLabel(intent)}</Provided>
      </span>
    ),
  },
  {
    id: 'description',
    header: 'Description',
    priority: 2,
    cell: ({ description }) => (
      <span className="line-clamp-2 max-w-72 min-w-32 wrap-anywhere">
        <Provided>{description}</Provided>
      </span>
    ),
    below: (entry) => <FromTo entry={entry} />,
    copy: ({ xid }) => (xid ? { text: xid, label: 'external ID' } : null),
  },
  {
    id: 'status',
    header: 'Status',
    priority: 2,
    cell: ({ status }) => <CodeBadge code={status} toEntry={ledgerStatusEntry} />,
  },
  {
    id: 'cause',
    header: 'Caused by',
    priority: 3,
    cell: (entry) => <Cause entry={entry} />,
    copy: ({ intentId }) => (intentId ? { text: intentId, label: 'id of the cause' } : null),
  },
  {
    id: 'amount',
    header: 'Amount',
    hint: directionMeaning,
    align: 'end',
    isHideable: false,
    cell: (entry) => <LedgerAmount entry={entry} />,
  },
  {
    id: 'balance',
    header: 'Balance after',
    align: 'end',
    priority: 2,
    cell: (entry) => <LedgerBalance entry={entry} className="[&>span:first-child]:font-normal" />,
  },
]
