import { existsSync, statSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { casesOf } from '#lib/scenarios/cases.ts'
import { builtInFragments, builtInScenarios } from '#lib/scenarios/load-built-in.ts'
import { loadScenarioFile, scenarioFilesIn } from '#lib/scenarios/load-files.ts'
import type { Scenario } from '#lib/scenarios/parse.ts'
import { caseText, junitXml, runReport, type CaseReport } from '#lib/scenarios/report.ts'
import { runCase, type RunOptions } from '#lib/scenarios/run.ts'
import { withSandbox } from '#lib/scenarios/sandbox.ts'
import { openTarget, Unreachable, type ServiceConnection, type Target } from '#lib/scenarios/target.ts'
import { parseSettings, pemOf } from '#lib/settings/settings.ts'
import { didYouMean } from '#lib/shared/closest-name.ts'
import { root } from './build.ts'
import { loadEnv, runCommand } from './command.ts'
import { accessOf, builtInAccess } from './service-access.ts'

/** `npm run scenario`: runs scenario files against the sandbox service. docs/scenarios.md describes it. */

const usage = `Usage: npm run scenario -- FILE… | FOLDER… | NAME… | --all [options]
       npm run scenario -- --list

  --all              every built-in scenario
  --tag TAG          those with a tag: of the files and folders, else of the built-in scenarios
  --check            reads the files and names their mistakes, without a server
  --bail             stops after the first case that fails
  --parallel N       N cases at a time, each worker in a sandbox of its own, which it makes and deletes
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
  if (values.check)
    return print(`${scenarios.length} ${scenarios.length === 1 ? 'scenario is' : 'scenarios are'} right.`)
  const given = Object.fromEntries(values.var.map(variable))
  const runs = scenarios.map((scenario) => {
    const cases = casesOf(scenario, given)
    if (!cases.ok) throw new Error(cases.error.join('\n'))
    return { scenario, cases: cases.value }
  })

  const connection = connectionOf(values.env)
  const workers = workersOf(values, connection)
  const stopping = new AbortController()
  process.once('SIGINT', () => stopping.abort())
  const options = { receiver: receiverOf(connection, values), given, signal: stopping.signal }
  const startedAt = new Date()
  const startMs = performance.now()
  const waiting = runs.flatMap(({ scenario, cases }) => cases.map((one) => ({ scenario, one })))
  const ended: (CaseReport | undefined)[] = []
  let [taken, printed] = [0, 0]
  let isEnding = false
  let lost: string | null = null

  /** Runs the cases that no other worker has taken; reports are printed in the order of the cases. */
  async function work(target: Target): Promise<void> {
    while (!stopping.signal.aborted && !isEnding) {
      const index = taken++
      const next = waiting[index]
      if (!next) return
      const report = await runCase(next.scenario, next.one, { ...options, target })
      ended[index] = report
      isEnding ||= values.bail && report.outcome === 'failed'
      for (let at = ended[printed]; at; at = ended[++printed]) show(at)
    }
  }

  function show(report: CaseReport): void {
    if (!values.json) console.log(caseText(report, values.verbose))
  }

  try {
    if (workers === null) await withTarget(connection, work)
    else {
      const endAll = (error: unknown) => {
        isEnding = true
        throw error
      }
      const working = Array.from({ length: Math.min(workers, waiting.length) }, () =>
        withSandbox(connection, work).catch(endAll),
      )
      const failed = (await Promise.allSettled(working)).find(({ status }) => status === 'rejected')
      if (failed?.status === 'rejected') throw failed.reason
    }
  } catch (error) {
    // Other cases may have created records: their report is not lost with the service.
    if (!(error instanceof Unreachable) || ended.length === 0) throw error
    lost = error.message
  }
  // A case that was not run leaves a gap: those behind it were not printed yet.
  for (const one of ended.slice(printed)) if (one) show(one)
  const reports = ended.filter((one) => one !== undefined)
  const report = runReport(reports, startedAt, performance.now() - startMs, stopping.signal.aborted || lost !== null)
  if (lost !== null) console.error(`\n${lost} The remaining cases were not run.`)
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
        check: { type: 'boolean', default: false },
        bail: { type: 'boolean', default: false },
        parallel: { type: 'string' },
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
  const hasTag = ({ tags }: Scenario) => tag === undefined || tags?.includes(tag)
  if (all && names.length > 0) throw new Error(usage)
  if (names.length === 0) {
    if (!all && tag === undefined) throw new Error(usage)
    const found = builtIn.map(({ scenario }) => scenario).filter(hasTag)
    if (found.length > 0) return found
    throw new Error(
      `No built-in scenario has the tag ${tag}.${didYouMean(tag ?? '', tagsOf(builtIn.map(({ scenario }) => scenario)))}`,
    )
  }
  const fragments = builtInFragments(root)
  const mistakes: string[] = []
  const scenarios = names.flatMap((name) => {
    const known = builtIn.find((one) => one.name === name)
    if (known) return [known.scenario]
    if (!existsSync(name)) {
      const meant = didYouMean(
        name,
        builtIn.map((one) => one.name),
      )
      mistakes.push(`${name} is neither a file, a folder nor a built-in scenario (npm run scenario -- --list).${meant}`)
      return []
    }
    const files = statSync(name).isDirectory() ? scenarioFilesIn(name) : [name]
    if (files.length === 0) mistakes.push(`${name} has no scenario: no file that ends with .yaml or .yml.`)
    return files.flatMap((file) => {
      const read = loadScenarioFile(file, fragments)
      if (read.ok) return [read.value]
      mistakes.push(...read.error)
      return []
    })
  })
  if (mistakes.length > 0) throw new Error([...new Set(mistakes)].join('\n'))
  const found = scenarios.filter(hasTag)
  if (found.length > 0) return found
  throw new Error(`None of the scenarios has the tag ${tag}.${didYouMean(tag ?? '', tagsOf(scenarios))}`)
}

function tagsOf(scenarios: readonly Scenario[]): string[] {
  return scenarios.flatMap(({ tags = [] }) => tags)
}

function variable(text: string): [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw new Error(`--var must be NAME=VALUE; it is "${text}".`)
  return [text.slice(0, at), text.slice(at + 1)]
}

/** Half of the sandboxes that there can be: another pipeline has room beside it. */
const mostWorkers = 16

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

/** How many workers run with a sandbox each; null for one that runs in the sandbox that everybody shares. */
function workersOf(
  { parallel, 'webhook-url': publicUrl }: { parallel?: string | undefined } & WebhookValues,
  { controlUrl }: ServiceConnection,
): number | null {
  if (parallel === undefined) return null
  if (!/^[1-9]\d?$/.test(parallel) || Number(parallel) > mostWorkers)
    throw new Error(`--parallel must be a number from 1 to ${mostWorkers}.`)
  if (controlUrl === null)
    throw new Error('--parallel needs a sandbox for each worker, which the built-in service alone has. Leave it out.')
  if (publicUrl !== undefined)
    throw new Error('--parallel can’t be combined with --webhook-url: its port serves one worker.')
  return Number(parallel)
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

async function withTarget(connection: ServiceConnection, work: (target: Target) => Promise<void>): Promise<void> {
  const target = openTarget(connection)
  try {
    await work(target)
  } finally {
    await target.close()
  }
}

await runCommand(runScenarios)
