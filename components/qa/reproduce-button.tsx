'use client'

import { Repeat2 } from 'lucide-react'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { Button } from '#components/ui/button.tsx'
import { lazyDialog, useOpened } from '#components/ui/dialog.tsx'
import type { Reproduced } from './reproduce/reproduce-dialog.tsx'

const ReproduceDialog = lazyDialog(() =>
  import('./reproduce/reproduce-dialog.tsx').then((file) => file.ReproduceDialog),
)

/** Hands a record's state to QA: as a scenario, or in a sandbox of its own. For those who may do it. */
export function ReproduceButton({ record }: { record: Reproduced }) {
  const { may } = usePermissions()
  const { open, opened } = useOpened()
  if (!may.has('cases.reproduce')) return null
  return (
    <>
      <Button icon={<Repeat2 aria-hidden="true" />} onClick={() => open({})}>
        Reproduce…
      </Button>
      {opened && <ReproduceDialog key={opened.operationId} record={record} {...opened} />}
    </>
  )
}
