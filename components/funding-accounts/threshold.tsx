'use client'

import { useRead } from '#components/environment/use-environment.ts'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { Amount } from '#components/ui/amount.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Button } from '#components/ui/button.tsx'
import { lazyDialog, useOpened } from '#components/ui/dialog.tsx'
import type { Account } from '#lib/contract/records.ts'

const ThresholdDialog = lazyDialog(() => import('./threshold-dialog.tsx').then((file) => file.ThresholdDialog))

/** Minimum of a funding account, whether the account holds it, and a button that changes it. */
export function Threshold({ account }: { account: Account }) {
  const { data } = useRead('readFundingThresholds')
  const { denied } = usePermissions()
  const { open, opened } = useOpened()
  if (!data) return null
  const threshold = data.thresholds.find(({ accountId }) => accountId === account.id) ?? null
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1.5 text-xs text-soft">
      {threshold && (
        <span>
          Threshold{' '}
          {threshold.kind === 'amount' ? (
            <Amount amount={threshold.value} currency={account.currency} className="text-xs" />
          ) : (
            `${threshold.value} ${threshold.value === '1' ? 'day' : 'days'} of payouts`
          )}
        </span>
      )}
      {threshold?.lowSince && <Badge tone="bad">Below threshold</Badge>}
      <Button size="small" unavailable={denied('payouts.submit')} onClick={() => open({})}>
        {threshold ? 'Change threshold…' : 'Set threshold…'}
        <span className="sr-only"> of {account.name ?? account.id}</span>
      </Button>
      {opened && <ThresholdDialog key={opened.operationId} account={account} threshold={threshold} {...opened} />}
    </div>
  )
}
