import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { DisputeAge } from './dispute-age.tsx'

const at = '2026-11-26T12:00:00Z'

test.each([
  ['2026-11-26T11:00:00Z', false, 'less than a day'],
  ['2026-11-23T11:00:00Z', false, '3 days'],
  ['2026-11-23T11:00:00Z', true, 'at least 3 days'],
  ['2026-11-26T11:00:00Z', true, '– It was open when Carddesk first saw the transaction, less than a day ago'],
  [null, false, '– Carddesk has no transaction that shows when it opened'],
])('a dispute that is open since %s, maybe longer: %s, is shown as %s', (since, mayBeOlder, text) => {
  const html = renderToString(<DisputeAge since={since} mayBeOlder={mayBeOlder} at={at} />)
  expect(html.replaceAll(/<[^>]*>/g, '')).toBe(text)
})
