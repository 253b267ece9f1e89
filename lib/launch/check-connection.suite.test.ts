import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { shareConsole } from '#lib/console/testing/open-console.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { nodeArguments } from '#lib/shared/testing/npm-script.ts'
import { testKeyPair } from '#lib/signing/testing.ts'
import { root } from './build.ts'

const desk = shareConsole({ seeded: 12 })

type Ran = { code: number | null; out: string; err: string }

/** Runs the command as `npm run check` does, with no settings but these. */
function runCheck(args: readonly string[], settings: Record<string, string>): Promise<Ran> {
  const command = [...nodeArguments('check'), ...args]
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, command, { cwd: root, env: { PATH, NODE_ENV: 'test', ...settings } })
  onTestFinished(() => void child.kill())
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => (out += chunk))
  child.stderr.on('data', (chunk) => (err += chunk))
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })))
}

function realService(baseUrl?: string): Record<string, string> {
  const { sandbox } = consoleSettings().services
  if (!sandbox) throw new Error('the sandbox is connected')
  return {
    SERVICE_SANDBOX_URL: baseUrl ?? sandbox.baseUrl,
    SERVICE_SANDBOX_ACCESS_KEY: sandbox.accessKey,
    SERVICE_SANDBOX_PRIVATE_KEY: sandbox.privateKey ?? '',
  }
}

test('a usable service ends with 0, as a table and as JSON, without a running console', async () => {
  const table = await runCheck([], realService())
  expect(table).toMatchObject({ code: 0, err: '' })
  expect(table.out).toMatch(/^GET \/cardaccounts +matches +200 /m)
  expect(table.out).toMatch(/Result: usable, no contradictions/)
  const json = await runCheck(['sandbox', '--json'], { ...realService(), NEXTAUTH_URL: 'https://console.example.com' })
  expect(json.code).toBe(0)
  expect(JSON.parse(json.out)).toMatchObject({
    result: 'usable',
    inboxUrl: 'https://console.example.com/api/webhooks/inbox/sandbox',
  })
})

test('the built-in service is checked with its access file, and has to run', async () => {
  const { sandbox } = consoleSettings().services
  const folder = mkdtempSync(path.join(tmpdir(), 'carddesk-check-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  expect(await runCheck([], { DATA_DIR: folder })).toMatchObject({ code: 2, err: expect.stringMatching(/npm start/) })
  const privateKeyFile = path.join(folder, 'caller.pem')
  writeFileSync(privateKeyFile, sandbox?.privateKey ?? '')
  const access = { baseUrl: sandbox?.baseUrl, accessKey: sandbox?.accessKey, privateKeyFile }
  writeFileSync(path.join(folder, 'service-access.json'), JSON.stringify(access))
  const ran = await runCheck([], { DATA_DIR: folder })
  expect(ran).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/Webhook key +from the built-in service/) })
})

test('differences end with 1, and nothing to compare with 2', async () => {
  desk.intercept.before = (request, response) => {
    if (!request.url?.includes('/fees')) return false
    response.writeHead(404).end('{}')
    return true
  }
  const differing = await runCheck([], realService())
  expect(differing.code).toBe(1)
  expect(differing.out).toMatch(/"listFees": "Enter the path of GET \/fees on/)

  const server = createServer((_request, response) => response.writeHead(401).end('{"code":"INVALID_ACCESS_KEY"}'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const rejecting = await runCheck([], realService(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`))
  expect(rejecting.code).toBe(2)
  expect(rejecting.out).toMatch(/GET \/ping +rejected +401/)
})

test('wrong settings are one line each, and end with 2', async () => {
  const { privateKey } = testKeyPair
  const wrong = await runCheck([], { SERVICE_SANDBOX_URL: 'cards', SERVICE_SANDBOX_PRIVATE_KEY: privateKey })
  expect(wrong).toMatchObject({ code: 2, out: '' })
  expect(wrong.err.trim().split('\n')).toEqual([
    expect.stringMatching(/^SERVICE_SANDBOX_URL must be the https base address of the service, .*; it is "cards"\.$/),
    'SERVICE_SANDBOX_ACCESS_KEY must be set.',
  ])
  const production = await runCheck(['production'], {})
  expect(production).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^production is not connected\. Set SERVICE_/),
  })
  expect((await runCheck(['staging'], {})).err).toMatch(/^Usage: npm run check/)
})
