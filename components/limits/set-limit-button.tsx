'use client'

import { Gauge } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { Button } from '#components/ui/button.tsx'
import { onlyRoles } from '#lib/console/desk/permissions.ts'
import type { CardAccount } from '#lib/contract/records.ts'
import type { Environment } from '#lib/shared/routes.ts'

const SetLimitDialog = lazy(() => import('./set-limit-dialog.tsx').then((file) => ({ default: file.SetLimitDialog })))

type Opened = { operationId: string; isOpen: boolean }

/** Sets the account's fixed limit. A prepaid account has none, as the text beside the button says. */
export function SetLimitButton({ environment, account }: { environment: Environment; account: CardAccount }) {
  const { role, may } = usePermissions(environment)
  const [opened, setOpened] = useState<Opened | null>(null)
  const isPrepaid = account.accountType === 'prepaid'
  const unavailable = isPrepaid
    ? 'Prepaid accounts have no limit'
    : role !== undefined && !may.has('limits.set')
      ? onlyRoles('limits.set')
      : undefined
  if (isPrepaid && !may.has('limits.set')) return null
  return (
    <>
      <Button
        icon={<Gauge aria-hidden="true" />}
        {...(unavailable === undefined ? {} : { unavailable })}
        onClick={() => setOpened({ operationId: crypto.randomUUID(), isOpen: true })}
      >
        Set limit…
      </Button>
      {opened && (
        <Suspense fallback={null}>
          <SetLimitDialog
            key={opened.operationId}
            environment={environment}
            account={account}
            operationId={opened.operationId}
            isOpen={opened.isOpen}
            onClose={() => setOpened({ ...opened, isOpen: false })}
          />
        </Suspense>
      )}
    </>
  )
}
