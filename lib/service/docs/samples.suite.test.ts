import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { endpoints } from '#lib/contract/endpoints.ts'
import { openApiDocument } from '#lib/contract/openapi.ts'
import { freePort } from '#lib/db/free-port.ts'
import { certify } from '#lib/qa/scenarios/certify.ts'
import { openTarget } from '#lib/qa/scenarios/target.ts'
import { serveBuiltInService } from '#lib/qa/scenarios/testing.ts'
import { basic } from '../testing.ts'
import { docsPage } from './page.ts'

const run = promisify(execFile)
const folder = mkdtempSync(path.join(tmpdir(), 'carddesk-samples-'))
const hasPython = (() => {
  try {
    execFileSync('python3', ['-c', 'import cryptography'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

let served: Awaited<ReturnType<typeof serveBuiltInService>>
let environment: Record<string, string | undefined>
beforeAll(async () => {
  served = await serveBuiltInService()
  const { accessKey, privateKey } = served.connection
  const file = path.join(folder, 'key.pem')
  writeFileSync(file, privateKey)
  environment = { PATH: process.env.PATH, HOME: process.env.HOME, ACCESS_KEY: accessKey, PRIVATE_KEY: file }
})
afterAll(() => served.close())

/** The program as the page shows it, in a file. */
function programOnPage(id: string, extension: string): string {
  const page = docsPage(openApiDocument(endpoints, served.connection.baseUrl))
  const [, printed = ''] = new RegExp(`<pre id="${id}"[^>]*><code>([\\s\\S]*?)</code></pre>`).exec(page) ?? []
  expect(printed).not.toBe('')
  const file = path.join(folder, `${id}.${extension}`)
  const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' }
  writeFileSync(
    file,
    printed.replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => entities[entity] ?? ''),
  )
  return file
}

const languages = [
  { name: 'Node', id: 'node', extension: 'mjs', command: process.execPath, isThere: true },
  { name: 'Python', id: 'python', extension: 'py', command: 'python3', isThere: hasPython },
]

describe.each(languages.filter(({ isThere }) => isThere))('$name', ({ id, extension, command }) => {
  test('the printed program signs requests that the service takes, and fails with another key', async () => {
    const file = programOnPage(`sign-in-${id}`, extension)
    const { stdout } = await run(command, [file], { env: environment as NodeJS.ProcessEnv })
    expect(stdout).toMatch(/repayments.*cardAccountId/s)
    const other = { ...environment, ACCESS_KEY: '00000000-0000-4000-8000-000000000000' }
    const refused = run(command, [file], { env: other as unknown as NodeJS.ProcessEnv })
    await expect(refused).rejects.toMatchObject({ stderr: expect.stringContaining('401') })
  })

  test('the printed receiver takes deliveries of the service, and refuses what it did not sign', async () => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/`
    const receiver = spawn(command, [programOnPage(`receive-in-${id}`, extension)], {
      env: { ...environment, PORT: String(port) } as unknown as NodeJS.ProcessEnv,
    })
    onTestFinished(() => void receiver.kill('SIGKILL'))
    const printed = outputOf(receiver)
    const post = (headers: Record<string, string>) => fetch(url, { method: 'POST', body: '{"id":"1"}', headers })
    await vi.waitFor(async () => expect((await post({})).status, printed()).toBe(401), {
      timeout: 20_000,
      interval: 100,
    })
    expect((await post({ 'x-access-signature': 'AAAA' })).status).toBe(401)

    const { baseUrl, controlUrl, accessKey } = served.connection
    const send = (target: string, body: object) =>
      fetch(target, {
        method: 'POST',
        headers: { authorization: basic(accessKey), 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }).then((response) => response.json() as Promise<{ id: string }>)
    const webhook = await send(`${baseUrl}/webhooks`, { url, events: ['*'] })
    const event = await send(`${controlUrl}/events`, { event: 'card.updated', data: { id: 'a card' } })
    await vi.waitFor(() => expect(printed()).toContain('card.updated'), { timeout: 20_000, interval: 100 })
    const replayed = await send(`${controlUrl}/deliveries/replay`, { webhookId: webhook.id, eventId: event.id })
    expect(replayed).toMatchObject({ delivered: true, status: 200 })
    expect(printed().match(/card\.updated/g)).toHaveLength(1)

    const target = openTarget(served.connection)
    onTestFinished(() => target.close())
    const checked = await certify({ target, url, probe: null })
    expect(checked.filter(({ outcome }) => outcome === 'failed').map(({ label }) => label)).toEqual([])
  })
})

function outputOf({ stdout, stderr }: ChildProcess): () => string {
  let text = ''
  for (const stream of [stdout, stderr]) stream?.on('data', (chunk) => (text += String(chunk)))
  return () => text
}
