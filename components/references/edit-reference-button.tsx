'use client'

import { lazy, Suspense, useState } from 'react'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { Button } from '#components/ui/button.tsx'
import { preloadDialog } from '#components/ui/dialog.tsx'
import { onlyRoles } from '#lib/console/desk/permissions.ts'
import type { Environment } from '#lib/shared/routes.ts'
import type { ReferenceTarget } from './edit-reference-dialog.tsx'

function load() {
  return import('./edit-reference-dialog.tsx').then(({ EditReferenceDialog }) => ({ default: EditReferenceDialog }))
}
const EditReferenceDialog = lazy(load)

/** Opens the editor of xid and xmetadata; its code is loaded then. `label` names the record in the dialog. */
export function EditReferenceButton({
  environment,
  target,
  xid,
  xmetadata,
}: {
  environment: Environment
  target: ReferenceTarget
  xid: string | null
  xmetadata: unknown
}) {
  const { may } = usePermissions(environment)
  const [opened, setOpened] = useState({ number: 0, isOpen: false })
  const isEmpty = xid === null && (xmetadata ?? null) === null
  return (
    <>
      <Button
        size="small"
        variant="quiet"
        aria-haspopup="dialog"
        aria-label={`${isEmpty ? 'Add' : 'Edit'} external id and metadata`}
        {...(may.has('references.edit')
          ? {}
          : { unavailable: onlyRoles('references.edit'), reason: 'described' as const })}
        onClick={() => {
          preloadDialog()
          setOpened(({ number }) => ({ number: number + 1, isOpen: true }))
        }}
      >
        {isEmpty ? 'Add references' : 'Edit references'}
      </Button>
      {opened.number > 0 && (
        <Suspense fallback={null}>
          <EditReferenceDialog
            key={opened.number}
            environment={environment}
            target={target}
            isOpen={opened.isOpen}
            onClose={() => setOpened(({ number }) => ({ number, isOpen: false }))}
          />
        </Suspense>
      )}
    </>
  )
}
