import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { consoleSettings } from '../desk/settings.ts'
import { shareConsole } from '../testing/open-console.ts'
import { embedDocument } from './document.ts'

shareConsole({ seeded: 1 })

test('the page of embedded views names the origins that may frame it', async () => {
  const { headers } = embedDocument()
  expect(headers.get('content-security-policy')).toMatch(/frame-ancestors https:\/\/help\.example\.com$/)
  expect(headers.get('content-security-policy')).not.toMatch(/unsafe|\*/)
  expect(headers.get('x-frame-options')).toBeNull()
})

test('without an allowed origin no page may frame it', () => {
  consoleSettings().embedOrigins = []
  const { headers } = embedDocument()
  expect(headers.get('content-security-policy')).toMatch(/frame-ancestors 'none'$/)
  expect(headers.get('x-frame-options')).toBe('DENY')
})

test('embedded views have the colours of the console', () => {
  const view = readFileSync('public/embed-view.css', 'utf8')
  const page = readFileSync('app/globals.css', 'utf8')
  const colours = [...view.matchAll(/--([\w-]+): (light-dark\([^)]+\));/g)]
  expect(colours.length).toBeGreaterThan(15)
  for (const [, name, value] of colours) expect(page).toContain(`--color-${name}: ${value};`)
})
