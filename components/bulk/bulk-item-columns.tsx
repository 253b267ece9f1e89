import { cardStatusEntry } from '#components/cards/card-status.ts'
import type { DataColumn } from '#components/data-table/data-column.ts'
import { AccountId } from '#components/fees/account-id.tsx'
import { Amount } from '#components/ui/amount.tsx'
import { CodeBadge, StatusBadge } from '#components/ui/badge.tsx'
import { noValue } from '#components/ui/not-provided.tsx'
import { Time } from '#components/ui/time.tsx'
import { feeIntentTitle } from '#lib/contract/fee-intents.ts'
import {
  bulkKinds,
  type BulkItem,
  type BulkJob,
  type FactColumn,
  readFact,
  toRowText,
} from '#lib/operations/bulk/types.ts'
import { shortId } from '#lib/shared/ids.ts'
import { itemStateTable } from './bulk-labels.ts'

function itemAccountId({ target }: BulkItem): string | null {
  return target.type === 'cardaccount' ? target.id : target.parentId
}

type JobOfRows = Pick<BulkJob, 'kind' | 'approval'>

/** The columns of a job's rows: the record as it was when the job was requested and, unless it waits for approval, the row's result. */
export function bulkItemColumns(job: JobOfRows, facts: readonly FactColumn[]): DataColumn<BulkItem>[] {
  // The last amount is what the row does; a card tells two rows of an account apart.
  const telling = facts.findLast(({ isAmount }) => isAmount) ?? facts.find(({ key }) => key === 'card')
  const account: DataColumn<BulkItem> = {
    id: 'account',
    header: 'Account',
    cell: (item) => <span className="inline-block min-w-20 wrap-anywhere">{itemName(item)}</span>,
    below: (item) => <BelowAccount item={item} telling={telling} />,
  }
  const asRequested = facts
    .filter(({ key }) => key !== 'account' && key !== 'currency')
    .map((fact): DataColumn<BulkItem> => ({
      id: fact.key,
      header: fact.name,
      align: fact.isAmount ? 'end' : 'start',
      priority: 2,
      ...(fact === telling ? { isUnnoted: true } : {}),
      cell: (item) => (fact.isAmount ? <FactAmount item={item} fact={fact} /> : <FactText item={item} fact={fact} />),
    }))
  if (job.approval?.state === 'waiting') return [account, ...asRequested]
  return [
    account,
    {
      id: 'result',
      header: 'Result',
      cell: ({ state, settledAt }) => (
        <StatusBadge
          {...itemStateTable[state]}
          {...(state === 'unknown' && settledAt === null ? { label: 'Being settled' } : {})}
        />
      ),
    },
    ...asRequested,
    {
      id: 'message',
      header: 'What happened',
      cell: (item) => <WhatHappened item={item} job={job} />,
      below: ({ requestId }) =>
        requestId && <span className="font-mono @max-[40rem]:hidden">request {shortId(requestId)}</span>,
      copy: ({ requestId }) => (requestId ? { text: requestId, label: 'request ID' } : null),
    },
  ]
}

function BelowAccount({ item, telling }: { item: BulkItem; telling: FactColumn | undefined }) {
  const id = itemAccountId(item)
  return (
    <>
      {item.facts.line ? `line ${item.facts.line}` : `row ${item.position}`}
      {id !== null && (
        <>
          {' · '}
          <AccountId id={id} xid={item.facts.xid} />
        </>
      )}
      {/* Where there is no room for its column. */}
      {telling && (
        <span className="block pt-0.5 text-ink @min-[40rem]:hidden">
          {telling.isAmount ? <FactAmount item={item} fact={telling} /> : <FactText item={item} fact={telling} />}
        </span>
      )}
    </>
  )
}

/** A fee has the sign that it has in the list of fees; one whose direction the service did not provide has only its size. */
function FactAmount({ item: { facts }, fact: { key } }: { item: BulkItem; fact: FactColumn }) {
  const amount = readFact(facts, key)
  const currency = facts.currency ?? ''
  if (key !== 'amount' || !facts.change) return <Amount amount={amount} currency={currency} />
  return <Amount amount={amount} currency={currency} entryType={facts.entryType} isSigned />
}

/** A code of the record is shown by its label. */
function FactText({ item: { facts }, fact: { key } }: { item: BulkItem; fact: FactColumn }) {
  const text = facts[key]
  if (!text) return noValue
  if (key === 'intent') return feeIntentTitle(text)
  return key === 'statusBefore' ? <CodeBadge code={text} toEntry={cardStatusEntry} /> : text
}

function itemName({ facts, target }: BulkItem): string {
  return facts.account ?? target.label ?? shortId(target.id)
}

function WhatHappened({ item, job }: { item: BulkItem; job: JobOfRows }) {
  const { state, message, settledAt } = item
  if (state === 'done') {
    return (
      <span className="text-soft">
        {bulkKinds[job.kind].doneOne} <Time instant={settledAt} format="time-seconds" />
      </span>
    )
  }
  const text = toRowText(job, item)
  if (message) return <span className="line-clamp-3 block max-w-96 min-w-32 py-1 wrap-anywhere">{text}</span>
  return <span className="text-faint">{text ?? noValue}</span>
}
