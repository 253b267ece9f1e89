import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { casesOf } from '#lib/scenarios/cases.ts'
import { builtInFragments, builtInScenarios } from '#lib/scenarios/load-built-in.ts'
import { mistakeText, parseScenario, type Scenario } from '#lib/scenarios/parse.ts'
import { caseText, junitXml, runReport, type CaseReport } from '#lib/scenarios/report.ts'
import { runCase, type RunOptions } from '#lib/scenarios/run.ts'
import { openTarget, type ServiceConnection } from '#lib/scenarios/target.ts'
import { parseSettings, pemOf } from '#lib/settings/settings.ts'
import { root } from './build.ts'
import { loadEnv, runCommand } from './command.ts'
import { accessOf, builtInAccess } from './service-access.ts'

/** `npm run scenario`: runs scenario files against the sandbox service. docs/scenarios.md describes it. */

const usage = `Usage: npm run scenario -- FILE… | NAME… | --all [options]
       npm run scenario -- --list

  --all              every built-in scenario
  --tag TAG          the built-in scenarios with a tag
  --list             names, titles and tags of the built-in scenarios
  --var NAME=VALUE   a variable's value; repeatable
  --env sandbox      the service of the settings (.env); by default the built-in one, which has to run
  --webhook-url URL  a public https URL that leads to this machine, for a service elsewhere
  --webhook-port N   the port of this machine that the URL leads to
  --junit FILE       writes JUnit XML
  --json             prints the report as JSON
  --verbose          prints every step

Exit code: 0 all passed or skipped, 1 a scenario failed, 2 nothing could be run.`

async function runScenarios(args: string[]): Promise<number> {
  const { values, positionals } = parsedArguments(args)
  if (values.help) return print(usage)
  if (values.list) return print(listText())
  const scenarios = chosen(positionals, values)
  const given = Object.fromEntries(values.var.map(variable))
  const runs = scenarios.map((scenario) => {
    const cases = casesOf(scenario, given)
    if (!cases.ok) throw new Error(cases.error.join('\n'))
    return { scenario, cases: cases.value }
  })

  const connection = connectionOf(values.env)
  const target = openTarget(connection)
  const stopping = new AbortController()
  process.once('SIGINT', () => stopping.abort())
  const options: RunOptions = { target, receiver: receiverOf(connection, values), given, signal: stopping.signal }
  const startedAt = new Date()
  const startMs = performance.now()
  const reports: CaseReport[] = []
  try {
    for (const { scenario, cases } of runs) {
      for (const one of cases) {
        if (stopping.signal.aborted) break
        const report = await runCase(scenario, one, options)
        reports.push(report)
        if (!values.json) console.log(caseText(report, values.verbose))
      }
    }
  } finally {
    await target.close()
  }
  const report = runReport(reports, startedAt, performance.now() - startMs, stopping.signal.aborted)
  if (values.junit) writeFileSync(values.junit, junitXml(report))
  if (values.json) console.log(JSON.stringify(report, null, 2))
  else {
    const { passed, failed, skipped } = report.counts
    console.log(
      `\n${passed} passed, ${failed} failed, ${skipped} skipped in ${(report.durationMs / 1000).toFixed(1)} s`,
    )
  }
  return report.outcome === 'passed' ? 0 : 1
}

function parsedArguments(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        all: { type: 'boolean', default: false },
        tag: { type: 'string' },
        list: { type: 'boolean', default: false },
        var: { type: 'string', multiple: true, default: [] },
        env: { type: 'string' },
        'webhook-url': { type: 'string' },
        'webhook-port': { type: 'string' },
        junit: { type: 'string' },
        json: { type: 'boolean', default: false },
        verbose: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    throw new Error(`${(error as Error).message}\n\n${usage}`, { cause: error })
  }
}

function print(text: string): number {
  console.log(text)
  return 0
}

function listText(): string {
  const scenarios = builtInScenarios(root)
  const width = Math.max(...scenarios.map(({ name }) => name.length))
  return scenarios
    .map(({ name, scenario }) => `${name.padEnd(width)}  ${scenario.scenario}  [${(scenario.tags ?? []).join(', ')}]`)
    .join('\n')
}

/** The files and built-in scenarios to run. Throws an `Error` with every mistake of the files. */
function chosen(names: string[], { all, tag }: { all: boolean; tag?: string | undefined }): Scenario[] {
  const builtIn = builtInScenarios(root)
  if (all || tag !== undefined) {
    if (names.length > 0) throw new Error(usage)
    const found = builtIn.filter(({ scenario }) => tag === undefined || scenario.tags?.includes(tag))
    if (found.length === 0) throw new Error(`No built-in scenario has the tag ${tag}.`)
    return found.map(({ scenario }) => scenario)
  }
  if (names.length === 0) throw new Error(usage)
  const fragments = builtInFragments(root)
  const mistakes: string[] = []
  const scenarios = names.flatMap((name) => {
    const known = builtIn.find((one) => one.name === name)
    if (known) return [known.scenario]
    if (!existsSync(name)) {
      mistakes.push(`${name} is neither a file nor a built-in scenario (npm run scenario -- --list).`)
      return []
    }
    const read = parseScenario(readFileSync(name, 'utf8'), name, fragments)
    if (read.ok) return [read.value]
    mistakes.push(...read.error.map((mistake) => mistakeText(name, mistake)))
    return []
  })
  if (mistakes.length > 0) throw new Error(mistakes.join('\n'))
  return scenarios
}

function variable(text: string): [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw new Error(`--var must be NAME=VALUE; it is "${text}".`)
  return [text.slice(0, at), text.slice(at + 1)]
}

/** The service of the settings with `--env`, else the built-in one by its access file. */
function connectionOf(environment: string | undefined): ServiceConnection {
  if (environment !== undefined && environment !== 'sandbox') {
    throw new Error('--env must be sandbox: scenarios create and change records.')
  }
  loadEnv()
  const access = environment === undefined ? builtInAccess(process.env) : accessOf(environment, process.env)
  if (access.controlUrl !== null) return { ...access, webhookKey: null }
  const { values, mistakes } = parseSettings(process.env, ['SERVICE_SANDBOX_WEBHOOK_PUBLIC_KEY'])
  if (mistakes.length > 0) throw new Error(mistakes.join('\n'))
  const webhookKey = values.SERVICE_SANDBOX_WEBHOOK_PUBLIC_KEY
  return { ...access, webhookKey: webhookKey ? pemOf(webhookKey) : null }
}

type WebhookValues = { 'webhook-url'?: string | undefined; 'webhook-port'?: string | undefined }

/** A built-in service reaches a loopback port; another one needs a public URL. */
function receiverOf(
  { controlUrl }: ServiceConnection,
  { 'webhook-url': publicUrl, 'webhook-port': port }: WebhookValues,
): RunOptions['receiver'] {
  if (publicUrl === undefined) return controlUrl === null ? null : {}
  if (!URL.canParse(publicUrl) || !/^\d{1,5}$/.test(port ?? '')) {
    throw new Error('--webhook-url must be a URL, with the port of this machine in --webhook-port.')
  }
  return { publicUrl, port: Number(port) }
}

await runCommand(runScenarios)
