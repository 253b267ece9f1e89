import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunReport } from '#lib/scenarios/report.ts'
import { serveBuiltInService } from '#lib/scenarios/testing.ts'

const run = promisify(execFile)
const folder = mkdtempSync(path.join(tmpdir(), 'carddesk-scenarios-'))

let served: Awaited<ReturnType<typeof serveBuiltInService>>
beforeAll(async () => {
  served = await serveBuiltInService()
  const { baseUrl, controlUrl, accessKey, privateKey } = served.connection
  const privateKeyFile = write('key.pem', privateKey)
  write('service-access.json', JSON.stringify({ baseUrl, controlUrl, accessKey, privateKeyFile }))
})
afterAll(() => served.close())

function write(name: string, text: string): string {
  const file = path.join(folder, name)
  writeFileSync(file, text)
  return file
}

/** The command with the access file of the served service, or with other settings. */
async function scenario(args: string[], settings: Record<string, string> = { DATA_DIR: folder }) {
  const script = path.join(import.meta.dirname, 'run-scenarios.ts')
  const env = { PATH: process.env.PATH, NODE_ENV: 'test' as const, ...settings }
  try {
    return { code: 0, ...(await run(process.execPath, ['--conditions=react-server', script, ...args], { env })) }
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string }
  }
}

const opening = 'scenario: Open an account\nsteps:\n  - use: account\n'

describe('npm run scenario', () => {
  test('a scenario that passes exits with 0, and its report names what it created', async () => {
    const done = await scenario([write('open.yaml', opening), '--var', 'limit=1500', '--json'])
    expect(done.code, done.stderr).toBe(0)
    const report = JSON.parse(done.stdout) as RunReport
    expect(report).toMatchObject({ outcome: 'passed', counts: { passed: 1, failed: 0, skipped: 0 } })
    expect(report.cases[0]?.created).toEqual([{ kind: 'card account', id: expect.any(String) }])
    expect(report.cases[0]?.steps[0]?.request?.body).toContain('"limit":1500')
  })

  test('a scenario that fails exits with 1, with the line, the difference and JUnit XML', async () => {
    const file = write('fails.yaml', `${opening}  - call: GET /ping\n    expect: { body.message: ping }\n`)
    const junit = path.join(folder, 'out.xml')
    const done = await scenario([file, '--junit', junit])
    expect(done.code).toBe(1)
    expect(done.stdout).toContain('✗ GET /ping  line 4  GET /service/v1/ping 200')
    expect(done.stdout).toMatch(/body\.message: expected "ping"\s+found "pong"/)
    expect(done.stdout).toMatch(/created: card account [0-9a-f-]{36}/)
    expect(done.stdout).toContain('0 passed, 1 failed, 0 skipped')
    expect(readFileSync(junit, 'utf8')).toContain('found &quot;pong&quot;')
  })

  test('wrong files exit with 2 before anything runs, all of them named', async () => {
    const wrong = write('wrong.yaml', `${opening}  - call: GET /pin\n`)
    const done = await scenario([wrong, path.join(folder, 'missing.yaml')])
    expect(done).toMatchObject({ code: 2, stdout: '' })
    expect(done.stderr).toContain('wrong.yaml:4:11 call must be a method and a path of the interface')
    expect(done.stderr).toContain('missing.yaml is neither a file nor a built-in scenario')
  })

  test('on a real service the steps that need the control plane are skipped, and the rest of the case', async () => {
    const { baseUrl, accessKey } = served.connection
    const connected = {
      SERVICE_SANDBOX_URL: baseUrl,
      SERVICE_SANDBOX_ACCESS_KEY: accessKey,
      SERVICE_SANDBOX_PRIVATE_KEY: path.join(folder, 'key.pem'),
    }
    const text = `${opening}  - control: GET /clock\n  - call: GET /ping\n`
    const done = await scenario([write('clock.yaml', text), '--env', 'sandbox', '--json'], connected)
    expect(done.code, done.stderr).toBe(0)
    const report = JSON.parse(done.stdout) as RunReport
    expect(report).toMatchObject({ outcome: 'passed', counts: { passed: 0, skipped: 1 } })
    expect(report.cases[0]?.steps.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['passed', null],
      ['skipped', 'The control plane belongs to the built-in sandbox. This service has none.'],
      ['not run', null],
    ])
    const waiting = write('waiting.yaml', 'scenario: Wait\nsteps:\n  - event: card.updated\n')
    const silent = await scenario([waiting, '--env', 'sandbox'], connected)
    expect(silent.stdout).toContain('The service can’t deliver webhooks to this machine.')
    expect((await scenario([waiting, '--env', 'production'], connected)).code).toBe(2)
  })

  test('a service that can’t be reached exits with 2', async () => {
    const away = {
      SERVICE_SANDBOX_URL: 'http://127.0.0.1:9/v1',
      SERVICE_SANDBOX_ACCESS_KEY: served.connection.accessKey,
      SERVICE_SANDBOX_PRIVATE_KEY: path.join(folder, 'key.pem'),
    }
    const done = await scenario([path.join(folder, 'open.yaml'), '--env', 'sandbox'], away)
    expect(done).toMatchObject({ code: 2, stderr: 'http://127.0.0.1:9/v1 can’t be reached.\n' })
  })

  test('--list names the built-in scenarios', async () => {
    const { code, stdout } = await scenario(['--list'], {})
    expect(code).toBe(0)
    expect(stdout).toMatch(/^dispute +Charge, capture and dispute {2}\[transactions, disputes, webhooks\]$/m)
  })
})
