'use client'

import { usePermissions } from '#components/environment/use-permissions.ts'
import { Button } from '#components/ui/button.tsx'
import { lazyDialog, useOpened } from '#components/ui/dialog.tsx'
import { onlyRoles } from '#lib/auth/permissions.ts'
import { present } from '#lib/shared/provided.ts'
import type { ReferenceTarget } from './edit-reference-dialog.tsx'

const EditReferenceDialog = lazyDialog(() =>
  import('./edit-reference-dialog.tsx').then((file) => file.EditReferenceDialog),
)

/** Opens the editor of xid and xmetadata; its code is loaded then. `label` names the record in the dialog. */
export function EditReferenceButton({
  target,
  xid,
  xmetadata,
}: {
  target: ReferenceTarget
  xid: string | null
  xmetadata: unknown
}) {
  const { may } = usePermissions()
  const { open, opened } = useOpened()
  const isEmpty = present([xid, xmetadata]).length === 0
  return (
    <>
      <Button
        size="small"
        variant="quiet"
        aria-haspopup="dialog"
        unavailable={may.has('references.edit') ? undefined : onlyRoles('references.edit')}
        reason="described"
        onClick={() => open({})}
      >
        {isEmpty ? 'Add references' : 'Edit references'}
      </Button>
      {opened && <EditReferenceDialog key={opened.operationId} target={target} {...opened} />}
    </>
  )
}
