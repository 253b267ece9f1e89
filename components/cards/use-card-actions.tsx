'use client'

import { type ReactNode, useState } from 'react'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { preloadDialog } from '#components/ui/dialog.tsx'
import { unavailability } from './action-availability.ts'
import { CardActionDialog, type CardOfAccount } from './card-action-dialog.tsx'
import { type CardActionRow, cardActionTable } from './card-action-table.ts'

export type OfferedAction = { row: CardActionRow; unavailable: string | undefined; open: () => void }

type Opened = { row: CardActionRow; operationId: string; isOpen: boolean }

/** Each row of the action table with why it cannot be used now, and the dialog that whoever offers them has to render. */
export function useCardActions(target: CardOfAccount): { actions: OfferedAction[]; dialog: ReactNode } {
  const person = usePermissions(target.environment)
  const [opened, setOpened] = useState<Opened | null>(null)
  const actions = cardActionTable.map((row) => ({
    row,
    unavailable: unavailability(row, target.card.status, person),
    open: () => {
      preloadDialog()
      setOpened({ row, operationId: crypto.randomUUID(), isOpen: true })
    },
  }))
  const dialog = opened && (
    <CardActionDialog
      key={opened.operationId}
      {...target}
      {...opened}
      onClose={() => setOpened({ ...opened, isOpen: false })}
    />
  )
  return { actions, dialog }
}
