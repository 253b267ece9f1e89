'use client'

import { useQueryStates } from 'nuqs'
import type { MouseEvent, ReactNode } from 'react'
import { intentLabel } from '#components/transactions/transaction-labels.ts'
import { transactionsId } from '#components/transactions/transaction-list.tsx'
import { transactionList } from '#components/transactions/transaction-params.ts'
import { figureText, Amount } from '#components/ui/amount.tsx'
import { formatCount } from '#components/ui/count.ts'
import { quietLink } from '#components/ui/text-link.tsx'
import { Time } from '#components/ui/time.tsx'
import type { BalanceExplanation, BalanceLine } from '#lib/console/card-accounts/types.ts'
import { isDifferent, isMore, partialSum } from '#lib/contract/exact-sum.ts'
import { type TransactionIntent, transactionIntents, type TransactionStatus } from '#lib/contract/terms.ts'

/** From zero to the available amount, part by part; each part links to its entries in the list below. */
export function BalanceWaterfall({ explained }: { explained: BalanceExplanation }) {
  const { account, lines, posted, pending, carriedForward, earliestAt, isWhole, entries, available, excluded } =
    explained
  const { currency, accountType, limit, balance } = account
  const postedLines = lines.filter(({ status }) => status === 'posted')
  const pendingLines = lines.filter(({ status }) => status === 'pending')
  const line = (one: BalanceLine) => (
    <Row
      key={`${one.status}-${one.intent}-${one.entryType}`}
      what={<ListLink line={one} />}
      note={formatCount(one.entries, 'entry', 'entries')}
      amount={one.amount}
      currency={currency}
    />
  )
  return (
    <table className="w-full border-separate border-spacing-0">
      <caption className="sr-only">What the balance is made of</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">Part</th>
          <th scope="col">Amount, with its sign</th>
        </tr>
      </thead>
      <tbody>
        {isDifferent(carriedForward, 0) && (
          <Row
            what={isWhole ? 'Before the earliest entry' : 'Carried forward'}
            note={
              <>
                {isWhole ? 'the earliest is of ' : `everything older than the newest ${entries} entries, before `}
                <Time instant={earliestAt} />
              </>
            }
            amount={carriedForward}
            currency={currency}
          />
        )}
        {postedLines.map(line)}
        {posted !== null && (
          <Row
            what="Posted so far"
            note={carriedForward === null ? 'of the entries that were read' : undefined}
            amount={partialSum([posted, carriedForward]).sum}
            currency={currency}
            isSum
          />
        )}
        {pendingLines.map(line)}
        {pendingLines.length === 0 && pending !== null && (
          <Row what="Nothing is pending" amount={pending} currency={currency} />
        )}
        {excluded > 0 && (
          <Row
            what={`${formatCount(excluded, 'entry', 'entries')} not included`}
            note="so the parts don’t add up to the balance"
            amount={null}
            currency={currency}
          />
        )}
        <Row what="Balance" {...owedNote(explained)} amount={balance} currency={currency} isSum />
        {accountType === 'credit' && <Row what="Limit" amount={limit} currency={currency} />}
        {isDifferent(available.difference, 0) && (
          <Row
            what="Not explained"
            note="the card service doesn’t say what for"
            amount={available.difference}
            currency={currency}
          />
        )}
        <Row what="Available" amount={available.stated} currency={currency} isSum />
      </tbody>
    </table>
  )
}

function owedNote({ outstanding, account }: BalanceExplanation): { note?: string } {
  if (account.balance === null || !isMore(outstanding.stated, 0)) return {}
  return { note: `${figureText(outstanding.stated, account.currency)} is outstanding` }
}

function Row({
  what,
  note,
  amount,
  currency,
  isSum = false,
}: {
  what: ReactNode
  note?: ReactNode
  amount: string | number | null
  currency: string | null
  isSum?: boolean
}) {
  const cell = isSum ? `border-y bg-sunken py-1.5` : 'py-1'
  return (
    <tr>
      <th scope="row" className={`${cell} px-2 text-left font-normal wrap-anywhere`}>
        <span className={isSum ? 'font-semibold' : undefined}>{what}</span>
        {note !== undefined && <span className="ml-2 text-2xs text-faint">{note}</span>}
      </th>
      <td className={`${cell} px-2 text-right align-baseline whitespace-nowrap`}>
        <Amount
          amount={amount}
          currency={currency}
          isSigned={!isSum}
          tone={isMore(amount, 0) && !isSum ? 'good' : undefined}
          className={isSum ? 'font-semibold' : undefined}
        />
      </td>
    </tr>
  )
}

function intentInList({ intent }: BalanceLine): string {
  return intent ? intentLabel(intent) : 'Intent not provided'
}

/** Narrows the list below to the entries of a line, in place: the explanation stays open above it. */
function ListLink({ line }: { line: BalanceLine }) {
  const [, setParams] = useQueryStates(transactionList.parsers, { history: 'push' })
  const what = `${intentInList(line)}${line.status === 'pending' ? ', pending' : ''}`
  const intent = transactionIntents.find((known): known is TransactionIntent => known === line.intent)
  if (!intent) return what
  const status = line.status as TransactionStatus
  const search = new URLSearchParams({ explain: 'balance', status, intent })
  function show(event: MouseEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    void setParams({ ...transactionList.cleared, status, intent: intent ? [intent] : null })
    const list = document.getElementById(transactionsId)
    list?.scrollIntoView({ block: 'start' })
    list?.focus({ preventScroll: true })
  }
  return (
    <a href={`?${search}#${transactionsId}`} onClick={show} className={quietLink}>
      {what}
      <span className="sr-only">, {line.entryType === 'DEBIT' ? 'what adds' : 'what takes'}: show the entries</span>
    </a>
  )
}
