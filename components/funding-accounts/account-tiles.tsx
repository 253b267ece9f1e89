'use client'

import { clsx } from 'clsx'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { OtherFields } from '#components/references/other-fields.tsx'
import { Amount } from '#components/ui/amount.tsx'
import { formatCount } from '#components/ui/count.ts'
import { CopyButton } from '#components/ui/id-text.tsx'
import { Provided } from '#components/ui/not-provided.tsx'
import { TileButton } from '#components/ui/tile-button.tsx'
import { exactSum, isDifferent, isLess, isMore, negated, partialSum } from '#lib/contract/exact-sum.ts'
import type { Account } from '#lib/contract/records.ts'
import { sameId, shortId } from '#lib/shared/ids.ts'
import { having } from '#lib/shared/provided.ts'
import { Threshold } from './threshold.tsx'

/** A tile per funding account, which narrows the ledger to it. */
export function AccountTiles({
  accounts,
  chosen,
  onChoose,
}: {
  accounts: readonly Account[]
  /** The id of the account that the ledger is narrowed to; null for none. */
  chosen: string | null
  onChoose: (accountId: string | null) => void
}) {
  return (
    <ul className="flex flex-wrap gap-3">
      {accounts.map((account) => (
        <li
          key={account.id}
          className={clsx(
            'relative flex min-w-0 flex-[1_1_20rem] flex-col rounded-panel border',
            sameId(account.id, chosen) ? 'border-accent/40 bg-accent-wash' : 'bg-surface',
          )}
        >
          <AccountTile
            account={account}
            isChosen={sameId(account.id, chosen)}
            onPress={() => onChoose(sameId(account.id, chosen) ? null : account.id)}
          />
          <span className="absolute top-2 right-3 flex items-center gap-0.5 text-2xs text-faint">
            <span className="font-mono">{shortId(account.id)}</span>
            <CopyButton text={account.id} label={account.name ? `id of ${account.name}` : 'account ID'} />
          </span>
          <div className="mt-auto px-4 pb-2">
            <Threshold account={account} />
            <OtherFields fields={account.otherFields} />
          </div>
        </li>
      ))}
    </ul>
  )
}

function AccountTile({ account, isChosen, onPress }: { account: Account; isChosen: boolean; onPress: () => void }) {
  const { name, currency, balance, available } = account
  const held = exactSum([balance, negated(available)])
  return (
    <TileButton isChosen={isChosen} onPress={onPress} className="border-0! px-4 pt-3 pb-2">
      <span className="flex w-full items-center gap-2 pr-28">
        <span className="min-w-0 truncate font-medium" title={name ?? undefined}>
          <Provided what="Name">{name}</Provided>
        </span>
        {isChosen && <Check aria-hidden="true" className="size-3.5 shrink-0 text-accent" />}
      </span>
      <span className="@container mt-1.5 grid w-full">
        <span className="grid grid-cols-2 items-end gap-x-6 gap-y-2 @md:grid-cols-[auto_auto_auto] @md:justify-start @md:gap-x-8">
          <Figure label="Available" className="col-span-2 @md:col-span-1">
            <Amount
              amount={available}
              currency={currency}
              size="display"
              tone={isLess(available, 0) ? 'bad' : undefined}
            />
          </Figure>
          <Figure label="Balance">
            <Amount amount={balance} currency={currency} />
          </Figure>
          {isDifferent(held, 0) && (
            <Figure label={isMore(held, 0) ? 'Held' : 'Beyond the balance'}>
              <Amount amount={held?.replace('-', '')} currency={currency} />
            </Figure>
          )}
        </span>
      </span>
    </TileButton>
  )
}

function Figure({ label, className, children }: { label: string; className?: string; children: ReactNode }) {
  return (
    <span className={clsx('grid justify-items-start', className)}>
      <span className="text-xs text-soft">{label} </span>
      {children}
    </span>
  )
}

/** The totals of each currency that has several accounts. */
export function FundingTotals({ accounts }: { accounts: readonly Account[] }) {
  const byCurrency = Map.groupBy(having(accounts, 'currency'), ({ currency }) => currency)
  const shared = [...byCurrency].filter(([, those]) => those.length > 1)
  if (shared.length === 0) return null
  return (
    <p className="flex flex-wrap gap-x-4 text-xs text-soft">
      {shared.map(([currency, those]) => (
        <span key={currency}>
          {those.length} accounts in {currency}: balance{' '}
          <Total amounts={those.map(({ balance }) => balance)} currency={currency} />, available{' '}
          <Total amounts={those.map(({ available }) => available)} currency={currency} />
        </span>
      ))}
    </p>
  )
}

/** A sum that says how many of its accounts it excludes. */
function Total({ amounts, currency }: { amounts: readonly (number | null)[]; currency: string | null }) {
  const { sum, missing } = partialSum(amounts)
  return (
    <>
      <Amount amount={sum} currency={currency} className="text-xs" />
      {sum !== null && missing > 0 && (
        <span className="text-warn"> (excludes {formatCount(missing, 'account')} without this figure)</span>
      )}
    </>
  )
}
