'use client'

import { Gauge } from 'lucide-react'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { Button } from '#components/ui/button.tsx'
import { lazyDialog, useOpened } from '#components/ui/dialog.tsx'
import { onlyRoles } from '#lib/console/desk/permissions.ts'
import type { CardAccount } from '#lib/contract/records.ts'
import type { Environment } from '#lib/shared/routes.ts'

const SetLimitDialog = lazyDialog(() => import('./set-limit-dialog.tsx').then((file) => file.SetLimitDialog))

/** Sets the account's fixed limit. A prepaid account has none, as the text beside the button says. */
export function SetLimitButton({ environment, account }: { environment: Environment; account: CardAccount }) {
  const { role, may } = usePermissions(environment)
  const { open, opened } = useOpened()
  const isPrepaid = account.accountType === 'prepaid'
  const unavailable = isPrepaid
    ? 'Prepaid accounts have no limit'
    : role !== undefined && !may.has('limits.set')
      ? onlyRoles('limits.set')
      : undefined
  if (isPrepaid && !may.has('limits.set')) return null
  return (
    <>
      <Button icon={<Gauge aria-hidden="true" />} unavailable={unavailable} onClick={() => open({})}>
        Set limit…
      </Button>
      {opened && <SetLimitDialog key={opened.operationId} environment={environment} account={account} {...opened} />}
    </>
  )
}
