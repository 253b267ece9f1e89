import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { testKeyPair } from '#lib/signing/testing.ts'
import { expandCases } from './cases.ts'
import { builtInFragments } from './load-built-in.ts'
import { parseScenario } from './parse.ts'
import type { CaseReport } from './report.ts'
import { runCase } from './run.ts'
import { openTarget } from './target.ts'
import { projectRoot } from './testing.ts'

/** A service of the interface alone: 201 for creations, 204 for actions, null where a value is optional, no control plane. */
const responses: Readonly<Record<string, () => [number, object | null]>> = {
  'GET /v1/accounts': () => [200, { accounts: [{ id: randomUUID(), name: 'Main', currency: 'HKD', available: null }] }],
  'POST /v1/cardaccounts': () => [201, { id: 'ca_01H4WAR3', available: null }],
  'POST /v1/cards/lock': () => [204, null],
  'POST /v1/cards/unlock': () => [201, { status: 'active' }],
}

async function run(text: string, label: string | null = null): Promise<CaseReport> {
  const server = createServer((request, response) => {
    const [status, body] = responses[`${request.method} ${request.url?.split('?')[0]}`]?.() ?? [404, null]
    response.writeHead(status).end(body === null ? undefined : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const target = openTarget({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    controlUrl: null,
    accessKey: randomUUID(),
    privateKey: testKeyPair.privateKey,
    webhookKey: null,
  })
  onTestFinished(async () => {
    await target.close()
    server.close()
  })
  const parsed = parseScenario(text, 'own.yaml', builtInFragments(projectRoot))
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error))
  const cases = expandCases(parsed.value, {})
  const only = cases.ok ? cases.value.find((one) => label === null || one.label?.includes(label)) : undefined
  if (!only) throw new Error('the scenario has a case')
  return runCase(parsed.value, only, { target, receiver: null })
}

const outcomes = ({ steps }: CaseReport) => steps.map(({ outcome, reason }) => (reason ? [outcome, reason] : outcome))

test('a legal null fails the step that calculates with it, and ends no other case', async () => {
  const report = await run(`
scenario: A null
steps:
  - call: GET /accounts
    save: { available: 'body.accounts[0].available' }
  - use: quote
    with: { sourceAmount: '\${available + 1}' }
`)
  expect(report.outcome).toBe('failed')
  expect(outcomes(report).slice(0, 2)).toEqual(['passed', ['failed', 'null is not a number']])
  expect(new Set(report.steps.slice(2).map(({ outcome }) => outcome))).toEqual(new Set(['not run']))
})

test('any 2xx is a success where the interface gives no number, and only 200 where it does', async () => {
  const report = await run(`
scenario: Other numbers
steps:
  - call: POST /cardaccounts
    expect: { body.id: ca_01H4WAR3 }
  - call: POST /cards/lock
    expect: { body.status: locked }
  - call: POST /cards/unlock
`)
  expect(outcomes(report)).toEqual(['passed', 'passed', 'failed'])
  expect(report.created).toEqual([{ kind: 'card account', id: 'ca_01H4WAR3' }])
  expect(report.steps.at(-1)?.differences).toEqual([{ path: 'status', expected: '200', found: '201' }])
})

test('an account that is opened with a 201 passes the rules of account openings', async () => {
  const file = readFileSync(path.join(projectRoot, 'lib/qa/scenarios/built-in/account-opening-rules.yaml'), 'utf8')
  expect((await run(file, 'passport')).outcome).toBe('passed')
})

test('a status that a step names is the one it expects', async () => {
  const report = await run(`
scenario: A number
steps:
  - call: POST /cards/lock
    expect: { status: 200 }
`)
  expect(report.steps[0]?.differences).toEqual([{ path: 'status', expected: '200', found: '204' }])
})
