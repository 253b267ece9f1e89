import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { parseScenario } from '#lib/qa/scenarios/parse.ts'
import { junitXml, runReport } from '#lib/qa/scenarios/report.ts'
import { runCases } from './run-cases.ts'

/** A service that makes as many sandboxes as are told, and that goes away after some calls of the interface. */
async function serve({ sandboxes = 0, calls = Infinity }) {
  let [made, called] = [0, 0]
  const server = createServer((request, response) => {
    request.resume()
    const respond = (status: number, body: object) => response.writeHead(status).end(JSON.stringify(body))
    if (request.method === 'DELETE') return respond(200, {})
    if (request.url === '/service/control/sandboxes') {
      made += 1
      if (made > sandboxes) return respond(429, { message: 'There are 32 sandboxes' })
      return respond(200, {
        id: `s${made}`,
        baseUrl: `${origin}/s${made}/v1`,
        controlUrl: `${origin}/s${made}/control`,
      })
    }
    called += 1
    if (called === calls) {
      response.setHeader('connection', 'close')
      server.close()
    }
    respond(200, { id: '0b7cbb63-3a0c-4c3a-9d39-5a3f5f5b0001', message: 'pong' })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    baseUrl: `${origin}/service/v1`,
    controlUrl: `${origin}/service/control`,
    accessKey: '5a0d0b0e-0000-4000-8000-000000000001',
    privateKey: null,
    webhookKey: null,
  }
}

const scenario = (title: string) => {
  const made = 'call: POST /webhooks, body: { url: "https://hooks.example.com", events: ["*"] }'
  const read = parseScenario(
    `scenario: ${title}\nsteps: [{ ${made} }, { call: GET /ping }, { call: GET /ping }]\n`,
    'pings.yaml',
  )
  if (!read.ok) throw new Error(JSON.stringify(read.error))
  return { scenario: read.value, one: { label: null, variables: {} } }
}
const waiting = ['One', 'Two', 'Three', 'Four'].map(scenario)

async function run(service: Parameters<typeof serve>[0], workers: number | null) {
  const shown: string[] = []
  const show = ({ title }: { title: string }) => void shown.push(title)
  const result = await runCases(waiting, await serve(service), {
    workers,
    bail: false,
    options: { receiver: null },
    show,
  })
  return { ...result, shown }
}

test('workers that get no sandbox leave their cases to those that have one', async () => {
  const { reports, lost, shown } = await run({ sandboxes: 1 }, 4)
  expect(lost).toBeNull()
  expect(reports.map(({ outcome }) => outcome)).toEqual(['passed', 'passed', 'passed', 'passed'])
  expect(shown).toEqual(['One', 'Two', 'Three', 'Four'])
})

test('where no worker gets a sandbox, nothing is run', async () => {
  await expect(run({ sandboxes: 0 }, 4)).rejects.toThrow('The service makes no sandbox: There are 32 sandboxes.')
})

test('the case during which the service went away failed, with what it created, in JUnit XML too', async () => {
  const { reports, lost, shown } = await run({ calls: 5 }, null)
  expect(lost).toMatch(/can’t be reached\.$/)
  expect(shown).toEqual(['One', 'Two'])
  expect(reports.map(({ outcome }) => outcome)).toEqual(['passed', 'failed'])
  expect(reports[1]).toMatchObject({ created: [{ kind: 'webhook' }] })
  expect(reports[1]?.steps.map(({ outcome }) => outcome)).toEqual(['passed', 'passed', 'failed'])
  expect(junitXml(runReport(reports, new Date(), 0, true))).toContain('tests="2" failures="1"')
})
