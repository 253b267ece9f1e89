'use client'

import { clsx } from 'clsx'
import { ListChecks } from 'lucide-react'
import { useRowJobs } from '#components/bulk/use-row-jobs.tsx'
import { AccountLink } from '#components/card-accounts/account-link.tsx'
import type { DataColumn } from '#components/data-table/data-column.ts'
import { CoverageText } from '#components/environment/as-of.tsx'
import { ListFilters, ListTable } from '#components/environment/list-parts.tsx'
import { ListViews } from '#components/environment/saved-views.tsx'
import { ServiceDays } from '#components/environment/service-days.tsx'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { type ListOf, useList } from '#components/environment/use-list.tsx'
import { ExportButton } from '#components/export/export-button.tsx'
import { FilterMenu } from '#components/filters/filter-menu.tsx'
import { FilterText } from '#components/filters/filter-text.tsx'
import { FilterToggle } from '#components/filters/filter-toggle.tsx'
import { defineListParams } from '#components/filters/list-params.ts'
import { toOptions } from '#components/form/options.ts'
import { Amount } from '#components/ui/amount.tsx'
import { CodeBadge } from '#components/ui/badge.tsx'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { count, formatCount, matchText } from '#components/ui/count.ts'
import { ExcludedNote } from '#components/ui/excluded-note.tsx'
import { noValue, Provided } from '#components/ui/not-provided.tsx'
import { Page } from '#components/ui/page.tsx'
import { Time } from '#components/ui/time.tsx'
import { programCardSearch } from '#lib/api/cards.ts'
import type { CardChoices, ProgramCard } from '#lib/console/cards/types.ts'
import { bulkCardActions, type BulkKind } from '#lib/operations/bulk/types.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { routes } from '#lib/shared/routes.ts'
import { CancellationWaiting } from '../cancellation-waiting.tsx'
import { cardStatusEntry, cardStatusTable } from '../card-status.ts'

const programCardList = defineListParams(programCardSearch)

const cardJobs: readonly BulkKind[] = [...bulkCardActions.map((action) => `card.${action}` as const), 'reference.set']

const names = { what: 'The cards', noun: 'card', tableId: 'cards', caption: 'Cards' }

/** The cards of the whole program, as the index has them. */
export function ProgramCardsScreen() {
  const environment = useEnvironment()
  const list = useList(programCardList, (search) => readQuery('listProgramCards', environment, search), names)
  const { data, params, isFiltered, filters } = list
  const jobs = useRowJobs({
    kinds: cardJobs,
    noun: 'card',
    rows: data?.cards,
    matching: data?.matching,
    filters,
    rowId: cardId,
    isChoosable,
    formatLabel: formatCard,
    toSettings: (kind) => (kind === 'reference.set' ? { settings: { targetType: 'card' } } : {}),
  })
  return (
    <Page
      isDense
      className="[&_:is(a,button,input)]:scroll-mb-24"
      title="Cards"
      subtitle={
        data && (
          <>
            {matchText(data.matching, 'card', isFiltered)} · <CoverageText coverage={data.coverage} />
          </>
        )
      }
      actions={
        <>
          <ExportButton read="listProgramCards" tableId="cards" search={list.search} />
          {params.usedAt !== null && jobs.chooseAll && (
            <Button icon={<ListChecks aria-hidden="true" />} onClick={jobs.chooseAll}>
              Choose all {count.format(data?.matching ?? 0)}
            </Button>
          )}
        </>
      }
    >
      <CardFilterBar list={list} choices={data?.choices} />
      {data?.transactions?.isComplete === false && (
        <Callout tone="warn" title="More cards may match.">
          The transactions of{' '}
          {formatCount(data.transactions.accounts - data.transactions.accountsRead, 'account is', 'accounts are')} still
          being read, the latest first.
        </Callout>
      )}
      <ExcludedNote read={data} />
      <ListTable
        list={list}
        unmatched="Search by last four, name on the card, external ID or card ID."
        columns={programCardColumns}
        rows={data?.cards}
        rowId={({ id }) => id}
        rowHref={({ cardAccountId, id }) => routes.card(environment, cardAccountId, id)}
        total={data?.matching}
        selection={jobs.selection}
        coverage={data?.coverage}
        none={{ title: 'No cards yet', body: 'Cards appear here once they are issued.' }}
      />
      {jobs.bar}
    </Page>
  )
}

function cardId({ id }: ProgramCard): string {
  return id
}

function isChoosable({ status }: ProgramCard): boolean {
  return status !== 'cancelled'
}

function formatCard({ last4, embossedName }: ProgramCard): string {
  return ['card', last4, embossedName].filter(Boolean).join(' ')
}

export const programCardColumns: DataColumn<ProgramCard>[] = [
  {
    id: 'name',
    header: 'Card',
    cell: ({ last4, embossedName }) => (
      <span className="inline-flex flex-wrap items-baseline gap-x-2 font-medium">
        <span className="font-mono">
          <Provided>{last4 && `•${last4}`}</Provided>
        </span>
        <bdi className="wrap-anywhere">{embossedName}</bdi>
      </span>
    ),
    below: ({ accountName, ...card }) => (
      <span className="flex flex-wrap items-center gap-1 @min-[40rem]:hidden">
        <StatusBadges card={card} />
        <bdi>{accountName}</bdi>
      </span>
    ),
    copy: ({ id }) => ({ text: id, label: 'card ID' }),
  },
  {
    id: 'account',
    header: 'Account',
    priority: 2,
    cell: (card) => <AccountLink row={card} />,
  },
  {
    id: 'status',
    header: 'Status',
    priority: 2,
    cell: (card) => <StatusBadges card={card} />,
  },
  {
    id: 'product',
    header: 'Product',
    priority: 4,
    cell: ({ productName }) => (
      <span title={productName ?? undefined} className="block max-w-48 truncate text-soft">
        <Provided>{productName}</Provided>
      </span>
    ),
  },
  {
    id: 'expires',
    header: 'Expires',
    priority: 3,
    cell: ({ expiresOn }) => expiresOn && <span className="text-soft tabular-nums">{expiryText(expiresOn)}</span>,
  },
  {
    id: 'used',
    header: 'Last used',
    priority: 3,
    cell: ({ lastUsedAt, isUseKnown }) => (
      <Time instant={lastUsedAt} className="text-soft" missing={isUseKnown ? 'Never' : 'Not known'} />
    ),
  },
  {
    id: 'limit',
    header: 'Left to spend',
    hint: 'The largest charge that all limits allow now. One kind of charge, such as online, can have less left',
    align: 'end',
    priority: 2,
    cell: ({ status, availableLimit, currency }) =>
      status === 'cancelled' ? noValue : <Amount amount={availableLimit} currency={currency} />,
  },
  {
    id: 'limitUse',
    header: 'Limit used',
    hint: 'The used share of the largest charge that the limits of the card, or of its account, allow',
    align: 'end',
    priority: 3,
    cell: ({ limitUse }) => limitUse && <LimitUse share={limitUse} />,
  },
]
/** Marked where less than a tenth is left. */
function LimitUse({ share }: { share: string }) {
  const percent = Math.round(Number(share) * 100)
  return (
    <span className={clsx('tabular-nums', Number(share) > 0.9 ? 'font-medium text-warn' : 'text-soft')}>
      {percent} %
    </span>
  )
}

function StatusBadges({
  card: { status, isCancellationWaiting },
}: {
  card: Pick<ProgramCard, 'status' | 'isCancellationWaiting'>
}) {
  return (
    <span className="inline-flex flex-wrap gap-1">
      <CodeBadge code={status} toEntry={cardStatusEntry} />
      {isCancellationWaiting && <CancellationWaiting />}
    </span>
  )
}

/** "03/2027" of 202703. */
function expiryText(expiresOn: number): string {
  return `${String(expiresOn % 100).padStart(2, '0')}/${Math.floor(expiresOn / 100)}`
}

const noChoices: CardChoices = { statuses: [], products: [] }

function CardFilterBar({
  list,
  choices = noChoices,
}: {
  list: ListOf<typeof programCardList>
  choices: CardChoices | undefined
}) {
  const { params, change, filter, toggle } = list
  return (
    <ListFilters
      list={list}
      views={<ListViews list="cards" columns={programCardColumns} />}
      search={{
        label: 'Search cards',
        placeholder: 'Last four, name, ID',
        cardNumberAdvice: 'Search for the last four digits instead.',
        ...filter('q'),
      }}
    >
      <FilterMenu
        label="Status"
        {...filter('status')}
        options={toOptions(
          [...Object.keys(cardStatusTable), ...choices.statuses],
          (code) => cardStatusEntry(code).label,
        )}
      />
      <FilterMenu label="Product" {...filter('product')} options={toOptions(choices.products)} />
      <FilterText label="Expires by" placeholder="YYYY-MM" {...filter('expiresTo')} />
      <FilterText label="Unused since" placeholder="YYYY-MM-DD" {...filter('unusedSince')} />
      <FilterToggle label="Limit nearly used" {...toggle('limit', 'near')} />
      <FilterText label="Used at" placeholder="merchant" {...filter('usedAt')} />
      <ServiceDays params={params} onChange={change} />
      {(params.usedAt !== null || params.declinedThere !== null) && (
        <FilterToggle label="Not declined there" {...toggle('declinedThere', 'no')} />
      )}
    </ListFilters>
  )
}
