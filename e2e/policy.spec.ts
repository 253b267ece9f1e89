import { expect, test } from './fixtures.ts'

test('a page comes with a policy of its own nonce, without unsafe-inline or unsafe-eval, for no frame', async ({
  request,
}) => {
  const policies = [await request.get('/sign-in'), await request.get('/sign-in')].map(
    (response) => response.headers()['content-security-policy'] ?? '',
  )
  const [policy = ''] = policies
  expect(policy).not.toMatch(/unsafe-(inline|eval)|\*|http:\/\/(?!localhost|127\.0\.0\.1)/)
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).toContain("object-src 'none'")
  const nonces = policies.map((text) => /script-src [^;]*'nonce-([\w+/=]{20,})'/.exec(text)?.[1])
  expect(nonces[0]).toBeTruthy()
  expect(nonces[0]).not.toBe(nonces[1])
})

test('every script and style of a page carries the nonce of its policy, and no element has a style attribute', async ({
  request,
}) => {
  for (const address of ['/sign-in', '/there-is-nothing-here']) {
    const response = await request.get(address)
    const nonce = /'nonce-([^']+)'/.exec(response.headers()['content-security-policy'] ?? '')?.[1] ?? 'none'
    const html = await response.text()
    const inline = html.match(/<(script|style)\b[^>]*>/g) ?? []
    expect(inline.length).toBeGreaterThan(0)
    expect(
      inline.filter((tag) => !tag.includes(`nonce="${nonce}"`)),
      address,
    ).toEqual([])
    expect(html.match(/<[a-z]+\b[^>]* style="[^"]*"/g) ?? [], address).toEqual([])
  }
})

test('what a caller sends as policy or nonce does not reach the page', async ({ request }) => {
  const headers = { 'content-security-policy': "script-src 'nonce-mine'", 'x-nonce': 'mine' }
  const response = await request.get('/sign-in', { headers })
  expect(response.headers()['content-security-policy']).not.toContain('mine')
  expect(await response.text()).not.toContain('nonce="mine"')
})

test('an inline script that reached a page does not run', async ({ page, expectProblem }) => {
  expectProblem(/script-src|Content Security Policy/)
  await page.goto('/sign-in')
  await page.evaluate(() => {
    const script = document.createElement('img')
    script.setAttribute('onerror', 'window.ran = true')
    script.src = 'data:,'
    document.body.append(script)
  })
  await expect.poll(() => page.evaluate(() => document.images[document.images.length - 1]?.complete)).toBe(true)
  expect(await page.evaluate(() => Reflect.get(window, 'ran') as unknown)).toBeUndefined()
})

for (const address of ['/sign-in', '/api/health']) {
  test(`${address} sends nosniff, forbids framing and sends no referrer`, async ({ request }) => {
    expect((await request.get(address)).headers()).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'") as unknown,
    })
  })
}

test('a response names no software', async ({ request }) => {
  const headers = (await request.get('/sign-in')).headers()
  expect(headers['x-powered-by']).toBeUndefined()
  expect(headers.server).toBeUndefined()
})

test('a page at 127.0.0.1 leads to the console at localhost, where its cookies are', async ({
  access,
  request,
  baseURL,
}) => {
  const response = await request.get(`${new URL(access.baseUrl).origin}/sign-in?from=x`, { maxRedirects: 0 })
  expect(response.status()).toBe(307)
  expect(response.headers().location).toBe(`${baseURL}/sign-in?from=x`)
})
