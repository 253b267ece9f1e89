import { execFile } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunReport } from '#lib/qa/scenarios/report.ts'
import { projectRoot, serveBuiltInService } from '#lib/qa/scenarios/testing.ts'

const run = promisify(execFile)
/** Outside the repository, with nothing but the package and scenarios. */
const folder = mkdtempSync(path.join(tmpdir(), 'carddesk-packed-'))
const installed = path.join(folder, 'node_modules', 'carddesk-scenarios')
const env = { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: 'test' as const }

let served: Awaited<ReturnType<typeof serveBuiltInService>>
let sandbox: Record<string, string>
beforeAll(async () => {
  served = await serveBuiltInService()
  sandbox = { SANDBOX_URL: new URL(served.connection.baseUrl).origin, SANDBOX_ACCESS_KEY: served.connection.accessKey }
  const pack = path.join(import.meta.dirname, 'pack-scenarios.ts')
  const { stdout } = await run(process.execPath, [pack, path.join(folder, 'packed')], { env })
  // An empty cache and no registry: what the package needs has to be in it.
  const cache = path.join(folder, 'cache')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--cache', cache, stdout.trim()], {
    cwd: folder,
    env,
  })
}, 120_000)
afterAll(() => served.close())

/** This Node, and the machine's own, which may be the oldest that the package supports. */
const nodes = [
  process.execPath,
  ...(process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((one) => !one.includes('node_modules'))
    .map((one) => path.join(one, 'node'))
    .filter((file) => existsSync(file))
    .slice(0, 1),
]

function write(name: string, text: string): string {
  const file = path.join(folder, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
  return name
}

async function scenarios(args: string[], { node = process.execPath, settings = sandbox, flags = [] as string[] } = {}) {
  const bin = path.join(folder, 'node_modules', '.bin', 'carddesk-scenarios')
  try {
    return { code: 0, ...(await run(node, [...flags, bin, ...args], { cwd: folder, env: { ...env, ...settings } })) }
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string }
  }
}

const refund = write(
  'tests/refund.yaml',
  `scenario: A refund of a captured charge
tags: [refunds]
steps:
  - use: ./fragments/charge.yaml
  - control: POST /captures
    body: { transactionId: '\${transactionId}' }
  - call: POST /cards/simulate-full-reversal
    body: { cardAccountId: '\${cardAccountId}', cardTransactionId: '\${transactionId}' }
  - event: cardaccount.transaction.created
    where: { data.intent: refund, data.cardAccountId: '\${cardAccountId}' }
    expect: { data.amount: 80, signature: valid }
`,
)
write(
  'tests/fragments/charge.yaml',
  `scenario: Charge a new card
steps:
  - use: card
  - call: POST /cards/simulate-authorization
    body: { cardAccountId: '\${cardAccountId}', cardId: '\${cardId}', amount: 80, currency: HKD }
    save: { transactionId: body.cardTransactionId }
`,
)
write('tests/below/fails.yaml', 'scenario: It fails\nsteps:\n  - call: GET /ping\n    expect: { body.message: no }\n')
write('tests/later.yaml', 'scenario: Later\nsteps:\n  - call: GET /ping\n')

test.each(nodes)('a file with a fragment of its own and events passes with the access key alone (%s)', async (node) => {
  const done = await scenarios([refund, '--json'], { node })
  expect(done.code, done.stdout + done.stderr).toBe(0)
  expect(JSON.parse(done.stdout) as RunReport).toMatchObject({ outcome: 'passed', counts: { passed: 1 } })
})

test('a folder runs by tag, stops at a failure, and writes JUnit XML', async () => {
  const tagged = await scenarios(['tests', '--tag', 'refunds'])
  expect(tagged).toMatchObject({ code: 0, stdout: expect.stringContaining('1 passed, 0 failed, 0 skipped') })
  const all = await scenarios(['tests', '--junit', 'all.xml'])
  expect(all.stdout).toContain('2 passed, 1 failed')
  expect(all.code).toBe(1)
  expect(readFileSync(path.join(folder, 'all.xml'), 'utf8')).toMatch(/<testsuites [^>]*tests="3" failures="1"/)
  expect(await scenarios(['tests', '--bail'])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('0 passed, 1 failed'),
  })
})

test('--check needs no service, and its mistakes end with 2', async () => {
  const nowhere = { settings: {} }
  expect(await scenarios(['tests', '--check'], nowhere)).toMatchObject({ code: 0, stdout: '3 scenarios are right.\n' })
  const wrong = write('wrong.yaml', 'scenario: Wrong\nsteps:\n  - call: GET /pin\n')
  const checked = await scenarios([wrong, '--check'], nowhere)
  expect(checked).toMatchObject({ code: 2, stdout: '' })
  expect(checked.stderr).toContain('wrong.yaml:3:11 call must be a method and a path of the interface')
})

test('the built-in scenarios are in it, and run in parallel in sandboxes of their own', async () => {
  expect((await scenarios(['--list'], { settings: {} })).stdout).toMatch(/^dispute +Charge, capture and dispute/m)
  const done = await scenarios(['dispute', 'fee-waived', '--parallel', '2'])
  expect(done.stdout, done.stderr).toMatch(/[1-9]\d* passed, 0 failed, 0 skipped/)
})

test('a signed request in place of the access key, and an address that isn’t the sandbox’s', async () => {
  write('key.pem', served.connection.privateKey)
  const signed = ['--private-key', 'key.pem', '--url', served.connection.baseUrl]
  expect((await scenarios([refund, ...signed])).code).toBe(0)
  expect(await scenarios([refund, '--url', 'http://127.0.0.1:9'])).toMatchObject({
    code: 2,
    stderr: 'http://127.0.0.1:9/service/v1 can’t be reached.\n',
  })
  expect(await scenarios([refund], { settings: {} })).toMatchObject({
    code: 2,
    stderr: 'The access key is missing: set SANDBOX_ACCESS_KEY, or --access-key.\n',
  })
})

test('it reads nothing outside its folder', async () => {
  const flags = ['--permission', `--allow-fs-read=${folder}`, `--allow-fs-write=${folder}`]
  const inside = await scenarios([refund, '--junit', 'inside.xml'], { flags })
  expect(inside.code, inside.stdout + inside.stderr).toBe(0)
  const outside = await scenarios([path.join(projectRoot, 'lib/qa/scenarios/built-in/dispute.yaml')], { flags })
  expect(outside).toMatchObject({ code: 2, stderr: expect.stringContaining('Access to this API has been restricted') })
})

/** In the JavaScript of Node 24, and not in that of Node 20. */
const newer =
  /URL\.parse\(|Promise\.(?:withResolvers|try)|Array\.fromAsync|(?:Object|Map)\.groupBy|Iterator\.from|RegExp\.escape/

test('its JavaScript has nothing that Node 20 lacks, and no path of this machine', () => {
  const files = globSync('lib/**/*.js', { cwd: installed })
  expect(files.length).toBeGreaterThan(50)
  const texts = files.map((file) => readFileSync(path.join(installed, file), 'utf8'))
  expect(texts.filter((text) => newer.test(text) || text.includes(projectRoot))).toEqual([])
  expect(newer.test(readFileSync(path.join(projectRoot, 'lib/client/client-options.ts'), 'utf8'))).toBe(true)
})

test('without a folder, and for an unknown option, it packs nothing', async () => {
  const pack = path.join(import.meta.dirname, 'pack-scenarios.ts')
  const packing = async (...args: string[]) =>
    run(process.execPath, [pack, ...args], { cwd: folder, env }).then(
      ({ stdout }) => ({ code: 0, text: stdout }),
      ({ code, stderr }: { code: number; stderr: string }) => ({ code, text: stderr }),
    )
  expect(await packing('--help')).toMatchObject({ code: 0, text: expect.stringMatching(/^Usage: /) })
  expect(await packing()).toMatchObject({ code: 2, text: expect.stringMatching(/^Usage: /) })
  expect(await packing('--into', 'x')).toMatchObject({ code: 2, text: expect.stringContaining("'--into'") })
  expect(globSync('*', { cwd: folder })).not.toContain('--help')
})
