import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { PreferencesProvider } from '#components/ui/preferences-provider.tsx'
import { readPreferences } from '#components/ui/preferences.ts'
import { DataTable } from './data-table.tsx'

/** The range of a page with two rows, and whether the next one can be opened. */
function pagerOf(search: string, nextPageToken: string | null) {
  const html = renderToString(
    <NuqsTestingAdapter searchParams={search}>
      <PreferencesProvider preferences={readPreferences(() => undefined)}>
        <DataTable
          tableId="account-transactions"
          caption="Transactions"
          columns={[{ id: 'name', header: 'Name', cell: (row: { id: string }) => row.id }]}
          rows={[{ id: 'a' }, { id: 'b' }]}
          rowId={({ id }) => id}
          empty={{ title: 'None' }}
          paging={{ prevPageToken: null, nextPageToken, pageSize: 2 }}
        />
      </PreferencesProvider>
    </NuqsTestingAdapter>,
  )
  const next = /<button[^>]*aria-label="Next page"[^>]*>/.exec(html)?.[0] ?? ''
  return { range: /\d+–\d+/.exec(html)?.[0], hasNext: !next.includes('aria-disabled="true"') }
}

test('the second page is numbered as such at a service that names no page before it', () => {
  expect(pagerOf('', 'two')).toEqual({ range: '1–2', hasNext: true })
  expect(pagerOf('?pageToken=two&from=3', 'three')).toEqual({ range: '3–4', hasNext: true })
})

test('a page that names itself as the next one is the last', () => {
  expect(pagerOf('?pageToken=two&from=3', 'two')).toEqual({ range: '3–4', hasNext: false })
})
