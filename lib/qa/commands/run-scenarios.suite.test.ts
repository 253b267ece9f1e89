import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { callControl } from '#lib/qa/scenarios/control-plane.ts'
import type { RunReport } from '#lib/qa/scenarios/report.ts'
import { openTarget } from '#lib/qa/scenarios/target.ts'
import { serveBuiltInService } from '#lib/qa/scenarios/testing.ts'
import { nodeArguments } from '#lib/shared/testing/npm-script.ts'

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
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

/** The command with the access file of the served service, or with other settings. */
async function scenario(args: string[], settings: Record<string, string> = { DATA_DIR: folder }) {
  const env = { PATH: process.env.PATH, NODE_ENV: 'test' as const, ...settings }
  try {
    return { code: 0, ...(await run(process.execPath, [...nodeArguments('scenario'), ...args], { env })) }
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
    const junit = path.join(folder, 'reports', 'out.xml')
    const done = await scenario([file, '--junit', junit])
    expect(done.code).toBe(1)
    expect(done.stdout).toContain('✗ GET /ping  line 4  GET /service/v1/ping 200')
    expect(done.stdout).toMatch(/body\.message: expected "ping"\s+found "pong"/)
    expect(done.stdout).toMatch(/created: card account [0-9a-f-]{36}/)
    expect(done.stdout).toContain('0 passed, 1 failed, 0 skipped')
    expect(readFileSync(junit, 'utf8')).toContain('found &quot;pong&quot;')
  })

  test.each(['SIGINT', 'SIGTERM'] as const)('a run that %s stops performs its finally steps', async (signal) => {
    const file = write(
      'fault.yaml',
      'scenario: Arm a fault\nsteps:\n  - control: POST /faults\n    body: { path: /ping, status: 500, times: always }\n' +
        '  - event: card.updated\n    within: 60s\nfinally:\n  - control: DELETE /faults\n',
    )
    const faults = async () => (await callControl<{ faults: unknown[] }>(target, 'GET /faults')).faults
    const target = openTarget(served.connection)
    onTestFinished(() => target.close())
    const env = { PATH: process.env.PATH, NODE_ENV: 'test' as const, DATA_DIR: folder }
    const running = execFile(process.execPath, [...nodeArguments('scenario'), file], { env })
    await vi.waitFor(async () => expect(await faults()).toHaveLength(1), 30_000)
    running.kill(signal)
    expect(await once(running, 'exit')).toEqual([1, null])
    expect(await faults()).toEqual([])
  })

  test('wrong files exit with 2 before anything runs, all of them named', async () => {
    const wrong = write('wrong.yaml', `${opening}  - call: GET /pin\n`)
    const done = await scenario([wrong, path.join(folder, 'missing.yaml')])
    expect(done).toMatchObject({ code: 2, stdout: '' })
    expect(done.stderr).toContain('wrong.yaml:4:11 call must be a method and a path of the interface')
    expect(done.stderr).toContain('missing.yaml is neither a file, a folder nor a built-in scenario')
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

  test('a service that refuses the access key exits with 2 and one message, before anything runs', async () => {
    const { accessKey: _right, ...access } = JSON.parse(
      readFileSync(path.join(folder, 'service-access.json'), 'utf8'),
    ) as Record<string, string>
    write('refused/service-access.json', JSON.stringify({ ...access, accessKey: randomUUID() }))
    const settings = { DATA_DIR: path.join(folder, 'refused') }
    expect(await scenario([write('refused/open.yaml', opening)], settings)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^http.*\/service\/v1 refuses the access: .*\n$/),
    })
  })

  test('a variable is given to the scenarios that have it, and refused where none has it', async () => {
    const vars = path.join(folder, 'vars')
    write('vars/limit.yaml', opening)
    write(
      'vars/ping.yaml',
      'scenario: Ping\nvars: { word: pong }\nsteps:\n  - call: GET /ping\n    expect: { body.message: "${word}" }\n',
    )
    const done = await scenario([vars, '--var', 'word=ping'])
    expect(done.code, done.stderr).toBe(1)
    expect(done.stdout).toContain('1 passed, 1 failed, 0 skipped')
    expect(await scenario([vars, '--var', 'word=pong', '--var', 'wrd=pong'])).toMatchObject({
      code: 2,
      stderr: 'wrd isn’t a variable of any of the 2 scenarios.\n',
    })
  })

  test('a folder runs its files with fragments of their own, by tag, and --check needs no server', async () => {
    mkdirSync(path.join(folder, 'mine', 'below'), { recursive: true })
    write('mine/ping.yaml', 'scenario: Say ping\nsteps:\n  - call: GET /ping\n    save: { said: body.message }\n')
    write(
      'mine/prepaid.yaml',
      `scenario: Open a prepaid account
tags: [smoke]
steps:
  - use: ./ping.yaml
  - use: account
    with: { accountType: prepaid, limit: '\${omit()}' }
  - call: GET /ping
    expect: { body.message: '\${said}' }
`,
    )
    write('mine/below/other.yml', 'scenario: Another one\nsteps:\n  - use: ../ping.yaml\n')
    const mine = path.join(folder, 'mine')
    const all = await scenario([mine, '--json'])
    expect(all.code, all.stderr).toBe(0)
    const titles = (JSON.parse(all.stdout) as RunReport).cases.map(({ title, outcome }) => `${title} ${outcome}`)
    expect(titles).toEqual(['Another one passed', 'Open a prepaid account passed'])
    expect((await scenario([mine, '--chek'])).stderr).toMatch(/^Unknown option '--chek'\. Did you mean --check\?\n/)
    const tagged = await scenario([mine, '--tag', 'smoke'])
    expect(tagged.stdout).toContain('1 passed, 0 failed')
    expect(await scenario([mine, '--tag', 'smok'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('None of the scenarios has the tag smok. Did you mean smoke?'),
    })
    const away = { DATA_DIR: '/nonexistent' }
    expect(await scenario([mine, '--check'], away)).toMatchObject({ code: 0, stdout: '2 scenarios are right.\n' })
    write('mine/wrong.yaml', 'scenario: Wrong\nsteps:\n  - use: ./gone.yaml\n')
    write('mine/round.yaml', 'scenario: Round\nsteps:\n  - use: ./about.yaml\n')
    write('mine/about.yaml', 'scenario: About\nsteps:\n  - use: ./round.yaml\n')
    const wrong = await scenario([mine, path.join(mine, 'round.yaml'), '--check'], away)
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).toMatch(/wrong\.yaml:3:10 There is no file \.\/gone\.yaml beside this one\./)
    expect(wrong.stderr).toMatch(/it uses itself: .*round\.yaml → .*about\.yaml → .*round\.yaml\./)
  })

  test('finally runs after a failure, without steps whose variables were never set, and --bail stops there', async () => {
    const failing = write(
      'failing.yaml',
      `scenario: Leaves nothing behind
steps:
  - control: POST /faults
    body: { path: /fees, status: 503, times: always }
  - call: GET /ping
    expect: { body.message: wrong }
  - call: GET /ping
    save: { later: body.message }
finally:
  - name: Needs what was never set
    call: GET /ping
    key: \${later}
  - name: Remove the faults
    control: DELETE /faults
  - name: Ask for the fees
    call: GET /fees
`,
    )
    const done = await scenario([failing, write('after.yaml', opening), '--bail', '--json'])
    expect(done.code).toBe(1)
    const { cases } = JSON.parse(done.stdout) as RunReport
    expect(cases).toHaveLength(1)
    expect(cases[0]?.steps.map(({ name, outcome, line }) => `${line} ${name} ${outcome}`)).toEqual([
      '3 Control plane: POST /faults passed',
      '5 GET /ping failed',
      '7 GET /ping not run',
      '13 Remove the faults passed',
      '15 Ask for the fees passed',
    ])
  })

  test('an event that nobody makes fails at once, and one that the scenario makes is awaited', async () => {
    const text = `scenario: Wait for nothing
steps:
  - control: POST /events
    body: { event: own.event, data: { a: 1 } }
  - event: own.event
  - event: nobodys.event
    within: 60s
`
    const done = await scenario([write('nobody.yaml', text), '--json'])
    expect(done.code).toBe(1)
    const [report] = (JSON.parse(done.stdout) as RunReport).cases
    expect(report?.steps.map(({ outcome }) => outcome)).toEqual(['passed', 'passed', 'failed'])
    expect(report?.steps.at(-1)?.reason).toMatch(/^There is no event nobodys\.event; there are cardaccount/)
    expect(report?.durationMs).toBeLessThan(20_000)
  })

  test('--parallel runs cases in a sandbox a worker, reports in their order, and leaves no sandbox', async () => {
    const jumping = (days: number) => `scenario: Jump ${days} days
steps:
  - control: POST /clock
    body: { advance: P${days}D }
  - call: POST /webhooks
    body: { name: own, url: 'http://127.0.0.1:9/', events: ['*'] }
  - call: GET /webhooks
    expect: { body.webhooks: { $length: 1 } }
`
    const files = [30, 1, 3].map((days) => write(`jump-${days}.yaml`, jumping(days)))
    const junit = path.join(folder, 'parallel.xml')
    const done = await scenario([...files, '--parallel', '3', '--json', '--junit', junit])
    expect(done.code, done.stdout + done.stderr).toBe(0)
    const { cases } = JSON.parse(done.stdout) as RunReport
    expect(cases.map(({ title, outcome }) => `${title} ${outcome}`)).toEqual([
      'Jump 30 days passed',
      'Jump 1 days passed',
      'Jump 3 days passed',
    ])
    const paths = cases.map(({ steps }) => steps[0]?.request?.path.split('/')[3])
    expect(new Set(paths).size).toBe(3)
    expect(readFileSync(junit, 'utf8')).toMatch(/Jump 30 days[^]*Jump 1 days[^]*Jump 3 days/)
    const open = openTarget(served.connection)
    expect((await open.send(open.prepareControl('GET /sandboxes', {}), {})).body).toEqual({ sandboxes: [] })
    await open.close()
  })

  test('a scenario that moves the clock of the shared sandbox says so first, also by a fragment', async () => {
    write(
      'moving/fragments/jump.yaml',
      'scenario: Jump\nsteps:\n  - control: POST /clock\n    body: { advance: PT1S }\n',
    )
    const file = write('moving/later.yaml', 'scenario: Later\nsteps:\n  - use: ./fragments/jump.yaml\n')
    const said = '“Later” moves the clock of the sandbox, which everybody shares.'
    expect(await scenario([file])).toMatchObject({ code: 0, stderr: expect.stringContaining(said) })
    expect(await scenario([file, '--parallel', '1'])).toMatchObject({ code: 0, stderr: '' })
    const reset = write('moving/reset.yaml', 'scenario: Afresh\nsteps:\n  - control: POST /reset\n')
    const replaced = '“Afresh” replaces the contents of the sandbox, which everybody shares.'
    expect(await scenario([reset])).toMatchObject({ code: 0, stderr: expect.stringContaining(replaced) })
    expect(await scenario([write('still.yaml', opening)])).toMatchObject({ code: 0, stderr: '' })
  })

  test('--parallel says where a service has no sandboxes, and what it takes', async () => {
    const file = write('parallel.yaml', opening)
    const { baseUrl, accessKey } = served.connection
    const connected = {
      SERVICE_SANDBOX_URL: baseUrl,
      SERVICE_SANDBOX_ACCESS_KEY: accessKey,
      SERVICE_SANDBOX_PRIVATE_KEY: path.join(folder, 'key.pem'),
    }
    const refused = await scenario([file, '--env', 'sandbox', '--parallel', '2'], connected)
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        '--parallel needs a sandbox for each worker, which the built-in service alone has',
      ),
    })
    expect((await scenario([file, '--parallel', '0'])).stderr).toContain('--parallel must be a number from 1 to 16.')
  })

  test('--list names the built-in scenarios', async () => {
    const { code, stdout } = await scenario(['--list'], {})
    expect(code).toBe(0)
    expect(stdout).toMatch(/^dispute +Charge, capture and dispute {2}\[transactions, disputes, webhooks\]$/m)
  })
})
