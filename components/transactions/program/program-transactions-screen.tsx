'use client'

import { CreditCard } from 'lucide-react'
import { useMemo } from 'react'
import { AccountLink } from '#components/card-accounts/account-link.tsx'
import type { DataColumn } from '#components/data-table/data-column.ts'
import { ListFilters, ListTable } from '#components/environment/list-parts.tsx'
import { ListViews } from '#components/environment/saved-views.tsx'
import { ServiceDays } from '#components/environment/service-days.tsx'
import { useEnvironment, useMadeByService } from '#components/environment/use-environment.ts'
import { type ListOf, useList } from '#components/environment/use-list.tsx'
import { ExportButton } from '#components/export/export-button.tsx'
import { AccountFilter } from '#components/fees/account-filter.tsx'
import { FilterAmountRange } from '#components/filters/filter-amount-range.tsx'
import { FilterMenu } from '#components/filters/filter-menu.tsx'
import { FilterSelect } from '#components/filters/filter-select.tsx'
import { FilterText } from '#components/filters/filter-text.tsx'
import { LinkedFilter } from '#components/filters/filter-toggle.tsx'
import { setFilter } from '#components/filters/set-filter.ts'
import { toOptions } from '#components/form/options.ts'
import { Amount } from '#components/ui/amount.tsx'
import { ButtonLink } from '#components/ui/button-link.tsx'
import { Button } from '#components/ui/button.tsx'
import { codeLabel } from '#components/ui/code-entry.ts'
import { count, formatCount, matchText } from '#components/ui/count.ts'
import { noValue } from '#components/ui/not-provided.tsx'
import { usePageZone } from '#components/ui/page-zone.tsx'
import { Page } from '#components/ui/page.tsx'
import { TextLink } from '#components/ui/text-link.tsx'
import { Time } from '#components/ui/time.tsx'
import type { ProgramTransaction, ProgramTransactions, TransactionChoices } from '#lib/console/transactions/types.ts'
import { negated } from '#lib/contract/exact-sum.ts'
import { transactionIntents, transactionStatuses } from '#lib/contract/terms.ts'
import type { TransactionCoverage } from '#lib/index/types.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { shortId } from '#lib/shared/ids.ts'
import { present } from '#lib/shared/provided.ts'
import { routes } from '#lib/shared/routes.ts'
import { isoDay } from '#lib/shared/wall-clock.ts'
import { DisputeAge, disputeAges } from '../dispute-age.tsx'
import { transactionColumns } from '../transaction-columns.tsx'
import { disputeOptions, intentTitle, isOpenDispute, transactionStatusEntry } from '../transaction-labels.ts'
import { DeclineReasons, noReason } from './decline-reasons.tsx'
import { programTransactionList } from './program-transaction-params.ts'

type List = ListOf<typeof programTransactionList>

const names = { what: 'The transactions', noun: 'transaction', tableId: 'transactions', caption: 'Transactions' }

/** The transactions of the whole program, as the index has them. */
export function ProgramTransactionsScreen() {
  const environment = useEnvironment()
  const list = useList(
    programTransactionList,
    (search) => readQuery('listProgramTransactions', environment, search),
    names,
  )
  const { data, params, isFiltered } = list
  const disputesAt = params.dispute === 'open' || params.disputeDays !== null ? data?.serviceAt : undefined
  const columns = useMemo(() => programColumns(disputesAt), [disputesAt])
  const madeByService = useMadeByService('opens disputes')
  const isDeclinesAlone = params.status?.length === 1 && params.status[0] === 'declined'
  return (
    <Page
      isDense
      title="Transactions"
      subtitle={
        data && (
          <>
            {matchText(data.totals.matching, 'transaction', isFiltered)}
            <Progress coverage={data.coverage} />
          </>
        )
      }
      actions={
        <>
          {params.merchant !== null && <CardsUsedThere params={params} />}
          <Declined list={list} isAlone={isDeclinesAlone} serviceAt={data?.serviceAt} />
          <ExportButton read="listProgramTransactions" tableId="transactions" search={list.search} />
        </>
      }
    >
      <TransactionFilterBar list={list} choices={data?.choices} columns={columns} />
      {isDeclinesAlone && <DeclineReasons list={list} />}
      <ListTable
        list={list}
        unmatched={params.dispute === null ? undefined : madeByService}
        coverage={data?.coverage}
        columns={columns}
        rows={data?.transactions}
        rowId={({ id }) => id}
        rowHref={({ cardAccountId, id }) => routes.transaction(environment, cardAccountId, id)}
        total={data?.totals.matching}
        totals={data && <Totals {...data.totals} />}
        none={{ title: 'No transactions yet', body: 'Charges, top-ups, repayments and fees are listed here.' }}
      />
    </Page>
  )
}

/** Shows the declines alone. Without a range it begins with today, so that each reason is beside the same hours a week before. */
function Declined({ list, isAlone, serviceAt }: { list: List; isAlone: boolean; serviceAt: string | undefined }) {
  const zone = usePageZone()
  const { dateRangeFrom, dateRangeTo } = list.params
  const today = serviceAt === undefined ? null : isoDay(new Date(serviceAt), zone.name)
  const isRange = dateRangeFrom !== null || dateRangeTo !== null
  const isToday = dateRangeFrom === today && dateRangeTo === null
  return (
    <Button
      aria-pressed={isAlone}
      className={isAlone ? setFilter : undefined}
      onClick={() =>
        list.change(
          isAlone
            ? { status: null, ...noReason, ...(isToday ? { dateRangeFrom: null } : {}) }
            : { status: ['declined'], ...(isRange ? {} : { dateRangeFrom: today }) },
        )
      }
    >
      Declined
    </Button>
  )
}

/** Leads to the cards that were used at the merchant in these days and not declined there: after a compromise, those to lock. */
function CardsUsedThere({ params: { merchant, dateRangeFrom, dateRangeTo } }: Pick<List, 'params'>) {
  const environment = useEnvironment()
  const href = routes.cards(environment, { usedAt: merchant, dateRangeFrom, dateRangeTo, declinedThere: 'no' })
  return (
    <ButtonLink href={href} icon={<CreditCard aria-hidden="true" />}>
      Cards used at this merchant
    </ButtonLink>
  )
}

/** How much of the program the list covers and how old it is, so that the total of a part is never taken for the whole. */
function Progress({
  coverage: { accounts, accountsRead, isComplete, minutesLeft, asOf },
}: {
  coverage: TransactionCoverage
}) {
  if (isComplete) {
    return (
      <>
        {' · as of '}
        <Time instant={asOf} format="time-seconds" isZoneShown /> or newer
      </>
    )
  }
  if (accounts === 0) return ' · accounts are still being read'
  return (
    <>
      {' · complete for '}
      {count.format(accountsRead)} of {count.format(accounts)} accounts
      {minutesLeft !== null && accountsRead < accounts && `, about ${count.format(minutesLeft)} min left`}
    </>
  )
}

/** The columns of the program's list: those of every list of transactions, the account, and the age of disputes at a time. */
export function programColumns(disputesAt: string | undefined): DataColumn<ProgramTransaction>[] {
  const { what, when, card, status, amount } = transactionColumns
  const account: DataColumn<ProgramTransaction> = {
    id: 'account',
    header: 'Account',
    priority: 3,
    cell: (row) => <AccountLink row={row} />,
  }
  const linked: DataColumn<ProgramTransaction> = { ...card, cell: (row) => <CardLink row={row} /> }
  /** Where the columns of account and card have no room; the page of the transaction leads to both. */
  const whose = ({ accountName, cardAccountId, cardLast4 }: ProgramTransaction) => (
    <span className="block text-soft @min-[56rem]:hidden">
      <bdi className="wrap-anywhere">{accountName || shortId(cardAccountId)}</bdi>
      {cardLast4 && ` · •${cardLast4}`}
    </span>
  )
  const whatAndWhose: DataColumn<ProgramTransaction> = {
    ...what,
    below: (row) => (
      <>
        {whose(row)}
        {what.below?.(row)}
      </>
    ),
  }
  if (disputesAt === undefined) return [whatAndWhose, { ...when, id: 'createdAt' }, account, linked, status, amount]
  const ageOf = ({ disputeStatus, disputeOpenedAt, disputeMayBeOlder }: ProgramTransaction) =>
    isOpenDispute(disputeStatus) && (
      <DisputeAge since={disputeOpenedAt} mayBeOlder={disputeMayBeOlder} at={disputesAt} />
    )
  const age: DataColumn<ProgramTransaction> = {
    id: 'disputeOpenedAt',
    header: 'Open for',
    align: 'end',
    hint: 'Since the first event or reading that showed the dispute as open',
    priority: 2,
    isUnnoted: true,
    cell: (row) => ageOf(row) || noValue,
  }
  const withAge: DataColumn<ProgramTransaction> = {
    ...whatAndWhose,
    below: (row) => (
      <>
        {whatAndWhose.below?.(row)}
        {ageOf(row) && <span className="block @min-[40rem]:hidden">Open for: {ageOf(row)}</span>}
      </>
    ),
  }
  return [withAge, { ...when, id: 'createdAt' }, account, linked, status, age, amount]
}

function CardLink({ row }: { row: ProgramTransaction }) {
  const environment = useEnvironment()
  const { cardAccountId, cardId, cardLast4 } = row
  if (cardId === null) return transactionColumns.card.cell(row)
  return (
    <TextLink href={routes.card(environment, cardAccountId, cardId)}>
      <span className="font-mono">{cardLast4 ? `•${cardLast4}` : shortId(cardId)}</span>
    </TextLink>
  )
}

/** Debits and credits of the matching transactions, per currency; declined and void ones count as neither. */
function Totals({ totals, excluded }: ProgramTransactions['totals']) {
  return (
    <span className="grid gap-y-0.5">
      {totals.map(({ currency, taken, added, declined, declinedAmount }) => (
        <span key={currency} className="flex flex-wrap items-baseline justify-end gap-x-4 gap-y-0.5">
          {taken !== null && <Sum label="taken" amount={negated(taken)} currency={currency} />}
          {added !== null && <Sum label="added" amount={added} currency={currency} />}
          {declined > 0 && (
            <span className="inline-flex items-baseline gap-x-1 text-soft">
              <span className="text-2xs">{count.format(declined)} declined</span>
              <Amount amount={declinedAmount} currency={currency} tone="neutral" />
            </span>
          )}
        </span>
      ))}
      {excluded > 0 && (
        <span className="text-right text-2xs text-warn">
          Excludes {formatCount(excluded, 'transaction')} whose effect on the balance isn’t known
        </span>
      )}
    </span>
  )
}

function Sum({ label, amount, currency }: { label: string; amount: string; currency: string }) {
  return (
    <span className="inline-flex items-baseline gap-x-1">
      <span className="text-2xs text-faint">{label}</span>
      <Amount amount={amount} currency={currency} isSigned />
    </span>
  )
}

const noChoices: TransactionChoices = {
  statuses: [],
  intents: [],
  currencies: [],
  mccs: [],
  responseCodes: [],
  categories: {},
}

function TransactionFilterBar({
  list,
  choices = noChoices,
  columns,
}: {
  list: List
  choices: TransactionChoices | undefined
  columns: DataColumn<ProgramTransaction>[]
}) {
  const { params, change, filter } = list
  return (
    <ListFilters
      list={list}
      views={<ListViews list="transactions" columns={columns} />}
      search={{
        label: 'Search transactions',
        placeholder: 'Merchant, last four, name, ID',
        cardNumberAdvice: 'Search for the last four digits instead.',
        ...filter('q'),
      }}
    >
      <FilterMenu
        label="Status"
        {...filter('status')}
        options={toOptions([...transactionStatuses, ...choices.statuses], (code) => transactionStatusEntry(code).label)}
      />
      <FilterMenu
        label="Intent"
        {...filter('intent')}
        options={toOptions([...transactionIntents, ...choices.intents], (code) => codeLabel(intentTitle, code))}
      />
      <FilterText label="Merchant" {...filter('merchant')} />
      <AccountFilter
        chosen={present([params.cardAccountId])}
        onChange={(ids) => change({ cardAccountId: ids?.at(-1) ?? null })}
      />
      <FilterText label="Card" placeholder="last four" {...filter('cardLast4')} />
      <LinkedFilter label="Card" {...filter('cardId')} />
      <FilterMenu
        label="MCC"
        {...filter('mcc')}
        options={toOptions(choices.mccs, (mcc) => [mcc, choices.categories[mcc]].filter(Boolean).join(' '))}
      />
      <FilterMenu label="Response" {...filter('responseCode')} options={toOptions(choices.responseCodes)} />
      {params.responseMessage !== null && <FilterText label="Reason" {...filter('responseMessage')} />}
      <FilterSelect
        label="Dispute"
        {...filter('dispute')}
        options={[{ value: 'open', label: 'Open' }, ...disputeOptions.filter(({ value }) => value !== '')]}
      />
      {(params.dispute === 'open' || params.disputeDays !== null) && (
        <FilterSelect label="Open for" allLabel="any time" {...filter('disputeDays')} options={disputeAges} />
      )}
      <FilterSelect label="Currency" {...filter('currency')} options={toOptions(choices.currencies)} />
      <FilterAmountRange from={filter('amountFrom')} to={filter('amountTo')} />
      <ServiceDays params={params} onChange={change} />
    </ListFilters>
  )
}
