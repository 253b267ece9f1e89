import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { redactResponse } from './redact.ts'

const redact = (body: object) => redactResponse('listCards', 200, JSON.stringify(body))

test('a body that is deeper than a script can walk is not stored, and fails no other', () => {
  const deep = `${'['.repeat(15_000)}${']'.repeat(15_000)}`
  expect(redactResponse('listCards', 200, `{"token":${deep}}`)).toEqual({ text: null, note: 'too large' })
})

test('a page of a list is stored as it came, without being parsed again', () => {
  const ids = ['6f1b2a52-0000-4000-8000-000000000001', ...Array.from({ length: 50 }, () => randomUUID())]
  const page = { cards: ids.map((id) => ({ id, last4: '4242' })), prevPageToken: null, nextPageToken: 'a.b' }
  const parse = vi.spyOn(JSON, 'parse')
  expect(redact(page)).toEqual({ text: JSON.stringify(page), note: null })
  expect(parse).not.toHaveBeenCalled()
  parse.mockRestore()
})

test.each([
  [
    { token: 'abc', nextPageToken: 'def' },
    { token: '•••', nextPageToken: 'def' },
  ],
  [{ accessToken: 'abc' }, { accessToken: '•••' }],
  [{ card: { pin: '1234' } }, { card: { pin: '•••' } }],
  [
    { id: randomUUID(), number: 4242424242424242 },
    { id: expect.any(String), number: '•••• 4242' },
  ],
  [
    { text: '6f1b2a52-0000-4000-8000-000000000001 4242 4242 4242 4242' },
    { text: '6f1b2a52-0000-4000-8000-000000000001 •••• 4242' },
  ],
])('%j is stored without its secrets', (body, stored) => {
  expect(JSON.parse(redact(body).text ?? '')).toEqual(stored)
})
