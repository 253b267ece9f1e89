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
import { groupName } from './account-labels.ts'
import { type BalanceGroup, balanceGroups, totalOf } from './balance-groups.ts'

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
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] gap-2 sm:grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] sm:gap-3">
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
