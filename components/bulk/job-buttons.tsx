'use client'

import { usePermissions } from '#components/environment/use-permissions.ts'
import { Button } from '#components/ui/button.tsx'
import { type BulkKind, bulkKinds } from '#lib/operations/bulk/types.ts'
import { kindTable } from './bulk-labels.ts'

/** The kinds among these that the person may start. */
export function usePermittedKinds(kinds: readonly BulkKind[]): BulkKind[] {
  const { may } = usePermissions()
  return kinds.filter((kind) => may.has(bulkKinds[kind].permission))
}

/** A button for each kind of job that the chosen rows can go to. */
export function JobButtons({ kinds, onStart }: { kinds: readonly BulkKind[]; onStart: (kind: BulkKind) => void }) {
  return kinds.map((kind) => {
    const { short, icon: Icon } = kindTable[kind]
    return (
      <Button key={kind} icon={<Icon aria-hidden="true" />} aria-haspopup="dialog" onClick={() => onStart(kind)}>
        {short}…
      </Button>
    )
  })
}
