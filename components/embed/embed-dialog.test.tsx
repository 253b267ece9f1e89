import { expect, test } from 'vitest'
import { embedCode } from './embed-dialog.tsx'

test('the copied code names the object and the token as attributes, escaped, and no URL has the token', () => {
  const object = { environment: 'sandbox', type: 'card', id: 'a"b<c', cardAccountId: 'account' } as const
  const code = embedCode('https://carddesk.example.com', object, 'eyJ.token')
  expect(code).toBe(
    [
      '<script src="https://carddesk.example.com/embed.js" defer></script>',
      '<carddesk-view environment="sandbox" type="card" id="a&quot;b&lt;c" token="eyJ.token"></carddesk-view>',
    ].join('\n'),
  )
  expect(code).not.toMatch(/(?:src|href)="[^"]*eyJ/)
})
