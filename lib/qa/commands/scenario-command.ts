import { existsSync, statSync } from 'node:fs'
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import { expandCases, hasVariable, type GivenVariables } from '#lib/qa/scenarios/cases.ts'
import { builtInFragments, builtInScenarios } from '#lib/qa/scenarios/load-built-in.ts'
import { loadScenarioFile, scenarioFilesIn } from '#lib/qa/scenarios/load-files.ts'
import { caseText, runReport } from '#lib/qa/scenarios/report.ts'
import type { RunOptions } from '#lib/qa/scenarios/run.ts'
import type { Scenario } from '#lib/qa/scenarios/schema.ts'
import { movesClock, replacesContents } from '#lib/qa/scenarios/steps.ts'
import { openTarget, type ScenarioService } from '#lib/qa/scenarios/target.ts'
import { closestName, didYouMean } from '#lib/shared/closest-name.ts'
import { endWithReport } from './end-with-report.ts'
import { runCases } from './run-cases.ts'

/** Options as they were given; those of the service are texts. */
export type ServiceOptions = Readonly<Record<string, unknown>>

/** The differences between the commands that run scenarios: `npm run scenario`, and the program of the package. */
export type ScenarioCommand = {
  /** As it is typed, before its arguments. */
  name: string
  /** The folder that has the built-in scenarios below it. */
  root: string
  /** The options with a value that name the service, and their lines of the usage text. */
  serviceOptions: readonly string[]
  serviceUsage: string
  /** The service to run against. Throws an `Error` for people. */
  connect: (options: ServiceOptions) => ScenarioService | Promise<ScenarioService>
}

const formatUsage = ({
  name,
  serviceUsage,
}: ScenarioCommand) => `Usage: ${name} FILE… | FOLDER… | NAME… | --all [options]
       ${name} --list

  --all              every built-in scenario
  --tag TAG          those with a tag: of the files and folders, else of the built-in scenarios
  --check            reads the files and names their mistakes, without a server
  --bail             stops after the first case that fails
  --parallel N       N cases at a time, each worker in a sandbox of its own, which it makes and deletes
  --list             names, titles and tags of the built-in scenarios
  --var NAME=VALUE   a variable's value, for each scenario that has it; repeatable
${serviceUsage}
  --webhook-url URL  a URL that leads to this machine, for a service elsewhere
  --webhook-port N   the port of this machine that the URL leads to, or ADDRESS:N to listen at another address than
                     127.0.0.1
  --junit FILE       writes JUnit XML
  --json             prints the report as JSON
  --verbose          prints every step

Exit code: 0 all passed or skipped, 1 a scenario failed, 2 nothing could be run.`

/** Runs scenarios and returns the exit code. Throws an `Error` for people where nothing can be run. docs/scenarios.md describes it. */
export async function runScenarios(args: string[], command: ScenarioCommand): Promise<number> {
  const { values, positionals } = parsedArguments(args, command)
  if (values.help) return print(formatUsage(command))
  if (values.list) return print(listText(command))
  const scenarios = chosen(positionals, values, command)
  if (values.check)
    return print(`${scenarios.length} ${scenarios.length === 1 ? 'scenario is' : 'scenarios are'} right.`)
  const given = Object.fromEntries(values.var.map(variable))
  const runs = expandAll(scenarios, given)

  const connection = await command.connect(values)
  await requireAccess(connection)
  const workers = parseWorkers(values, connection)
  if (workers === null) warnOfOthers(scenarios, connection)
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  const startedAt = new Date()
  const startMs = performance.now()
  const waiting = runs.flatMap(({ scenario, cases }) => cases.map((one) => ({ scenario, one })))
  const { reports, lost } = await runCases(waiting, connection, {
    workers,
    bail: values.bail,
    options: { receiver: toReceiver(connection, values), given, signal: stopping.signal },
    show: (report) => {
      if (!values.json) console.log(caseText(report, values.verbose))
    },
  })
  const report = runReport(reports, startedAt, performance.now() - startMs, stopping.signal.aborted || lost !== null)
  if (lost !== null) console.error(`\n${lost} The remaining cases were not run.`)
  const seconds = (report.durationMs / 1000).toFixed(1)
  return endWithReport(
    report,
    values,
    ({ passed, failed, skipped }) => `${passed} passed, ${failed} failed, ${skipped} skipped in ${seconds} s`,
  )
}

/** The cases of each scenario with the given variables that it has. Throws an `Error` with every mistake. */
function expandAll(scenarios: readonly Scenario[], given: GivenVariables) {
  const entries = Object.entries(given)
  const unknown = entries.filter(([name]) => !scenarios.some((scenario) => hasVariable(scenario, name)))
  const files = scenarios.length === 1 ? scenarios[0]?.file : `any of the ${scenarios.length} scenarios`
  const mistakes = unknown.map(([name]) => `${name} isn’t a variable of ${files}.`)
  const runs = scenarios.map((scenario) => {
    const own = Object.fromEntries(entries.filter(([name]) => hasVariable(scenario, name)))
    const cases = expandCases(scenario, own)
    if (!cases.ok) mistakes.push(...cases.error)
    return { scenario, cases: cases.ok ? cases.value : [] }
  })
  if (mistakes.length > 0) throw new Error(mistakes.join('\n'))
  return runs
}

/** Throws an `Error` where the service refuses the access key or the signature: no case could pass. */
async function requireAccess(connection: ScenarioService): Promise<void> {
  const target = openTarget(connection)
  try {
    // The control plane has no faults, so that the question uses none up.
    const request = target.hasControl ? target.prepareControl('GET /clock', {}) : target.prepareCall('ping', {})
    const { status, message } = await target.send(request, {})
    if (status === 401) throw new Error(`${connection.baseUrl} refuses the access: ${message ?? 'HTTP 401'}.`)
  } finally {
    await target.close()
  }
}

const ownOptions = {
  all: { type: 'boolean', default: false },
  tag: { type: 'string' },
  list: { type: 'boolean', default: false },
  check: { type: 'boolean', default: false },
  bail: { type: 'boolean', default: false },
  parallel: { type: 'string' },
  var: { type: 'string', multiple: true, default: [] },
  'webhook-url': { type: 'string' },
  'webhook-port': { type: 'string' },
  junit: { type: 'string' },
  json: { type: 'boolean', default: false },
  verbose: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} satisfies ParseArgsOptionsConfig

function parsedArguments(args: string[], command: ScenarioCommand) {
  const serviceOptions = Object.fromEntries(command.serviceOptions.map((name) => [name, { type: 'string' } as const]))
  try {
    return parseArgs({ args, allowPositionals: true, options: { ...serviceOptions, ...ownOptions } })
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split('. ')
    const unknown = /^Unknown option '--([\w-]+)'/.exec(sentence)?.[1]
    const names = [...command.serviceOptions, ...Object.keys(ownOptions)]
    const meant = unknown === undefined ? null : closestName(unknown, names)
    const advice = meant === null ? '' : ` Did you mean --${meant}?`
    throw new Error(`${sentence.replace(/\.$/, '')}.${advice}\n\n${formatUsage(command)}`, { cause: error })
  }
}

/** Says which scenarios will move the clock or replace the contents of a sandbox that others use, before they do. */
function warnOfOthers(scenarios: readonly Scenario[], { controlUrl }: ScenarioService): void {
  if (controlUrl === null || controlUrl.includes('/sandboxes/')) return
  const warn = (disturbing: readonly Scenario[], verb: string, what: string) => {
    if (disturbing.length === 0) return
    const titles = disturbing.map((one) => `“${one.scenario}”`).join(', ')
    const many = disturbing.length > 1
    console.error(
      `${titles} ${many ? verb : `${verb}s`} ${what} of the sandbox, which everybody shares. With --parallel 1 ${many ? 'they run' : 'it runs'} in a sandbox of ${many ? 'their' : 'its'} own.\n`,
    )
  }
  warn(scenarios.filter(movesClock), 'move', 'the clock')
  warn(scenarios.filter(replacesContents), 'replace', 'the contents')
}

function print(text: string): number {
  console.log(text)
  return 0
}

function listText({ root }: ScenarioCommand): string {
  const scenarios = builtInScenarios(root)
  const width = Math.max(...scenarios.map(({ name }) => name.length))
  return scenarios
    .map(({ name, scenario }) => `${name.padEnd(width)}  ${scenario.scenario}  [${(scenario.tags ?? []).join(', ')}]`)
    .join('\n')
}

/** The files and built-in scenarios to run. Throws an `Error` with every mistake of the files. */
function chosen(
  names: string[],
  { all, tag }: { all: boolean; tag?: string | undefined },
  command: ScenarioCommand,
): Scenario[] {
  const { root } = command
  const builtIn = builtInScenarios(root)
  const hasTag = ({ tags }: Scenario) => tag === undefined || tags?.includes(tag)
  if (all && names.length > 0) throw new Error(formatUsage(command))
  if (names.length === 0) {
    if (!all && tag === undefined) throw new Error(formatUsage(command))
    const found = builtIn.map(({ scenario }) => scenario).filter(hasTag)
    if (found.length > 0) return found
    throw new Error(
      `No built-in scenario has the tag ${tag}.${didYouMean(tag ?? '', listTags(builtIn.map(({ scenario }) => scenario)))}`,
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
      mistakes.push(`${name} is neither a file, a folder nor a built-in scenario (${command.name} --list).${meant}`)
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
  throw new Error(`None of the scenarios has the tag ${tag}.${didYouMean(tag ?? '', listTags(scenarios))}`)
}

function listTags(scenarios: readonly Scenario[]): string[] {
  return scenarios.flatMap(({ tags = [] }) => tags)
}

function variable(text: string): [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw new Error(`--var must be NAME=VALUE; it is "${text}".`)
  return [text.slice(0, at), text.slice(at + 1)]
}

/** Half of the sandboxes that there can be: another pipeline has room beside it. */
const mostWorkers = 16

/** How many workers run with a sandbox each; null for one that runs in the sandbox that everybody shares. */
function parseWorkers(
  { parallel, 'webhook-url': publicUrl }: { parallel?: string | undefined } & WebhookValues,
  { controlUrl }: ScenarioService,
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

/** A built-in service reaches a loopback port; another one needs a URL. */
function toReceiver(
  { controlUrl }: ScenarioService,
  { 'webhook-url': publicUrl, 'webhook-port': listenAt }: WebhookValues,
): RunOptions['receiver'] {
  if (publicUrl === undefined) return controlUrl === null ? null : {}
  const [, host = '127.0.0.1', port] = /^(?:([\w.:[\]-]+):)?(\d{1,5})$/.exec(listenAt ?? '') ?? []
  if (!URL.canParse(publicUrl) || port === undefined) {
    throw new Error('--webhook-url must be a URL, with the port of this machine in --webhook-port.')
  }
  return { publicUrl, host, port: Number(port) }
}
