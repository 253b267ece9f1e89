'use client'

import { Gauge } from 'lucide-react'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { ButtonLink } from '#components/ui/button-link.tsx'
import { Button } from '#components/ui/button.tsx'
import { lazyDialog, useOpened } from '#components/ui/dialog.tsx'
import type { CardAccount } from '#lib/contract/records.ts'
import { routes } from '#lib/shared/routes.ts'

const SetLimitDialog = lazyDialog(() => import('./set-limit-dialog.tsx').then((file) => file.SetLimitDialog))

/** The dialog that sets the account's fixed limit, with what opens it; `unavailable` is why it cannot be opened now. */
export function useSetLimit(account: CardAccount) {
  const { denied } = usePermissions()
  const { open, opened } = useOpened<{ suggested?: string }>()
  return {
    unavailable: account.accountType === 'prepaid' ? 'Prepaid accounts have no limit' : denied('limits.set'),
    /** `suggested` is decimal text that stands in the field. */
    open: (suggested?: string) => open(suggested === undefined ? {} : { suggested }),
    dialog: opened && <SetLimitDialog key={opened.operationId} account={account} {...opened} />,
  }
}

/** Sets the account's fixed limit. A prepaid account has none, as the text beside the button says. */
export function SetLimitButton({ account }: { account: CardAccount }) {
  const { may } = usePermissions()
  const { unavailable, open, dialog } = useSetLimit(account)
  if (account.accountType === 'prepaid' && !may.has('limits.set')) return null
  return (
    <>
      <Button icon={<Gauge aria-hidden="true" />} unavailable={unavailable} onClick={() => open()}>
        Set limit…
      </Button>
      {dialog}
    </>
  )
}

/** Leads to the limits of many accounts, for people who may set them. */
export function LimitsLink() {
  const environment = useEnvironment()
  const { may } = usePermissions()
  if (!may.has('limits.set')) return null
  return (
    <ButtonLink href={routes.limits(environment)} icon={<Gauge aria-hidden="true" />}>
      Set limits by CSV
    </ButtonLink>
  )
}
