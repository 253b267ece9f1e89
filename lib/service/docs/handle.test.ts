import { expect, test } from 'vitest'
import { endpoints } from '#lib/contract/endpoints.ts'
import { openApiDocument } from '#lib/contract/openapi.ts'
import { eventNames } from '#lib/contract/terms.ts'
import { controlRoutes } from '../control/handle.ts'
import { guideSections } from './guide.ts'
import { handleDocs } from './handle.ts'
import { html } from './html.ts'
import { docsPage } from './page.ts'
import type { postmanCollection } from './postman.ts'

const get = (path: string, init?: RequestInit) => handleDocs(new Request(`http://127.0.0.1:3000${path}`, init))
const page = docsPage(openApiDocument(endpoints, 'http://127.0.0.1:3000/service/v1'))

test('the page describes every endpoint and every event', () => {
  for (const name of Object.keys(endpoints)) expect(page).toContain(`<article id="${name}">`)
  for (const name of eventNames) expect(page).toContain(`<code>${name}</code>`)
})

test('a value is described by its type, also where it may be null or has several patterns', () => {
  const describe = (field: string) => new RegExp(`<code>${field}</code></td><td>([^<]*)`).exec(page)?.[1]
  expect(describe('nextPageToken')).toBe('string or null')
  expect(describe('repayAmount')).toBe('number or null')
  expect(describe('idempotencyKey')).toBe('string (at most 255 characters, not blank, ^[^\\p{Cc}]*$)')
  expect(page).not.toMatch(/<td>any JSON value \(/)
})

test('the page loads its own style sheet and nothing else: no script, no style in it, no other origin', async () => {
  const loaded = [...page.matchAll(/<link[^>]* href="([^"]+)"/g)].map(([, href]) => href)
  expect(loaded).toEqual(['/service/docs/style.css'])
  expect(page).not.toMatch(/<(script|style|img|iframe|object|embed|form|base)\b|\sstyle=|\son\w+=|\ssrc=/i)
  const response = await get('/service/docs')
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'; style-src 'self'")
  const style = await get('/service/docs/style.css')
  expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8')
  const text = await style.text()
  expect(text).not.toMatch(/url\(|@import/)
  // A sentence in the last column would make the page wider than any screen.
  expect(text).not.toMatch(/t[dh][^{]*{[^}]*nowrap/)
})

test('every link of the page leads to a place on it, or to the document', () => {
  const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => `#${id}`))
  const links = [...page.matchAll(/<a[^>]* href="([^"]+)"/g)].map(([, href = '']) => href)
  expect(links.length).toBeGreaterThan(50)
  expect([...new Set(links)].filter((link) => !ids.has(link))).toEqual([
    '/service/v1/openapi.json',
    '/service/docs/postman.json',
  ])
})

test('text that looks like markup stays text', () => {
  const hostile = '<img src=x onerror="alert(1)">\'&'
  const { markup } = html`<p title="${hostile}">${hostile}</p>`
  expect(markup).not.toContain('<img')
  expect(markup).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&#39;&amp;')
})

test('the page says how requests are signed, events are received, which clock counts and what the limits are', () => {
  for (const { id, title } of guideSections) expect(page).toMatch(new RegExp(`<h2 id="${id}">${title}</h2>`))
  const rows = [...page.matchAll(/<td>(\d)<\/td><td>([^<]+)<\/td>/g)].map(([, attempt, when]) => `${attempt} ${when}`)
  expect(rows.map((row) => row.replace(' after the one before', ''))).toEqual([
    '1 at once',
    '2 5 s',
    '3 5 min',
    '4 30 min',
    '5 2 h',
    '6 5 h',
    '7 10 h',
    '8 10 h',
  ])
  expect(page).toContain('<strong>milliseconds</strong>')
})

test('the Postman collection has every endpoint and every call of the control plane, and a value for each variable', async () => {
  const response = await get('/service/docs/postman.json')
  expect(response.headers.get('content-type')).toBe('application/json')
  const { item, variable } = (await response.json()) as ReturnType<typeof postmanCollection>
  const requests = item.flatMap(({ item: requests }) => requests)
  expect(requests.map(({ name }) => name).sort()).toEqual(
    [
      ...Object.values(endpoints).map(({ method, path }) => `${method} ${path}`),
      ...controlRoutes.map(({ method, path }) => `${method} ${path}`),
    ].sort(),
  )
  const known = variable.map(({ key }) => key)
  for (const [, name] of JSON.stringify(item).matchAll(/\{\{(\w+)\}\}/g)) expect(known).toContain(name)
  expect(requests.find(({ name }) => name === 'POST /cards/lock')?.request).toMatchObject({
    url: { raw: '{{baseUrl}}/cards/lock', host: ['{{baseUrl}}'], path: ['cards', 'lock'] },
    body: { raw: '{\n  "cardAccountId": "{{cardAccountId}}",\n  "cardId": "{{cardId}}"\n}' },
  })
  expect(requests.find(({ name }) => name === 'GET /payouts/{countryCode}/banks')?.request.url).toMatchObject({
    path: ['payouts', ':countryCode', 'banks'],
    variable: [{ key: 'countryCode', value: 'HK' }],
  })
})

test('any other path is a 404, any other method a 405, and a known version a 304', async () => {
  expect((await get('/service/docs/other')).status).toBe(404)
  expect((await get('/service/docs/constructor')).status).toBe(404)
  expect((await get('/service/docs', { method: 'POST' })).status).toBe(405)
  const etag = (await get('/service/docs')).headers.get('etag') ?? ''
  for (const known of [etag, `W/${etag}`, `"other", W/${etag}`, '*']) {
    expect((await get('/service/docs', { headers: { 'if-none-match': known } })).status).toBe(304)
  }
  expect((await get('/service/docs', { headers: { 'if-none-match': 'W/"other"' } })).status).toBe(200)
})
