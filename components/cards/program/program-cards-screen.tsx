'use client'

import { type DataColumn, sortableWithin } from '#components/data-table/data-column.ts'
import { useChosenRows } from '#components/data-table/use-chosen-rows.ts'
import { CoverageText } from '#components/environment/as-of.tsx'
import { ListFilters, ListTable } from '#components/environment/list-parts.tsx'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { type ListOf, useList } from '#components/environment/use-list.tsx'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { ExportButton } from '#components/export/export-button.tsx'
import { FilterMenu } from '#components/filters/filter-menu.tsx'
import { FilterText } from '#components/filters/filter-text.tsx'
import { FilterToggle } from '#components/filters/filter-toggle.tsx'
import { Amount } from '#components/ui/amount.tsx'
import { CodeBadge } from '#components/ui/badge.tsx'
import { Button } from '#components/ui/button.tsx'
import { count, countOf, matchText } from '#components/ui/count.ts'
import { lazyDialog, useOpened } from '#components/ui/dialog.tsx'
import { NotProvided } from '#components/ui/not-provided.tsx'
import { noValue } from '#components/ui/not-provided.tsx'
import { Page } from '#components/ui/page.tsx'
import { TextLink } from '#components/ui/text-link.tsx'
import { Time } from '#components/ui/time.tsx'
import type { CardChoices, ProgramCard } from '#lib/console/cards/types.ts'
import { type BulkCardAction, bulkCardActions } from '#lib/operations/bulk/types.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { shortId } from '#lib/shared/ids.ts'
import { routes } from '#lib/shared/routes.ts'
import { CancellationWaiting } from '../cancellation-waiting.tsx'
import { cardActionTable } from '../card-action-table.ts'
import { cardStatusEntry, cardStatusTable } from '../card-status.ts'
import type { CardChoice } from './card-job-dialog.tsx'
import { isSortable, monthProblem, programCardList } from './program-card-params.ts'

const CardJobDialog = lazyDialog(() => import('./card-job-dialog.tsx').then((file) => file.CardJobDialog))

/** The cards of the whole program, as the index has them. */
export function ProgramCardsScreen() {
  const environment = useEnvironment()
  const list = useList(programCardList, (search) => readQuery('listProgramCards', environment, search), {
    what: 'The cards',
    pageSize: 50,
  })
  const { data, isFiltered, search } = list
  const { pageToken: _pageToken, ...filters } = search
  const { may } = usePermissions()
  const actions = bulkCardActions.filter((action) => may.has(`cards.${action}`))
  const chosen = useChosenRows(data?.cards, JSON.stringify(filters), idOf, isChoosable)
  const job = useOpened<CardChoice>()
  const start = (action: BulkCardAction) =>
    job.open({ action, cardIds: chosen.kind === 'filter' ? null : [...chosen.rows.keys()], filters })
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
      actions={<ExportButton read="listProgramCards" tableId="cards" search={list.search} />}
    >
      <CardFilterBar list={list} choices={data?.choices} />
      <ListTable
        list={list}
        noun="card"
        unmatched="Search by last four, name on the card, external ID or card ID."
        tableId="cards"
        caption="Cards"
        columns={columns}
        rows={data?.cards}
        rowId={({ id }) => id}
        rowHref={({ cardAccountId, id }) => routes.card(environment, cardAccountId, id)}
        total={data?.matching}
        selection={
          actions.length > 0
            ? { selected: chosen.selected, onChange: chosen.choose, isChoosable, labelOf: labelOfCard }
            : undefined
        }
        none={{ title: 'No cards yet', body: 'Cards appear here once they are issued.' }}
      />
      {actions.length > 0 && (
        <ChoiceBar chosen={chosen} matching={data?.matching ?? 0} actions={actions} onAction={start} />
      )}
      {job.opened && <CardJobDialog key={job.opened.operationId} {...job.opened} onStarted={chosen.clear} />}
    </Page>
  )
}

function idOf({ id }: ProgramCard): string {
  return id
}

function isChoosable({ status }: ProgramCard): boolean {
  return status !== 'cancelled'
}

function labelOfCard({ last4, embossedName }: ProgramCard): string {
  return ['card', last4, embossedName].filter(Boolean).join(' ')
}

/** The chosen cards and what can be done to them all. It stays visible below the list. */
function ChoiceBar({
  chosen,
  matching,
  actions,
  onAction,
}: {
  chosen: ReturnType<typeof useChosenRows<ProgramCard>>
  matching: number
  actions: readonly BulkCardAction[]
  onAction: (action: BulkCardAction) => void
}) {
  const isAll = chosen.kind === 'filter'
  const text = isAll ? `All ${countOf(matching, 'card')}` : countOf(chosen.rows.size, 'card')
  const isAny = isAll || chosen.rows.size > 0
  return (
    <>
      <output className="sr-only">{isAny ? `${text} selected` : ''}</output>
      {isAny && (
        <section
          aria-label="Selected cards"
          className="sticky bottom-3 z-20 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-panel border bg-raised px-4 py-2.5 shadow-raised"
        >
          <span className="font-medium">{text} selected</span>
          <span className="ml-auto flex flex-wrap items-center gap-2">
            {!isAll && matching > chosen.rows.size && (
              <Button variant="quiet" onClick={chosen.chooseAll}>
                All {count.format(matching)} that match
              </Button>
            )}
            <Button variant="quiet" onClick={chosen.clear}>
              Clear
            </Button>
            {actions.map((action) => {
              const { label, icon: Icon } = cardActionTable[action]
              return (
                <Button
                  key={action}
                  icon={<Icon aria-hidden="true" />}
                  aria-haspopup="dialog"
                  onClick={() => onAction(action)}
                >
                  {label}…
                </Button>
              )
            })}
          </span>
        </section>
      )}
    </>
  )
}

const allColumns: DataColumn<ProgramCard>[] = [
  {
    id: 'name',
    header: 'Card',
    cell: ({ last4, embossedName }) => (
      <span className="inline-flex flex-wrap items-baseline gap-x-2 font-medium">
        <span className="font-mono">{last4 ? `•${last4}` : <NotProvided />}</span>
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
    cell: (card) => <AccountLink card={card} />,
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
    cell: ({ productName }) => <span className="text-soft">{productName ?? <NotProvided />}</span>,
  },
  {
    id: 'expires',
    header: 'Expires',
    priority: 3,
    cell: ({ expiresOn }) => <span className="text-soft tabular-nums">{expiryText(expiresOn)}</span>,
  },
  {
    id: 'used',
    header: 'Last used',
    priority: 3,
    cell: ({ lastUsedAt }) =>
      lastUsedAt === null ? (
        <span className="text-faint">Never</span>
      ) : (
        <Time instant={lastUsedAt} className="text-soft" />
      ),
  },
  {
    id: 'limit',
    header: 'Left to spend',
    align: 'end',
    priority: 2,
    cell: ({ status, availableLimit, currency }) =>
      status === 'cancelled' ? noValue : <Amount amount={availableLimit} currency={currency} />,
  },
]
const columns = allColumns.map((column) => sortableWithin(column, isSortable(column.id)))

function StatusBadges({
  card: { status, isCancellationWaiting },
}: {
  card: Pick<ProgramCard, 'status' | 'isCancellationWaiting'>
}) {
  return (
    <span className="inline-flex flex-wrap gap-1">
      <CodeBadge code={status} entryOf={cardStatusEntry} />
      {isCancellationWaiting && <CancellationWaiting />}
    </span>
  )
}

/** "03/2027" of 202703. */
function expiryText(expiresOn: number | null): string {
  return expiresOn === null ? '–' : `${String(expiresOn % 100).padStart(2, '0')}/${Math.floor(expiresOn / 100)}`
}

function AccountLink({ card: { cardAccountId, accountName } }: { card: ProgramCard }) {
  const environment = useEnvironment()
  return (
    <TextLink href={routes.cardAccount(environment, cardAccountId)}>
      <bdi className="wrap-anywhere">{accountName ?? shortId(cardAccountId)}</bdi>
    </TextLink>
  )
}

const noChoices: CardChoices = { statuses: [], products: [] }

function CardFilterBar({
  list,
  choices = noChoices,
}: {
  list: ListOf<typeof programCardList>
  choices: CardChoices | undefined
}) {
  const { filter, toggle } = list
  const statuses = [...new Set([...Object.keys(cardStatusTable), ...choices.statuses])]
  return (
    <ListFilters
      list={list}
      saved="cards"
      columns={columns}
      search={{
        label: 'Search cards',
        placeholder: 'Last four, name, ID',
        instead: 'Search for the last four digits instead.',
        ...filter('q'),
      }}
    >
      <FilterMenu
        label="Status"
        {...filter('status')}
        options={statuses.map((value) => ({ value, label: cardStatusEntry(value).label }))}
      />
      <FilterMenu
        label="Product"
        {...filter('product')}
        options={choices.products.map((value) => ({ value, label: value }))}
      />
      <FilterText label="Expires by" placeholder="2027-03" {...filter('expiresTo')} problem={monthProblem} />
      <FilterToggle label="Limit nearly used" {...toggle('limit', 'near')} />
    </ListFilters>
  )
}
