import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { EventName } from './event-name.tsx'

test('a name may break after its dots only, and its text is unchanged', () => {
  const markup = renderToStaticMarkup(<EventName name="cardaccount.transaction.created" />)
  expect(markup).toContain('cardaccount.<wbr/>transaction.<wbr/>created')
  expect(markup.replaceAll(/<[^>]+>/g, '')).toBe('cardaccount.transaction.created')
  expect(renderToStaticMarkup(<EventName name="ping" />)).not.toContain('wbr')
})

test('a deprecated event says so, and what replaced it', () => {
  const markup = renderToStaticMarkup(<EventName name="cardaccount.transaction.verification-code-delivered" />)
  expect(markup).toContain('deprecated')
  expect(markup).toContain('Replaced by the 3D Secure challenge flow')
  expect(renderToStaticMarkup(<EventName name="constructor" />)).not.toContain('deprecated')
})
