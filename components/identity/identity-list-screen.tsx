'use client'

import { accountTitle, identityEntry } from '#components/card-accounts/account-labels.ts'
import { IdentityBadge } from '#components/card-accounts/identity-badge.tsx'
import type { DataColumn } from '#components/data-table/data-column.ts'
import { CoverageText } from '#components/environment/as-of.tsx'
import { ListFilters, ListTable } from '#components/environment/list-parts.tsx'
import { ListViews } from '#components/environment/saved-views.tsx'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { useList } from '#components/environment/use-list.tsx'
import { FilterSelect } from '#components/filters/filter-select.tsx'
import { count, formatCount } from '#components/ui/count.ts'
import { ExcludedNote } from '#components/ui/excluded-note.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { NotProvided, noValue } from '#components/ui/not-provided.tsx'
import { Page } from '#components/ui/page.tsx'
import { TileButton } from '#components/ui/tile-button.tsx'
import { Time } from '#components/ui/time.tsx'
import { toneText } from '#components/ui/tone.ts'
import type { IdentityList } from '#lib/console/identity/types.ts'
import { clientIdentityStatuses } from '#lib/contract/terms.ts'
import type { CardAccountRow } from '#lib/index/types.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { lacking } from '#lib/shared/provided.ts'
import { routes } from '#lib/shared/routes.ts'
import { allStatuses, identityList } from './identity-params.ts'
import { reasonEntry } from './rejection-reasons.ts'

function Reason({ row: { account, rejectedReason } }: { row: CardAccountRow }) {
  if (account.clientIdentityStatus !== 'rejected') return null
  if (!rejectedReason) return <NotProvided what="Reason" />
  return <span className="line-clamp-2 max-w-96 min-w-40 wrap-anywhere">{rejectedReason}</span>
}

const columns: DataColumn<CardAccountRow>[] = [
  {
    id: 'account',
    header: 'Account',
    cell: ({ account }) => (
      <span className="line-clamp-2 max-w-72 min-w-32 wrap-anywhere">{accountTitle(account)}</span>
    ),
    below: (row) => (
      <span className="block">
        <IdText id={row.account.id} isCopyable={false} />
        <span className="block @min-[40rem]:hidden">
          <Reason row={row} />
        </span>
      </span>
    ),
    copy: ({ account }) => ({ text: account.id, label: 'account ID' }),
  },
  {
    id: 'status',
    header: 'Identity',
    priority: 2,
    cell: ({ account }) => <IdentityBadge status={account.clientIdentityStatus} />,
  },
  {
    id: 'reason',
    header: 'Reason',
    priority: 2,
    cell: (row) => <Reason row={row} />,
  },
  {
    id: 'document',
    header: 'Ask for',
    priority: 3,
    cell: ({ rejectedReason }) => (
      <span className="line-clamp-2 max-w-72 text-soft">{reasonEntry(rejectedReason)?.document}</span>
    ),
  },
  {
    id: 'created',
    header: 'Account opened',
    priority: 2,
    cell: ({ account }) => <Time instant={account.createdAt} className="whitespace-nowrap" />,
  },
]

const names = { what: 'The identities', noun: 'identity', tableId: 'identity', caption: 'Identities' }

/** Card accounts by identity status, oldest first. */
export function IdentityListScreen() {
  const environment = useEnvironment()
  const list = useList(identityList, (search) => readQuery('listIdentities', environment, search), names)
  const { params, change, filter, data } = list
  const notProvided = lacking(data?.counts ?? [], 'status')[0]?.accounts ?? 0
  const notProvidedText = `Identity status not provided for ${formatCount(notProvided, 'account')}`
  const isUnknown = notProvided > 0 && data?.matching === 0
  return (
    <Page
      isDense
      title="Identity"
      subtitle={
        data && (
          <>
            {isUnknown ? notProvidedText : `${formatCount(data.matching, 'account')}, oldest first`} ·{' '}
            <CoverageText coverage={data.coverage} />
          </>
        )
      }
    >
      <StatusTiles
        counts={data?.counts}
        isComplete={data?.coverage.isComplete ?? false}
        chosen={params.status}
        onChoose={(status) => change({ status, reason: null })}
      />
      {notProvided > 0 && !isUnknown && <p className="text-xs text-warn">{notProvidedText}.</p>}
      <ExcludedNote read={data?.coverage} />
      <ListFilters
        list={list}
        views={<ListViews list="identity" />}
        search={{
          label: 'Search accounts',
          placeholder: 'Name, external ID, account ID',
          cardNumberAdvice: 'Search by name, external ID or account ID.',
          ...filter('q'),
        }}
      >
        {params.status === 'rejected' && (
          <FilterSelect
            label="Reason"
            {...filter('reason')}
            options={(data?.reasons ?? []).map(({ reason, accounts }) => ({
              value: reason,
              label: `${reason} (${count.format(accounts)})`,
            }))}
          />
        )}
      </ListFilters>
      <ListTable
        list={list}
        unmatched="Clear the filters to see all with this status."
        columns={columns}
        rows={data?.rows}
        rowId={({ account }) => account.id}
        rowHref={({ account }) => routes.identityCase(environment, account.id)}
        total={data?.matching}
        coverage={data?.coverage}
        none={
          isUnknown
            ? {
                title: notProvidedText,
                body: 'The card service sends none for them, so which ones are rejected or pending isn’t known here. An account’s own page shows its identity.',
              }
            : {
                title: emptyTitle(params.status),
                body: 'Card accounts appear here when their identity has this status.',
              }
        }
      />
    </Page>
  )
}

function emptyTitle(status: string): string {
  return status === allStatuses ? 'No card accounts yet' : `No ${identityEntry(status).label.toLowerCase()} identities`
}

/** The statuses with how many accounts have each; pressing the chosen one shows all. */
function StatusTiles({
  counts = [],
  isComplete,
  chosen,
  onChoose,
}: {
  counts: IdentityList['counts'] | undefined
  isComplete: boolean
  chosen: string
  onChoose: (status: string) => void
}) {
  const order: readonly string[] = ['rejected', 'pending', 'approved']
  const sent = counts.flatMap(({ status }) => status ?? [])
  const statuses = [...new Set<string>([...order, ...clientIdentityStatuses, ...sent])]
  return (
    <ul className="grid grid-cols-[repeat(auto-fit,minmax(6.5rem,1fr))] gap-2 sm:grid-cols-[repeat(auto-fit,minmax(9rem,1fr))]">
      {statuses.map((status) => {
        const { label, tone } = identityEntry(status)
        const accounts = counts.find((group) => group.status === status)?.accounts ?? 0
        // An account without a status may have any: a 0 would be invented.
        const isKnown = (counts.length > 0 || isComplete) && (accounts > 0 || lacking(counts, 'status').length === 0)
        const isChosen = chosen === status
        return (
          <li key={status}>
            <TileButton
              isChosen={isChosen}
              onPress={() => onChoose(isChosen ? allStatuses : status)}
              className="px-3 py-2.5"
            >
              <span className="flex items-center gap-1.5 text-soft">
                <span aria-hidden="true" className={`size-1.5 shrink-0 rounded-full bg-current ${toneText[tone]}`} />
                {label}
              </span>
              <span className="text-lg font-semibold">{isKnown ? count.format(accounts) : noValue}</span>
            </TileButton>
          </li>
        )
      })}
    </ul>
  )
}
