import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { FilterMenu } from './filter-menu.tsx'
import { FilterSelect } from './filter-select.tsx'
import { FilterText, inEffect } from './filter-text.tsx'
import { parseAsServiceId } from './filter-values.ts'
import { setFilter } from './set-filter.ts'

const noop = () => undefined
const options = [
  { value: 'posted', label: 'Posted' },
  { value: 'void', label: 'Void' },
]

test('an id of the service in a URL is opaque, bounded and unchanged', () => {
  for (const id of ['6F9619FF-8B86-4D01-B42D-00CF4FC964FF', 'Acc_01HZX/3?a=b', '7', 'x'.repeat(200)]) {
    expect(parseAsServiceId.parse(id)).toBe(id)
    expect(parseAsServiceId.serialize(id)).toBe(id)
  }
  for (const text of ['', 'x'.repeat(201), 'a\u0000b']) expect(parseAsServiceId.parse(text)).toBeNull()
})

test('a select shows and keeps a value that is not among its options', () => {
  const html = renderToString(<FilterSelect label="Status" value="settling-x" options={options} onChange={noop} />)
  expect(html).toContain('<option value="settling-x" selected="">settling-x</option>')
})

test('a select finds an id that the URL spells in another case', () => {
  const ids = [{ value: 'Acc-1', label: 'Main account' }]
  const html = renderToString(<FilterSelect label="Account" value="ACC-1" options={ids} onChange={noop} />)
  expect(html).toContain('<option value="Acc-1" selected="">Main account</option>')
  expect(html).not.toContain('ACC-1')
})

test('a menu names a chosen value that is not among its options', () => {
  const html = renderToString(
    <FilterMenu label="Intent" value={['void', 'gift-x']} options={options} onChange={noop} />,
  )
  expect(html).toContain('Void, gift-x')
})

test('a filter that is set looks the same whatever its kind, also where it is the button of a menu', () => {
  const look = `class="[^"]*${setFilter.replaceAll('/', '\\/')}`
  const filters = (isSet: boolean) => [
    <FilterMenu key="menu" label="Status" value={isSet ? ['posted'] : null} options={options} onChange={noop} />,
    <FilterSelect key="select" label="Status" value={isSet ? 'posted' : null} options={options} onChange={noop} />,
    <FilterText key="text" label="Merchant" value={isSet ? 'Klook' : null} onChange={noop} />,
  ]
  for (const filter of filters(true)) expect(renderToString(filter)).toMatch(new RegExp(look))
  for (const filter of filters(false)) expect(renderToString(filter)).not.toMatch(new RegExp(look))
})

test('a text that is no filter is shown with the filter that stays in effect, or that none is', () => {
  expect(inEffect('100')).toBe('Still filtered by 100.')
  expect(inEffect(null)).toBe('Not filtered yet.')
})
