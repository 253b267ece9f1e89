import { expect, test } from 'vitest'
import { webhookTitle } from './webhook-title.ts'

const url = 'https://hooks.example.com/in?token=hidden'

test.each([
  ['its name', { name: 'ledger', url, id: 'wh-1' }, 'ledger'],
  ['the host with the ID', { name: null, url, id: 'wh-1' }, 'hooks.example.com (wh-1)'],
  ['a shortened ID', { name: null, url, id: '0b2f1c52-9a7e-4f9b-9d3c-2f1f9f0a3b4c' }, 'hooks.example.com (0b2f…3b4c)'],
  ['the ID alone', { name: null, url: 'not an address', id: 'wh-1' }, 'wh-1'],
])('the title of a webhook is %s', (_, webhook, title) => {
  expect(webhookTitle(webhook)).toBe(title)
})
