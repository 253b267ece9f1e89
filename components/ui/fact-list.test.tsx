import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { FactList } from './fact-list.tsx'
import { CopyButton } from './id-text.tsx'
import { TextLink } from './text-link.tsx'

test('a fact without a value is shown as not provided, one that is left out is not there', () => {
  const html = renderToString(<FactList facts={[{ label: 'Name', value: null }, null, false, '']} />)
  expect(html).toContain('Not provided')
  expect(html.match(/<dt/g)).toHaveLength(1)
})

test('a link without a page is its text, and nothing is offered to copy where there is no text', () => {
  expect(renderToString(<TextLink href={null}>Card ending 1234</TextLink>)).toBe('<span>Card ending 1234</span>')
  expect(renderToString(<CopyButton text={null} label="ID" />)).toBe('')
})
