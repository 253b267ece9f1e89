'use client'

import type { ReactNode } from 'react'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { Button } from '#components/ui/button.tsx'
import { lazyDialog, useOpened } from '#components/ui/dialog.tsx'
import { type Facts, FactList } from '#components/ui/fact-list.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { Xmetadata } from '#lib/contract/fields.ts'
import { present } from '#lib/shared/provided.ts'
import type { ReferenceTarget } from './edit-reference-dialog.tsx'
import { MetadataList } from './metadata-list.tsx'
import { OtherFields } from './other-fields.tsx'

const EditReferenceDialog = lazyDialog(() =>
  import('./edit-reference-dialog.tsx').then((file) => file.EditReferenceDialog),
)

/**
 * The details of a record with the caller's own references, which can be edited; then the fields that the interface does not name.
 * `children` are above the facts.
 */
export function RecordDetails({
  target,
  record: { xid, xmetadata, otherFields },
  facts,
  children,
}: {
  target: ReferenceTarget
  record: { xid: string | null; xmetadata: Xmetadata | null; otherFields?: Record<string, unknown> }
  facts: Facts
  children?: ReactNode
}) {
  const { denied } = usePermissions()
  const { open, opened } = useOpened()
  return (
    <Panel
      title="Details"
      actions={
        <Button
          size="small"
          variant="quiet"
          aria-haspopup="dialog"
          unavailable={denied('references.edit')}
          reason="described"
          onClick={() => open({})}
        >
          {present([xid, xmetadata]).length === 0 ? 'Add references' : 'Edit references'}
        </Button>
      }
    >
      {children}
      <FactList
        facts={[
          ...facts,
          { label: 'External ID', value: xid ? <IdText id={xid} label="external ID" isWhole /> : 'None' },
        ]}
      />
      <h3 className="mt-3 mb-1.5 border-t pt-3 font-medium">Metadata</h3>
      <MetadataList xmetadata={xmetadata} />
      <OtherFields fields={otherFields} />
      {opened && <EditReferenceDialog key={opened.operationId} target={target} {...opened} />}
    </Panel>
  )
}
