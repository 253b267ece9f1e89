import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { BuiltReproduction } from '#lib/qa/reproduce/types.ts'
import { BuiltSandbox } from './reproduce-dialog.tsx'

const built: BuiltReproduction = {
  kind: 'built',
  passed: 12,
  steps: 12,
  failure: null,
  differences: [],
  recordId: '8b9f1c3e-2f0a-4c1d-9e7b-000000001111',
  sandbox: {
    id: '5d0c7e1f9a3b2c48',
    baseUrl: 'http://127.0.0.1:3000/service/sandboxes/5d0c7e1f9a3b2c48/v1',
    controlUrl: 'http://127.0.0.1:3000/service/sandboxes/5d0c7e1f9a3b2c48/control',
    expiresAt: '2026-11-26T16:00:00.000Z',
  },
}

function textOf(given: Partial<BuiltReproduction>): string {
  return renderToString(<BuiltSandbox built={{ ...built, ...given }} type="account" />)
    .replaceAll(/<!-- -->|<wbr\/>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
}

test('a sandbox in the same state says so, and where it is', () => {
  const text = textOf({})
  expect(text).toContain('The sandbox has the same state.')
  expect(text).toContain(built.sandbox.baseUrl)
  expect(text).toContain(built.sandbox.controlUrl)
  expect(text).toContain('Open in the QA lab')
})

test('differences are shown, five of them and how many more there are', () => {
  const text = textOf({ differences: Array.from({ length: 7 }, (_, index) => `cards: missing: ${index}`) })
  expect(text).toContain('The sandbox differs.')
  expect(text).toContain('cards: missing: 4')
  expect(text).not.toContain('cards: missing: 5')
  expect(text).toContain('2 more')
})

test('a scenario that stopped says after how many steps, and why', () => {
  const text = textOf({ passed: 3, failure: 'The account: it failed', differences: null, recordId: null })
  expect(text).toContain('The scenario stopped after 3 of 12 steps.')
  expect(text).toContain('The account: it failed')
  expect(text).toContain('Not made')
})
