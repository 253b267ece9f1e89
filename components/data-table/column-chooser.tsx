'use client'

import { Columns3 } from 'lucide-react'
import { Menu } from '#components/ui/menu.tsx'
import { usePreferences } from '#components/ui/preferences-provider.tsx'
import type { DataColumn } from './data-column.ts'

/** Which columns a table shows and how high its rows are; stored in cookies. Its button is beside the table's filters. */
export function ColumnChooser({
  tableId,
  columns,
}: {
  tableId: string
  columns: readonly Pick<DataColumn<never>, 'id' | 'header' | 'isHideable' | 'isExtra'>[]
}) {
  const { columns: chosen, density, chooseColumns, chooseDensity } = usePreferences()
  const shown = chosen[tableId] ?? columns.filter(({ isExtra }) => !isExtra).map(({ id }) => id)
  const hideable = columns.filter((column, index) => index > 0 && column.isHideable !== false)
  return (
    <Menu
      label="Columns and density"
      trigger={<Columns3 />}
      isSquare
      items={[
        { kind: 'heading', label: 'Columns' },
        ...hideable.map(({ id, header }) => ({
          kind: 'check' as const,
          label: header,
          isChosen: shown.includes(id),
          onSelect: () =>
            chooseColumns(
              tableId,
              columns.map((column) => column.id).filter((other) => (other === id) !== shown.includes(other)),
            ),
        })),
        ...(chosen[tableId]
          ? [{ kind: 'action' as const, label: 'Columns that fit', onSelect: () => chooseColumns(tableId, null) }]
          : []),
        { kind: 'separator' },
        { kind: 'heading', label: 'Rows' },
        {
          kind: 'choice',
          label: 'Comfortable',
          isChosen: density === 'base',
          onSelect: () => chooseDensity('base'),
        },
        { kind: 'choice', label: 'Dense', isChosen: density === 'dense', onSelect: () => chooseDensity('dense') },
      ]}
    />
  )
}
