'use client'

import { clsx } from 'clsx'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { AsOf } from '#components/environment/as-of.tsx'
import { Amount, amountText } from '#components/ui/amount.tsx'
import { Button } from '#components/ui/button.tsx'
import { formatCount } from '#components/ui/count.ts'
import { ExcludedNote } from '#components/ui/excluded-note.tsx'
import { TileButton } from '#components/ui/tile-button.tsx'
import { Time } from '#components/ui/time.tsx'
import type { AggregateBalances, GroupBalance } from '#lib/console/card-accounts/types.ts'
import { compareAmounts, partialSum } from '#lib/contract/exact-sum.ts'
import { unknownLast } from '#lib/shared/provided.ts'
import { groupName } from './account-labels.ts'

const firstTiles = 24

const tileSpace = 'px-3 py-2.5'

/** Everything first, then a tile per group, which filters the list: one strip, as long as it has to be. */
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
  const total = addUpGroups(data.balances)
  return (
    <section aria-label="Balances" className="grid min-w-0 gap-1.5">
      <ul className="-mx-1 flex snap-x scroll-px-1 gap-2 overflow-x-auto overscroll-x-contain px-1 py-1 *:w-44 *:shrink-0 *:grow *:snap-start *:max-w-80">
        <li className={`min-w-0 rounded-panel border bg-surface ${tileSpace}`}>
          <div className="text-xs text-soft">{data.isFiltered ? 'All that match' : 'All accounts'}</div>
          <Figures group={total} currency={data.reportingCurrency} />
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
          {data.isFiltered ? 'Filtered' : 'All accounts'}, in {data.reportingCurrency}
          {data.isFiltered ? '' : ', balances at the service’s rates'}
          {data.ratesAt && (
            <>
              {data.isFiltered ? ' at the rates of ' : ', the rest at those of '}
              <Time instant={data.ratesAt} format="time" />
            </>
          )}
          , <AsOf freshness={data.freshness} />
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
      <Figures group={group} currency={reportingCurrency} />
    </>
  )
  // The list can't be filtered by a group that the service did not provide.
  if (group.group === null) {
    return <div className={`grid h-full content-start rounded-panel border bg-surface ${tileSpace}`}>{content}</div>
  }
  return (
    <TileButton isChosen={isChosen} onPress={onPress} className={`h-full ${tileSpace}`}>
      {content}
    </TileButton>
  )
}

/** Says that a value excludes balances that the service sent without one. */
function MissingValues({ missing }: { missing: number }) {
  if (missing === 0) return null
  return (
    <span className="mt-1 block text-2xs text-warn">Excludes {formatCount(missing, 'balance')} without a value</span>
  )
}

/** Balance, outstanding and available by their value; its title has the balances per currency. */
function Figures({ group, currency }: { group: Omit<BalanceGroup, 'group'>; currency: string }) {
  const { value, outstanding, available, missing, balances } = group
  const title = balances.map((sum) => amountText(sum.balance, sum.currency)).join(' · ')
  return (
    <span className="mt-1 block w-full" title={`Balance ${title}`}>
      <Amount amount={value} currency={currency} size="large" className="flex-wrap" />
      {[
        ['Outstanding', outstanding],
        ['Available', available],
      ].map(([label, amount]) => (
        <span key={label} className="mt-0.5 flex flex-wrap justify-between gap-x-2 text-xs text-soft">
          {label}
          <Amount
            amount={amount ?? null}
            currency={currency}
            isCurrencyShown={false}
            className="ml-auto text-xs [&>span]:font-normal"
          />
        </span>
      ))}
      <MissingValues missing={missing} />
    </span>
  )
}

export function BalanceTilesSkeleton() {
  return (
    <div className="flex gap-2 overflow-hidden py-1">
      {[1, 2, 3, 4, 5].map((tile) => (
        <div
          key={tile}
          className="h-[6.25rem] w-44 max-w-80 shrink-0 grow animate-pulse rounded-panel border bg-surface"
        />
      ))}
    </div>
  )
}

/**
 * The balances of one group per currency, and its figures in the reporting currency; null where none is known. `missing` counts the
 * balances without a value, and the accounts without a figure, which the sums exclude. A null `group` or `currency` was not provided.
 */
type BalanceGroup = {
  group: string | null
  balances: { currency: string | null; balance: string | null }[]
  value: string | null
  outstanding: string | null
  available: string | null
  missing: number
}

/** Everything together. */
export function addUpGroups(items: readonly GroupBalance[]): Omit<BalanceGroup, 'group'> {
  const value = partialSum(items.map((item) => item.value))
  const outstanding = partialSum(items.map(({ outstandingValue }) => outstandingValue))
  const available = partialSum(items.map(({ availableValue }) => availableValue))
  // Before the first reading of the accounts neither of these two is known.
  const excluded = [outstanding, available].map(({ sum, missing }) => (sum === null ? 0 : missing))
  return {
    balances: [...Map.groupBy(items, ({ currency }) => currency)].map(([currency, own]) => ({
      currency,
      balance: partialSum(own.map(({ balance }) => balance)).sum,
    })),
    value: value.sum,
    outstanding: outstanding.sum,
    available: available.sum,
    missing: Math.max(value.missing, ...excluded) + items.reduce((count, { lacking }) => count + lacking, 0),
  }
}

/** Groups with a name come first, then those of the accounts without the key, then those that were not provided. */
function groupRank(group: string | null): number {
  return group === null ? 2 : group === '' ? 1 : 0
}

/** The sums gathered by group, those of the greatest value either way first, the group without the key last. */
export function balanceGroups(items: readonly GroupBalance[]): BalanceGroup[] {
  return [...Map.groupBy(items, ({ group }) => group)]
    .map(([group, own]) => ({ group, ...addUpGroups(own) }))
    .toSorted(
      (one, other) =>
        groupRank(one.group) - groupRank(other.group) ||
        byValue(one.value, other.value) ||
        ((one.group ?? '') < (other.group ?? '') ? -1 : 1),
    )
}

const byValue = unknownLast<string>((one, other) => compareAmounts(other.replace('-', ''), one.replace('-', '')))
