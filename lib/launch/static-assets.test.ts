import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { addCompileHints, compressAssets, serveAssets } from './static-assets.ts'

const script = 'export const amount = "1,204,880.00 HKD";\n'.repeat(100)

async function serve() {
  const parent = mkdtempSync(path.join(tmpdir(), 'carddesk-assets-'))
  onTestFinished(() => rmSync(parent, { recursive: true }))
  const folder = path.join(parent, 'static')
  mkdirSync(path.join(folder, 'chunks'), { recursive: true })
  writeFileSync(path.join(parent, 'secret.js'), 'secret')
  writeFileSync(path.join(folder, 'chunks', 'a1.js'), script)
  writeFileSync(path.join(folder, 'chunks', 'tiny.js'), 'let a')
  await compressAssets(folder)
  const server = createServer(
    serveAssets(folder, (requested, response) => void response.writeHead(404).end(`not here: ${requested.url}`)),
  ).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  /** As it is written: `fetch` would resolve dots and decompress. */
  const get = async (target: string, headers: Record<string, string> = {}) => {
    const requesting = request({ port, host: '127.0.0.1', path: target, headers, agent: false }).end()
    const [response] = (await once(requesting, 'response')) as [IncomingMessage]
    const body = Buffer.concat(await response.toArray())
    return { status: response.statusCode, headers: response.headers, body }
  }
  return { folder, get }
}

test('a browser gets the smallest form that it understands, to keep for ever', async () => {
  const { get } = await serve()
  const target = '/_next/static/chunks/a1.js'
  const stored = {
    'cache-control': 'public,max-age=31536000,immutable',
    'content-type': 'text/javascript',
    'content-security-policy': "frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    vary: 'Accept-Encoding',
  }
  const br = await get(target, { 'accept-encoding': 'gzip, deflate, br, zstd' })
  expect(br.headers).toMatchObject({ ...stored, 'content-encoding': 'br' })
  expect(brotliDecompressSync(br.body).toString()).toBe(script)
  const gz = await get(target, { 'accept-encoding': 'gzip' })
  expect(gz.headers).toMatchObject({ ...stored, 'content-encoding': 'gzip' })
  expect(gunzipSync(gz.body).toString()).toBe(script)
  expect(br.body.length).toBeLessThan(gz.body.length)
  const plain = await get(target)
  expect(plain.headers['content-encoding']).toBeUndefined()
  expect(plain.body.toString()).toBe(script)
})

test('what is too small to gain is left as it is', async () => {
  const { folder, get } = await serve()
  expect(existsSync(path.join(folder, 'chunks', 'tiny.js.br'))).toBe(false)
  const response = await get('/_next/static/chunks/tiny.js', { 'accept-encoding': 'br' })
  expect(response.body.toString()).toBe('let a')
})

test.each([
  '/_next/static/chunks/none.js',
  '/_next/static/../secret.js',
  '/_next/static/%2e%2e/secret.js',
  '/_next/static/..%2fsecret.js',
  '/_next/static/%',
  '/_next/data',
  '/sandbox',
])('%s is passed on unchanged', async (target) => {
  const { get } = await serve()
  const response = await get(target)
  expect(response.status).toBe(404)
  expect(response.body.toString()).toBe(`not here: ${target}`)
})

test('a file that is gone since the start, with a newer build, ends the request at once', async () => {
  const { folder, get } = await serve()
  rmSync(path.join(folder, 'chunks', 'tiny.js'))
  await expect(get('/_next/static/chunks/tiny.js')).rejects.toMatchObject({ code: 'ECONNRESET' })
  expect((await get('/_next/static/chunks/a1.js')).status).toBe(200)
})

test('each script begins with the hint to compile it while it arrives, and nothing else changes', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'carddesk-assets-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(path.join(folder, 'chunks'))
  writeFileSync(path.join(folder, 'chunks', 'a1.js'), script)
  writeFileSync(path.join(folder, 'style.css'), 'a {}')
  await addCompileHints(folder)
  expect(readFileSync(path.join(folder, 'chunks', 'a1.js'), 'utf8')).toBe(`//# allFunctionsCalledOnLoad\n${script}`)
  expect(readFileSync(path.join(folder, 'style.css'), 'utf8')).toBe('a {}')
})
