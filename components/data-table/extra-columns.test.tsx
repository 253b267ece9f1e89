import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { PreferencesProvider } from '#components/ui/preferences-provider.tsx'
import { readPreferences } from '#components/ui/preferences.ts'
import type { DataColumn } from './data-column.ts'
import { DataTable } from './data-table.tsx'

type Row = { id: string; limit: string }

const columns: DataColumn<Row>[] = [
  { id: 'name', header: 'Account', cell: ({ id }) => id },
  { id: 'balance', header: 'Balance', align: 'end', isSortable: true, hint: 'Sorts by value', cell: () => '1.00' },
  { id: 'limit', header: 'Limit', align: 'end', isExtra: true, cell: ({ limit }) => limit },
  { id: 'note', header: 'Note', isExtra: true, cell: () => null },
]

function htmlWith(chosen: string): string {
  const preferences = readPreferences((name) => (name.endsWith('columns') ? chosen : undefined))
  return renderToString(
    <NuqsTestingAdapter>
      <PreferencesProvider preferences={preferences}>
        <DataTable
          tableId="accounts"
          caption="Accounts"
          columns={columns}
          rows={[{ id: 'Chan Tai Man', limit: '50,000.00' }]}
          rowId={({ id }) => id}
          empty={{ title: 'None' }}
        />
      </PreferencesProvider>
    </NuqsTestingAdapter>,
  )
}

test('an extra column is there once it is chosen, and none of the others then', () => {
  expect(htmlWith('')).toContain('Balance')
  expect(htmlWith('')).not.toContain('50,000.00')
  expect(htmlWith('accounts:name.limit')).toContain('50,000.00')
  expect(htmlWith('accounts:name.limit')).not.toContain('1.00')
})

test('a cell without a value has a dash', () => {
  expect(htmlWith('accounts:name.note')).toContain('>–</span>')
  expect(htmlWith('accounts:name.limit')).not.toContain('–')
})

test('a column that can be sorted says by what', () => {
  expect(htmlWith('')).toContain('Sorts by value')
})
