import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { messagesIn } from '#components/messages/catalogue.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { shareConsole } from '../testing/open-console.ts'
import { embedDocument } from './document.ts'

shareConsole({ seeded: 1 })

const open = (search = '') =>
  embedDocument(new Request(`https://console.test/embed${search}`), (language) => messagesIn(language).frame)

test('the page of embedded views names the origins that may frame it', async () => {
  const { headers } = open()
  expect(headers.get('content-security-policy')).toMatch(/frame-ancestors https:\/\/help\.example\.com$/)
  expect(headers.get('content-security-policy')).not.toMatch(/unsafe|\*/)
  expect(headers.get('x-frame-options')).toBeNull()
  // Without them, a host with Cross-Origin-Embedder-Policy can't frame it.
  expect(headers.get('cross-origin-embedder-policy')).toBe('require-corp')
  expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
})

test('without an allowed origin no page may frame it', () => {
  consoleSettings().embedOrigins = []
  const { headers } = open()
  expect(headers.get('content-security-policy')).toMatch(/frame-ancestors 'none'$/)
  expect(headers.get('x-frame-options')).toBe('DENY')
})

test.each([
  ['', 'en-HK', 'Asia/Hong_Kong', 'Open in Carddesk'],
  ['?lang=en-US&time-zone=europe/london', 'en-HK', 'Europe/London', 'Open in Carddesk'],
  ['?lang=zh-CN&time-zone=Mars/Base', 'en-HK', 'Asia/Hong_Kong', 'Open in Carddesk'],
  ['?lang=zh-Hant', 'zh-Hant-HK', 'Asia/Hong_Kong', '在 Carddesk 開啟'],
  ['?lang=zh-TW&time-zone=Asia/Taipei', 'zh-Hant-HK', 'Asia/Taipei', '在 Carddesk 開啟'],
  ['?lang=zh-HK&time-zone=%22%3E%3Cscript%3E', 'zh-Hant-HK', 'Asia/Hong_Kong', '在 Carddesk 開啟'],
])('the page of %j has the language, the time zone and the texts of these', async (search, lang, timeZone, link) => {
  const page = await open(search).text()
  expect(page).toContain(`<html lang="${lang}" data-time-zone="${timeZone}"`)
  expect(page.match(/<script/g)).toHaveLength(2)
  const [, texts = ''] = /id="texts">(.+?)<\/script>/.exec(page) ?? []
  expect(JSON.parse(texts)).toMatchObject({ open: link })
  expect(gzipSync(page).length).toBeLessThan(2_000)
})

test('the docs have the digest of the script, for hosts that load no other version', () => {
  const digest = createHash('sha384').update(readFileSync('public/embed.js')).digest('base64')
  expect(readFileSync('docs/embedding.md', 'utf8')).toContain(`integrity="sha384-${digest}"`)
})

test('the JavaScript of a view is small', () => {
  const files = ['embed.js', 'embed-view.js'].map((file) => readFileSync(`public/${file}`))
  const bytes = files.reduce((sum, file) => sum + gzipSync(file).length, 0)
  expect(bytes).toBeGreaterThan(1_000)
  expect(bytes).toBeLessThan(15_000)
})

test('embedded views have the colours of the console', () => {
  const view = readFileSync('public/embed-view.css', 'utf8')
  const page = readFileSync('app/globals.css', 'utf8')
  const colours = [...view.matchAll(/--([\w-]+): (light-dark\([^)]+\));/g)]
  expect(colours.length).toBeGreaterThan(15)
  for (const [, name, value] of colours) expect(page).toContain(`--color-${name}: ${value};`)
})
