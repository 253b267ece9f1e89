import { exec } from 'node:child_process'
import { parseArgs, promisify } from 'node:util'
import { loadEnv } from '#lib/launch/command.ts'
import { runCommand } from '#lib/launch/run-command.ts'
import { certify, type ProbeState } from '#lib/qa/scenarios/certify.ts'
import { callControl } from '#lib/qa/scenarios/control-plane.ts'
import { forward, type Forwarded } from '#lib/qa/scenarios/forward.ts'
import { hearEvents } from '#lib/qa/scenarios/hear-events.ts'
import { caseText, runReport } from '#lib/qa/scenarios/report.ts'
import { openTarget, type Target } from '#lib/qa/scenarios/target.ts'
import { unknownEventText } from '#lib/qa/scenarios/unknown-event.ts'
import { builtInAccess } from '#lib/settings/service-access.ts'
import { parseIsoDurationMs } from '#lib/shared/time.ts'
import { endWithReport } from './end-with-report.ts'

/** `npm run listen`: forwards the events of the built-in service to a receiver, or certifies the receiver. */

const usage = `Usage: npm run listen -- --forward URL [--since 2h] [--event NAME]
       npm run listen -- --forward URL --certify [options]

  --forward URL        the receiver, such as http://localhost:9000/hooks
  --since TIME         what happened since then comes first: 30m, 2h, 3d, or an ISO 8601 time, by the sandbox clock
  --event NAME         these events alone
  --certify            sends signed events twice, late, out of order, slowly, cut off and wrong, and says what the receiver does wrong
  --state-url URL      its state of a card as text; {cardId} is replaced
  --state-command CMD  prints its state of a card; {cardId} is replaced
  --time-limit MS      how long it may take to respond (15000)
  --settle MS          how long it may take to apply what it took (300)
  --junit FILE         writes JUnit XML
  --json               prints the report of --certify as JSON

Without --certify it runs until Ctrl C, also while the service restarts. Exit code of --certify: 0 nothing is wrong, 1 something is, 2 nothing could be checked.`

async function listen(args: string[]): Promise<number> {
  const values = parsedArguments(args)
  if (!values.forward || !/^https?:$/.test(URL.parse(values.forward)?.protocol ?? '')) {
    throw new Error(values.forward ? '--forward must be an http or https URL.' : usage)
  }
  loadEnv()
  const target = openTarget({ ...builtInAccess(process.env), webhookKey: null })
  try {
    return values.certify ? await certifyReceiver(target, values.forward, values) : await forwardAll(target, values)
  } finally {
    await target.close()
  }
}

function parsedArguments(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        forward: { type: 'string' },
        since: { type: 'string' },
        event: { type: 'string' },
        certify: { type: 'boolean', default: false },
        'state-url': { type: 'string' },
        'state-command': { type: 'string' },
        'time-limit': { type: 'string', default: '15000' },
        settle: { type: 'string', default: '300' },
        junit: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    throw new Error(`${(error as Error).message}\n\n${usage}`, { cause: error })
  }
}

type Values = ReturnType<typeof parsedArguments>

async function forwardAll(target: Target, { forward: url = '', since, event }: Values): Promise<number> {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  const unknown = event === undefined ? null : unknownEventText(event)
  if (unknown !== null) console.error(`${unknown} Only POST /events sends one of that name.`)
  const from = since === undefined ? null : await readInstant(target, since)
  console.log(`Forwarding ${event ?? 'all events'} to ${url}. Ctrl C stops it.`)
  const options = {
    since: from,
    event,
    signal: stopping.signal,
    onLost: (reason: string) => console.error(`${reason} Trying again until it responds.`),
    onFound: () => console.error('The service responds again.'),
  }
  try {
    for await (const heard of hearEvents(target, options)) {
      console.log(
        [heard.time, heard.kind.padEnd(7), heard.event, heard.id, resultText(await forward(url, heard))].join('  '),
      )
    }
  } catch (error) {
    if (!stopping.signal.aborted) throw error
  }
  return 0
}

function resultText({ status, problem, durationMs }: Forwarded): string {
  return `${status === 200 ? '✓' : '✗'} ${status ?? problem} ${durationMs} ms`
}

const unitNames: Readonly<Record<string, string>> = { s: 'T$S', m: 'T$M', h: 'T$H', d: '$D' }

/** An instant of the sandbox clock: as given, or that long ago. */
async function readInstant(target: Target, text: string): Promise<string> {
  const [, count = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const agoMs = parseIsoDurationMs(unit ? `P${(unitNames[unit] ?? '').replace('$', count)}` : text)
  if (agoMs !== null) {
    const { now } = await callControl<{ now: string }>(target, 'GET /clock')
    return new Date(Date.parse(now) - agoMs).toISOString()
  }
  if (/^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text))) return new Date(text).toISOString()
  throw new Error(`--since must be a time such as 30m, 2h, 3d or 2026-12-31T15:59:00Z; it is "${text}".`)
}

async function certifyReceiver(target: Target, url: string, values: Values): Promise<number> {
  const startedAt = new Date()
  const startMs = performance.now()
  const timeoutMs = milliseconds('--time-limit', values['time-limit'])
  const cases = await certify({
    target,
    url,
    probe: makeProbe(values, timeoutMs),
    timeoutMs,
    settleMs: milliseconds('--settle', values.settle),
    onCheck: (report) => {
      if (!values.json) console.log(caseText(report))
    },
  })
  const report = runReport(cases, startedAt, performance.now() - startMs)
  return endWithReport(
    report,
    values,
    ({ passed, failed, skipped }) => `${passed} right, ${failed} wrong, ${skipped} not checked`,
  )
}

function milliseconds(name: string, text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new Error(`${name} must be a whole number of milliseconds; it is "${text}".`)
  return Number(text)
}

const run = promisify(exec)

function makeProbe({ 'state-url': url, 'state-command': command }: Values, timeoutMs: number): ProbeState | null {
  if (url !== undefined && command !== undefined) throw new Error('Give --state-url or --state-command, not both.')
  const given = url ?? command
  if (given === undefined) return null
  if (!given.includes('{cardId}')) {
    throw new Error(`${url === undefined ? '--state-command' : '--state-url'} must contain {cardId}.`)
  }
  return async (cardId) => {
    const filled = given.replaceAll('{cardId}', cardId)
    if (url === undefined) return (await run(filled, { timeout: timeoutMs })).stdout
    const response = await fetch(filled, { signal: AbortSignal.timeout(timeoutMs) })
    return `${response.status} ${await response.text()}`
  }
}

await runCommand(listen, { usage })
