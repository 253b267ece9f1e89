import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { viewQuery, withoutFilters } from '#lib/api/saved-views.ts'
import { changeView, defaultViewQuery, deleteView, listSavedViews, saveView } from './saved-views.ts'
import { shareConsole } from './testing/open-console.ts'

const desk = shareConsole({ seeded: 1 })

const input = (more: Partial<Parameters<typeof saveView>[0]> = {}): Parameters<typeof saveView>[0] => ({
  environment: 'sandbox',
  viewId: randomUUID(),
  list: 'fees',
  name: 'Pending',
  query: 'status=pending&pageToken=abc&open=1&from=51',
  columns: null,
  isDefault: false,
  ...more,
})
const views = async () => (await listSavedViews('sandbox')).views

test('a view belongs to one person and one environment, and stores no page and no open row', async () => {
  await desk.signIn('operations')
  expect(await saveView(input({ columns: ['account', 'amount'] }))).toEqual({ kind: 'saved' })
  expect(await views()).toMatchObject([{ name: 'Pending', query: 'status=pending', columns: ['account', 'amount'] }])
  expect((await listSavedViews('production')).views).toEqual([])
  await desk.signIn('support')
  expect(await views()).toEqual([])
  expect(await saveView(input())).toEqual({ kind: 'saved' })
})

test('of views saved from several tabs at once, each is stored or refused', async () => {
  await desk.signIn('qa')
  const names = ['One', 'Two', 'Three', 'four', 'Four']
  // With their connections open, they begin together.
  await Promise.all(names.map(() => views()))
  const results = await Promise.all(names.map((name) => saveView(input({ name, isDefault: true }))))
  expect(results.map(({ kind }) => kind).toSorted()).toEqual(['invalid', 'saved', 'saved', 'saved', 'saved'])
  const stored = await views()
  expect(stored).toHaveLength(4)
  expect(stored.filter(({ isDefault }) => isDefault)).toHaveLength(1)
  const changed = await Promise.all(
    stored.map(({ id }) => changeView({ environment: 'sandbox', viewId: id, name: 'Renamed', isDefault: true })),
  )
  expect(changed.filter(({ kind }) => kind === 'saved')).toHaveLength(1)
})

test('names count once in a list, one view is the default, and only the own one is changed or deleted', async () => {
  await desk.signIn('approver')
  const [one, other] = [input({ isDefault: true }), input({ name: 'Void', query: 'status=void' })]
  await saveView(one)
  expect(await saveView(input({ name: 'PENDING' }))).toMatchObject({
    kind: 'invalid',
    fields: { name: expect.any(String) },
  })
  await saveView(other)
  // A second click, or a retry after a lost response.
  await saveView(one)
  expect(await defaultViewQuery('sandbox', 'fees')).toBe('status=pending')
  await changeView({ environment: 'sandbox', viewId: other.viewId, isDefault: true, name: 'Waived' })
  expect(await defaultViewQuery('sandbox', 'fees')).toBe('status=void')
  expect((await views()).map(({ name, isDefault }) => [name, isDefault])).toEqual([
    ['Pending', false],
    ['Waived', true],
  ])
  expect(await changeView({ environment: 'sandbox', viewId: other.viewId, name: 'pending' })).toMatchObject({
    kind: 'invalid',
  })
  await desk.signIn('viewer')
  expect(await defaultViewQuery('sandbox', 'fees')).toBeNull()
  expect(await changeView({ environment: 'sandbox', viewId: other.viewId, name: 'x' })).toMatchObject({
    kind: 'invalid',
    fields: { viewId: 'is not a view of yours' },
  })
  await deleteView({ environment: 'sandbox', viewId: other.viewId })
  await desk.signIn('approver')
  expect(await views()).toHaveLength(2)
  await deleteView({ environment: 'sandbox', viewId: other.viewId })
  expect(await views()).toHaveLength(1)
})

test('what is changed after a lost response is stored at the second press, and never in the view of another person', async () => {
  await desk.signIn('admin')
  const first = input({ list: 'payouts', name: 'One' })
  await saveView(first)
  const second = { ...first, name: 'Two', query: 'status=void', columns: ['amount'], isDefault: true }
  expect(await saveView(second)).toEqual({ kind: 'saved' })
  const { environment: _environment, viewId: id, ...stored } = second
  expect(await views()).toEqual([{ id, ...stored }])
  await desk.signIn('viewer')
  await saveView({ ...second, name: 'Three' })
  await desk.signIn('admin')
  expect(await views()).toEqual([{ id, ...stored }])
})

test('a view holds no card number and no unknown list', async () => {
  await desk.signIn('qa')
  for (const [more, field] of [
    [{ query: 'q=4242424242424242' }, 'query'],
    [{ name: '4242 4242 4242 4242' }, 'name'],
    [{ name: '  ' }, 'name'],
    [{ list: 'elsewhere' as 'fees' }, 'list'],
  ] as const) {
    expect(await saveView(input(more))).toMatchObject({ kind: 'invalid', fields: { [field]: expect.any(String) } })
  }
})

test('the same filters are the same query', () => {
  expect(viewQuery('?b=2&a=1&from=9&c=')).toBe('a=1&b=2')
  expect(viewQuery('a=1&b=2')).toBe('a=1&b=2')
  expect(viewQuery(withoutFilters)).toBe('')
})

test('a view that filters by data which the role of its owner no longer shows is no default', async () => {
  await desk.signIn('viewer')
  await saveView(input({ list: 'card-accounts', name: 'Mine', query: 'groupKey=contact&group=anna', isDefault: true }))
  expect(await defaultViewQuery('sandbox', 'card-accounts')).toBeNull()
  await saveView(input({ list: 'card-accounts', name: 'Open', query: 'groupKey=department', isDefault: true }))
  expect(await defaultViewQuery('sandbox', 'card-accounts')).toBe('groupKey=department')
  await desk.signIn('support')
  await saveView(input({ list: 'card-accounts', name: 'Mine', query: 'groupKey=contact&group=anna', isDefault: true }))
  expect(await defaultViewQuery('sandbox', 'card-accounts')).toBe('group=anna&groupKey=contact')
})
