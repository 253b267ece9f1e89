'use client'

import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react'
import { preloadDialog } from '#components/ui/dialog.tsx'
import type { FeeRow } from '#lib/console/fees/shapes.ts'
import type { ReadSearch } from '#lib/queries/reads.ts'
import type { Environment } from '#lib/shared/routes.ts'
import type { WaiverChoice } from './waive-many-dialog.tsx'

const WaiveDialog = lazy(() => import('./waive-dialog.tsx').then(({ WaiveDialog }) => ({ default: WaiveDialog })))
const WaiveManyDialog = lazy(() =>
  import('./waive-many-dialog.tsx').then(({ WaiveManyDialog }) => ({ default: WaiveManyDialog })),
)

type Opened = { isOpen: boolean } & (
  | { kind: 'one'; row: FeeRow; operationId: string }
  | { kind: 'many'; choice: WaiverChoice }
)

/** The dialogs of a list of fees; the component that offers them has to render `dialog`. */
export function useWaivers(
  environment: Environment,
  onStarted: () => void,
): {
  waiveOne: (row: FeeRow) => void
  /** Without ids everything that the filter matches is meant. */
  waiveMany: (feeIds: string[] | null, filters: ReadSearch<'listFees'>) => void
  dialog: ReactNode
} {
  const [opened, setOpened] = useState<Opened | null>(null)
  const waiveOne = useCallback((row: FeeRow) => {
    preloadDialog()
    setOpened({ kind: 'one', row, operationId: crypto.randomUUID(), isOpen: true })
  }, [])
  const waiveMany = useCallback((feeIds: string[] | null, filters: ReadSearch<'listFees'>) => {
    preloadDialog()
    setOpened({ kind: 'many', choice: { jobId: crypto.randomUUID(), feeIds, filters }, isOpen: true })
  }, [])
  const shared = { environment, onClose: () => setOpened((now) => now && { ...now, isOpen: false }) }
  const dialog = (
    <Suspense fallback={null}>
      {opened?.kind === 'one' && (
        <WaiveDialog
          key={opened.operationId}
          {...shared}
          row={opened.row}
          operationId={opened.operationId}
          isOpen={opened.isOpen}
        />
      )}
      {opened?.kind === 'many' && (
        <WaiveManyDialog
          key={opened.choice.jobId}
          {...shared}
          choice={opened.choice}
          isOpen={opened.isOpen}
          onStarted={onStarted}
        />
      )}
    </Suspense>
  )
  return { waiveOne, waiveMany, dialog }
}
