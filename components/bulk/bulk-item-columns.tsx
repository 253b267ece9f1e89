import type { DataColumn } from '#components/data-table/data-column.ts'
import { Amount } from '#components/ui/amount.tsx'
import { Time } from '#components/ui/time.tsx'
import type { BulkItem } from '#lib/console/bulk/job.ts'
import type { FactColumn } from '#lib/console/bulk/kinds.ts'
import { shortId } from '#lib/shared/ids.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'
import { ItemBadge } from './bulk-badges.tsx'

/** Where a row's account is; a fee without one leads to the fees. */
export function hrefOf(environment: Environment, { target }: BulkItem): string {
  const accountId = target.type === 'cardaccount' ? target.id : target.parentId
  return accountId ? routes.cardAccount(environment, accountId) : routes.fees(environment)
}

/** The columns of a job's rows: what the person saw of them, and what came of them. */
export function bulkItemColumns(facts: readonly FactColumn[]): DataColumn<BulkItem>[] {
  return [
    {
      id: 'account',
      header: 'Account',
      cell: (item) => <span className="wrap-anywhere">{nameOf(item)}</span>,
      below: ({ position }) => `row ${position}`,
    },
    {
      id: 'result',
      header: 'Result',
      cell: ({ state, settledAt }) => <ItemBadge state={state} isSettled={settledAt !== null} />,
    },
    ...facts
      .filter(({ key }) => key !== 'account' && key !== 'currency')
      .map(({ key, name, isAmount = false }): DataColumn<BulkItem> => ({
        id: key,
        header: name,
        align: isAmount ? 'end' : 'start',
        priority: 2,
        cell: ({ facts: row }) =>
          isAmount ? <Amount amount={row[key]} currency={row.currency ?? ''} /> : <span>{row[key] ?? '–'}</span>,
      })),
    {
      id: 'message',
      header: 'What happened',
      cell: (item) => <WhatHappened item={item} />,
      below: ({ code, requestId }) =>
        code || (requestId && code !== null) ? (
          <span className="font-mono">
            {[code, requestId && `request ${shortId(requestId)}`].filter(Boolean).join(' · ')}
          </span>
        ) : null,
      copy: ({ requestId }) => (requestId ? { text: requestId, label: 'request id' } : null),
    },
  ]
}

function nameOf({ facts, target }: BulkItem): string {
  return facts.account ?? target.label ?? shortId(target.id)
}

function WhatHappened({ item: { state, message, settledAt } }: { item: BulkItem }) {
  if (state === 'done') return <Time instant={settledAt} format="time-seconds" className="text-soft" />
  if (message) return <span className="line-clamp-3 block max-w-96 min-w-40 py-1 wrap-anywhere">{message}</span>
  return <span className="text-faint">{state === 'cancelled' ? 'Cancelled before it began.' : '–'}</span>
}
