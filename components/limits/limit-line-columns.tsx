import { accountTitle } from '#components/card-accounts/account-labels.ts'
import type { DataColumn } from '#components/data-table/data-column.ts'
import { Amount } from '#components/ui/amount.tsx'
import { StatusBadge } from '#components/ui/badge.tsx'
import { noValue } from '#components/ui/not-provided.tsx'
import type { LimitLine } from '#lib/console/limits/shapes.ts'
import { shortId } from '#lib/shared/ids.ts'

function NewLimit({ line: { limitNew, account, problem } }: { line: LimitLine }) {
  return account && problem === null ? (
    <Amount amount={limitNew} currency={account.currency} />
  ) : (
    <span className="inline-block max-w-40 font-mono text-xs wrap-anywhere text-soft">{limitNew || noValue}</span>
  )
}

/** Where there is no room for the columns of amounts. */
function NarrowNewLimit({ line }: { line: LimitLine }) {
  return (
    <span className="block pb-1 @min-[40rem]:hidden">
      <NewLimit line={line} />
    </span>
  )
}

export const limitLineColumns: DataColumn<LimitLine>[] = [
  {
    id: 'line',
    header: 'Line',
    cell: ({ line }) => <span className="tabular-nums">{line}</span>,
  },
  {
    id: 'account',
    header: 'Account',
    cell: ({ account, given }) => (
      <span className="inline-block min-w-24 wrap-anywhere">
        {account ? accountTitle(account) : given === '' ? noValue : cut(given)}
      </span>
    ),
    below: ({ account, given }) => account && cut(given),
  },
  {
    id: 'state',
    header: 'What it does',
    cell: (line) => {
      const { problem, isBelowOutstanding } = line
      if (problem !== null) {
        return (
          <span className="flex max-w-96 min-w-40 flex-wrap items-center gap-x-2 gap-y-0.5 py-1">
            <StatusBadge tone="bad" label="Skipped" />
            <span className="min-w-0 wrap-anywhere">{problem}</span>
            <NarrowNewLimit line={line} />
          </span>
        )
      }
      return (
        <>
          {isBelowOutstanding ? (
            <StatusBadge tone="warn" label="Below what is owed" />
          ) : (
            <StatusBadge tone="good" label="Sets the limit" />
          )}
          {isBelowOutstanding === null && (
            <span className="block text-2xs text-faint">what is owed was not provided</span>
          )}
          <NarrowNewLimit line={line} />
        </>
      )
    },
  },
  {
    id: 'now',
    header: 'Limit now',
    align: 'end',
    priority: 2,
    cell: ({ limitNow, account }) => <Amount amount={limitNow} currency={account?.currency ?? ''} />,
  },
  {
    id: 'new',
    header: 'New limit',
    align: 'end',
    priority: 2,
    cell: (line) => <NewLimit line={line} />,
  },
  {
    id: 'after',
    header: 'Expected available',
    align: 'end',
    priority: 2,
    cell: ({ availableAfter, account }) => (
      <Amount
        amount={availableAfter}
        currency={account?.currency ?? ''}
        {...(availableAfter?.startsWith('-') ? { tone: 'bad' as const } : {})}
      />
    ),
  },
]

/** An id shortened as everywhere; an xid is people's own text and only shortened to fit the row. */
function cut(given: string): string {
  return /^[0-9a-f-]{36}$/.test(given) ? shortId(given) : given.length > 60 ? `${given.slice(0, 59)}…` : given
}
