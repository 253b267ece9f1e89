import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { loadEnv } from '#lib/launch/command.ts'
import { runCommand } from '#lib/launch/run-command.ts'
import { failureText } from '#lib/qa/scenarios/report.ts'
import { build } from '#lib/qa/scenarios/reproduce/build.ts'
import { makeAsk, readCase, type Case, type Subject } from '#lib/qa/scenarios/reproduce/case.ts'
import { reproduce, type Reproduction } from '#lib/qa/scenarios/reproduce/reproduce.ts'
import { makeSandbox, type OwnSandbox } from '#lib/qa/scenarios/sandbox.ts'
import { openTarget, type ScenarioService, type Target } from '#lib/qa/scenarios/target.ts'
import { readServiceAccess, builtInAccess } from '#lib/settings/service-access.ts'
import { textIn } from '#lib/shared/json.ts'
import { isEnvironment } from '#lib/shared/routes.ts'

/** `npm run reproduce`: scenario files that reach the state of an account, a transaction or a payout. docs/scenarios.md describes it. */

const usage = `Usage: npm run reproduce -- --account ID [--transaction ID] | --payout ID [options]

  --account ID       the state of a card account
  --transaction ID   the state of a card transaction of that account and what belongs to it
  --payout ID        the state of a payout
  --env ENVIRONMENT  where the original is: sandbox or production, as the settings connect them; by default the built-in
                     sandbox, which has to run
  --out FILE         writes the scenario to a file; otherwise it is printed
  --run              runs it in a sandbox of its own of the built-in service, compares the state, and deletes the sandbox
  --keep TTL         as --run, and leaves the sandbox for a time such as PT2H

Exit code: 0 written, or in the original's state; 1 another state, or a step failed; 2 nothing was done.`

async function reproduceCase(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      account: { type: 'string' },
      transaction: { type: 'string' },
      payout: { type: 'string' },
      env: { type: 'string' },
      out: { type: 'string' },
      run: { type: 'boolean', default: false },
      keep: { type: 'string' },
    },
  })
  loadEnv()
  const original = await readOriginal(values.env, toSubject(values))
  const reproduction = reproduce(original, 'docs/carddesk.scenario.schema.json')
  if (values.out === undefined) console.log(reproduction.text)
  else writeFileSync(values.out, reproduction.text)
  if (!values.run && values.keep === undefined) return 0
  return runInSandbox(original, reproduction, values.keep)
}

type Given = { account?: string | undefined; transaction?: string | undefined; payout?: string | undefined }

/** The record that the options name. Throws an `Error` for people unless they name one record. */
function toSubject({ account, transaction, payout }: Given): Subject {
  if (payout !== undefined && account === undefined && transaction === undefined) return { type: 'payout', id: payout }
  if (payout !== undefined || (account === undefined && transaction === undefined)) throw new Error(usage)
  if (account === undefined)
    throw new Error(
      '--transaction needs --account ID, the card account that it belongs to. The search of the console finds both.',
    )
  if (transaction === undefined) return { type: 'account', id: account }
  return { type: 'transaction', id: transaction, cardAccountId: account }
}

function builtIn(): ScenarioService {
  return { ...builtInAccess(process.env), webhookKey: null }
}

async function readOriginal(environment: string | undefined, subject: Subject): Promise<Case> {
  if (environment !== undefined && !isEnvironment(environment))
    throw new Error(`--env must be sandbox or production; it is "${environment}".`)
  const connection =
    environment === undefined ? builtIn() : { ...readServiceAccess(environment, process.env), webhookKey: null }
  const target = openTarget(connection)
  try {
    const found = await readCase(makeAsk(target), subject, await readClock(target))
    if (found) return found
    throw new Error(`There is no ${subject.type === 'account' ? 'card account' : subject.type} ${subject.id}.`)
  } finally {
    await target.close()
  }
}

/** The clock of the built-in service; real time for any other. */
async function readClock(target: Target): Promise<Date> {
  if (!target.hasControl) return new Date()
  const { body } = await target.send(target.prepareControl('GET /clock', {}), {})
  return new Date(textIn(body, 'now') ?? Date.now())
}

async function runInSandbox(original: Case, reproduction: Reproduction, keep: string | undefined): Promise<number> {
  const sandbox = await makeSandbox(builtIn(), keep)
  let isRemoved = keep === undefined
  try {
    const ended = await compareReproduction(original, reproduction, sandbox.target)
    console.error(ended.text)
    if (keep !== undefined) console.error(sandboxText(sandbox))
    return ended.isRight ? 0 : 1
  } catch (error) {
    isRemoved = true
    throw error
  } finally {
    if (isRemoved) await sandbox.remove()
    await sandbox.close()
  }
}

function sandboxText({ baseUrl, controlUrl, expiresAt }: OwnSandbox): string {
  return `Base URL     ${baseUrl}\nControl URL  ${controlUrl}\nUntil        ${expiresAt ?? 'unknown'}\nIts clock is stopped; POST /clock {"freeze":false} lets it run.`
}

type Compared = { text: string; isRight: boolean }

async function compareReproduction(original: Case, reproduction: Reproduction, target: Target): Promise<Compared> {
  const { report, differences } = await build(original, reproduction, target)
  const passed = report.steps.filter(({ outcome }) => outcome === 'passed').length
  const isRight = report.outcome === 'passed' && differences !== null && differences.length === 0
  const failed = report.steps.find(({ outcome }) => outcome === 'failed')
  const lines = [
    `${isRight ? 'the original’s state' : 'another state'}, ${passed} of ${report.steps.length} steps passed`,
    ...(failed ? [`failed: ${failed.name}: ${failureText(failed) ?? 'no reason'}`] : []),
    ...(differences ?? ['Its state could not be read.']),
    ...reproduction.notBuilt.map((note) => `not as in the original: ${note}`),
  ]
  return { text: lines.join('\n  '), isRight }
}

await runCommand(reproduceCase, { usage })
