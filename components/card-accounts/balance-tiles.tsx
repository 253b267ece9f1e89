'use client'

import { clsx } from 'clsx'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { AsOf } from '#components/environment/as-of.tsx'
import { Amount } from '#components/ui/amount.tsx'
import { Button } from '#components/ui/button.tsx'
import { ExcludedNote } from '#components/ui/excluded-note.tsx'
import { TileButton } from '#components/ui/tile-button.tsx'
import type { AggregateBalances } from '#lib/console/card-accounts/shapes.ts'
import type { AggregateBalance } from '#lib/contract/records.ts'
import { compareAmounts, partialSum } from '#lib/shared/exact-sum.ts'
import { groupName } from './account-labels.ts'

const firstTiles = 9

/** The service's own sums: everything first, then a tile per group, which filters the list. */
export function BalanceTiles({
  data,
  groupKey,
  chosen,
  onChoose,
}: {
  data: AggregateBalances
  groupKey: string | null
  /** The group that the list is filtered by; null for none. */
  chosen: string | null
  onChoose: (group: string | null) => void
}) {
  const [isWhole, setIsWhole] = useState(false)
  const groups = groupKey === null ? [] : balanceGroups(data.balances)
  const shown = isWhole ? groups : groups.filter(({ group }, index) => index < firstTiles || group === chosen)
  const total = totalOf(data.balances)
  return (
    <section aria-label="Balances" className="grid gap-2">
      <ul
        className={clsx(
          'grid grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] gap-2 sm:gap-3',
          tileGrid(shown.length + 1),
        )}
      >
        <li className="min-w-0 rounded-panel border bg-surface px-3 py-2.5 sm:px-4 sm:py-3">
          <div className="text-xs text-soft">All balances</div>
          <Amount amount={total.value} currency={data.reportingCurrency} size="large" className="mt-1 text-lg!" />
          <Balances group={total} />
          <MissingValues missing={total.missing} />
        </li>
        {shown.map((group) => (
          <li key={JSON.stringify(group.group)} className="min-w-0">
            <GroupTile
              group={group}
              name={groupName(group.group, groupKey)}
              reportingCurrency={data.reportingCurrency}
              isChosen={group.group !== null && group.group === chosen}
              onPress={() => onChoose(group.group === chosen ? null : group.group)}
            />
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-x-3 text-xs text-faint">
        <span>
          All accounts, unfiltered, in {data.reportingCurrency} at its current rates,{' '}
          <AsOf freshness={data.freshness} />
        </span>
        <ExcludedNote read={data} />
        {groups.length > firstTiles && (
          <Button variant="quiet" size="small" onClick={() => setIsWhole(!isWhole)}>
            {isWhole ? `First ${firstTiles} groups` : `All ${groups.length} groups`}
          </Button>
        )}
      </div>
    </section>
  )
}

function GroupTile({
  group,
  name,
  reportingCurrency,
  isChosen,
  onPress,
}: {
  group: BalanceGroup
  name: string
  reportingCurrency: string
  isChosen: boolean
  onPress: () => void
}) {
  const content = (
    <>
      <span className="flex w-full items-center justify-between gap-2 text-xs text-soft">
        <span className={clsx('min-w-0 truncate', group.group === '' && 'italic')} title={name}>
          {name}
        </span>
        {isChosen && <Check aria-hidden="true" className="size-3.5 shrink-0 text-accent" />}
      </span>
      <Amount amount={group.value} currency={reportingCurrency} size="large" className="mt-1 self-start" />
      <Balances group={group} />
      <MissingValues missing={group.missing} />
    </>
  )
  // The list can't be filtered by a group that the service did not provide.
  if (group.group === null) {
    return (
      <div className="grid h-full content-start rounded-panel border bg-surface px-3 py-2.5 sm:px-4 sm:py-3">
        {content}
      </div>
    )
  }
  return (
    <TileButton isChosen={isChosen} onPress={onPress} className="h-full px-3 py-2.5 sm:px-4 sm:py-3">
      {content}
    </TileButton>
  )
}

/** Columns that leave no row half empty, as far as the number of tiles allows. */
function tileGrid(tiles: number): string {
  if (tiles === 6) return 'sm:grid-cols-3 xl:grid-cols-6'
  if (tiles <= 5) return 'sm:grid-cols-[repeat(auto-fit,minmax(11rem,1fr))]'
  return tiles % 4 === 0 ? 'sm:grid-cols-4' : 'sm:grid-cols-[repeat(auto-fill,minmax(11rem,1fr))]'
}

/** Says that a value excludes balances that the service sent without one. */
function MissingValues({ missing }: { missing: number }) {
  if (missing === 0) return null
  return (
    <span className="mt-1 block text-2xs text-warn">
      Excludes {missing === 1 ? '1 balance' : `${missing} balances`} without a value
    </span>
  )
}

function Balances({ group }: { group: Omit<BalanceGroup, 'group'> }) {
  return (
    <span className="mt-1 flex flex-wrap gap-x-2 text-xs">
      {group.balances.map(({ currency, balance, missing }) => (
        <span key={JSON.stringify(currency)}>
          <Amount amount={balance} currency={currency} className="text-xs text-soft [&>span]:font-normal" />
          {balance !== null && missing > 0 && (
            <span className="text-2xs text-warn"> excludes {missing} not provided</span>
          )}
        </span>
      ))}
    </span>
  )
}

export function BalanceTilesSkeleton() {
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] gap-2 sm:grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] sm:gap-3">
      {[1, 2, 3, 4, 5].map((tile) => (
        <div key={tile} className="h-[5.5rem] animate-pulse rounded-panel border bg-surface" />
      ))}
    </div>
  )
}

/**
 * The balances of one group per currency, and its value in the reporting currency; null where the service provided none.
 * `missing` counts the balances without a value, which `value` excludes. A null `group` or `currency` was not provided.
 */
type BalanceGroup = {
  group: string | null
  balances: { currency: string | null; balance: string | null; missing: number }[]
  value: string | null
  missing: number
}

function byCurrency(items: readonly AggregateBalance[]): BalanceGroup['balances'] {
  return [...Map.groupBy(items, ({ currency }) => currency)].map(([currency, own]) => {
    const { sum, missing } = partialSum(own.map(({ balance }) => balance))
    return { currency, balance: sum, missing }
  })
}

/** Everything together. */
export function totalOf(items: readonly AggregateBalance[]): Omit<BalanceGroup, 'group'> {
  const { sum, missing } = partialSum(items.map(({ value }) => value))
  return { balances: byCurrency(items), value: sum, missing }
}

/** Groups with a name come first, then those of the accounts without the key, then those that were not provided. */
function orderOf(group: string | null): number {
  return group === null ? 2 : group === '' ? 1 : 0
}

/** The service's sums gathered by group, those of the greatest value either way first, the group without the key last. */
export function balanceGroups(items: readonly AggregateBalance[]): BalanceGroup[] {
  return [...Map.groupBy(items, ({ group }) => group)]
    .map(([group, own]) => ({ group, ...totalOf(own) }))
    .toSorted(
      (one, other) =>
        orderOf(one.group) - orderOf(other.group) ||
        byValue(one.value, other.value) ||
        ((one.group ?? '') < (other.group ?? '') ? -1 : 1),
    )
}

function byValue(one: string | null, other: string | null): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  return compareAmounts(other.replace('-', ''), one.replace('-', ''))
}
