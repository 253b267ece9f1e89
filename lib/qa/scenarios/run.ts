import { randomBytes } from 'node:crypto'
import { createdBy, type CreatedRecord } from './calls.ts'
import { noWebhook, openWebhook, type CaseWebhook } from './case-webhook.ts'
import { typed, type Case, type GivenVariables } from './cases.ts'
import { isResolvable } from './check-references.ts'
import { shown } from './compare.ts'
import { ExpressionError, parseExpression, resolve, type Path } from './expressions.ts'
import { Failed, nothingSeen, stepPerformer, type Fields, type PerformOptions } from './perform-step.ts'
import type { ReceiverOptions } from './receiver.ts'
import { newStep, type CaseOutcome, type CaseReport, type StepReport } from './report.ts'
import type { GroupStep, Scenario, SingleStep, Step, UseStep } from './schema.ts'
import { stepName, note, noteError } from './step-report.ts'
import { needsReceiver, savedNames, usesWebhook } from './steps.ts'
import { isSuccess, Unreachable, type Response } from './target.ts'

export type RunOptions = PerformOptions & {
  /** How the service reaches this machine; null where it can't. */
  receiver: ReceiverOptions | null
  given?: GivenVariables
  /** Called with the report of the running case after each step. */
  onProgress?: (report: CaseReport) => void
}

const mostSteps = 5000

/** The service can't be reached: the case ends with what it has come to. */
export class CaseLost extends Unreachable {
  readonly report: CaseReport
  constructor(message: string, report: CaseReport) {
    super(message)
    this.report = report
  }
}

/** Runs one case of a scenario to its end. Throws `CaseLost` where the service can't be reached. */
export async function runCase(
  scenario: Scenario,
  { label, variables }: Case,
  options: RunOptions,
): Promise<CaseReport> {
  const run = randomBytes(4).toString('hex')
  const startedAt = new Date()
  const startMs = performance.now()
  const report: CaseReport = {
    file: scenario.file,
    title: scenario.scenario,
    label,
    run,
    outcome: 'running',
    startedAt: startedAt.toISOString(),
    durationMs: 0,
    steps: [],
    created: [],
  }
  const end = () => {
    report.outcome = caseOutcome(report.steps, options.signal?.aborted ?? false)
    report.durationMs = Math.round(performance.now() - startMs)
    options.onProgress?.(report)
    return report
  }
  let webhook = noWebhook
  try {
    // Before the first step: what an early step causes is delivered, too.
    if (needsReceiver(scenario)) webhook = await openCaseWebhook(report, options)
    const runner = caseRunner(options, report, webhook)
    await runner.runFile(scenario, { ...variables, run, repeat: 1 }, null)
    await runner.runFinally()
  } catch (error) {
    throw error instanceof Unreachable ? new CaseLost(error.message, end()) : error
  } finally {
    await webhook.close()
  }
  return end()
}

async function openCaseWebhook(report: CaseReport, options: RunOptions): Promise<CaseWebhook> {
  try {
    const webhook = await openWebhook(options.receiver, `Scenario ${report.run}`, options)
    if (webhook.id !== null) report.created.push({ kind: 'webhook', id: webhook.id })
    return webhook
  } catch (error) {
    const entry = newStep('Register the webhook', { fragment: null, line: null })
    report.steps.push(entry)
    noteError(entry, error, undefined)
    throw error
  }
}

function caseOutcome(steps: readonly StepReport[], isStopped: boolean): CaseOutcome {
  if (steps.some(({ outcome }) => outcome === 'failed')) return 'failed'
  if (isStopped) return 'stopped'
  return steps.some(({ outcome }) => outcome === 'skipped') ? 'skipped' : 'passed'
}

type Variables = Record<string, unknown>
type Where = Pick<StepReport, 'fragment' | 'line'>

function caseRunner(options: RunOptions, report: CaseReport, webhook: CaseWebhook) {
  const { given = {}, signal } = options
  let executed = 0
  const seen = nothingSeen()
  const perform = stepPerformer(options, webhook.receiver, seen)
  /** The steps of `finally`, of the scenario and of the fragments that it ran; a stopped run performs them, too. */
  const atEnd: (() => Promise<void>)[] = []
  let isAtEnd = false
  const { signal: _stops, ...unstoppable } = options
  const performAtEnd = stepPerformer(unstoppable, webhook.receiver, seen)

  function hasEnded(): boolean {
    if (isAtEnd) return false
    return (
      report.steps.some(({ outcome }) => outcome === 'failed' || outcome === 'skipped') || (signal?.aborted ?? false)
    )
  }

  /** Runs the steps of a file, and remembers those of its `finally`. */
  async function runFile(file: Scenario, scope: Variables, fragment: string | null): Promise<void> {
    const { finally: last } = file
    if (last && !hasEnded()) atEnd.push(() => runSteps(file, last, ['finally'], scope, fragment))
    await runSteps(file, file.steps, ['steps'], scope, fragment)
  }

  /** Runs steps in turn with the scope's variables, which the steps add to. `list` is the path of their list in the file. */
  async function runSteps(
    file: Scenario,
    steps: readonly Step[],
    list: Path,
    scope: Variables,
    fragment: string | null,
  ): Promise<void> {
    for (const [index, step] of steps.entries()) {
      const path = [...list, index]
      const where = { fragment, line: file.lines.get(path.join('.')) ?? null }
      // The steps of a group are looked at one by one.
      const needing = 'steps' in step ? step.repeat : withoutResults(step)
      if (isAtEnd && !isResolvable(needing, Object.keys({ ...scope, receiver: null }))) continue
      if ('repeat' in step) {
        const times = findRepetitions(step, scope, where)
        for (let repeat = 1; repeat <= times && (repeat === 1 || !hasEnded()); repeat += 1) {
          const inner = { ...scope, repeat }
          await runSteps(file, step.steps, [...path, 'steps'], inner, fragment)
          Object.assign(scope, inner, { repeat: scope.repeat })
        }
      } else if ('use' in step) {
        const used = file.fragments.get(step.use)
        if (used) await runFragment(used, step, scope, where)
      } else await runStep(step, scope, where)
    }
  }

  /** How often the steps of a group run. Steps that are not run any more are listed once, but those of `finally` not at all. */
  function findRepetitions({ repeat }: GroupStep, scope: Variables, where: Where): number {
    const read = () => toRepetitions(resolve(repeat, scope))
    return hasEnded() ? 1 : (evaluate(`Repeat ${repeat}`, where, read) ?? (isAtEnd ? 0 : 1))
  }

  /** Runs a fragment with variables of its own, and adds what it saves to the scope. */
  async function runFragment(used: Scenario, step: UseStep, scope: Variables, where: Where): Promise<void> {
    const declared = { ...used.vars, ...typed(used.vars ?? {}, given) }
    const readWith = () => resolve(step.with ?? {}, scope, true) as Fields
    const withValues = hasEnded() ? {} : evaluate(`Use ${step.use}`, where, readWith)
    // Its own values would be those of a record that the file doesn't name.
    if (withValues === null && isAtEnd) return
    const inner = { ...declared, ...withValues, run: scope.run, repeat: scope.repeat }
    await runFile(used, inner, step.use)
    for (const name of savedNames(used)) if (Object.hasOwn(inner, name)) scope[name] = Reflect.get(inner, name)
  }

  function begin(name: string, where: Where): StepReport {
    const entry = newStep(name, where)
    if (hasEnded()) entry.outcome = 'not run'
    report.steps.push(entry)
    return entry
  }

  /** What a group of steps needs before it runs. Where it can't be evaluated, it is a failed step of the case, and the result null. */
  function evaluate<Value>(name: string, where: Where, read: () => Value): Value | null {
    try {
      return read()
    } catch (error) {
      noteError(begin(name, where), error, signal)
      return null
    }
  }

  async function runStep(step: SingleStep, scope: Variables, where: Where): Promise<void> {
    const entry = begin(stepName(step, scope), where)
    if (entry.outcome === 'not run') return
    options.onProgress?.(report)
    const startMs = performance.now()
    try {
      executed += 1
      if (executed > mostSteps) throw new Failed(`A case runs ${mostSteps} steps at most.`)
      if (usesWebhook(step)) scope.receiver = { url: webhook.receiver().url, webhookId: webhook.id }
      const result = await (isAtEnd ? performAtEnd : perform)(step, scope)
      note(entry, result)
      // Also where the step fails: the record is there, whatever was expected of it.
      const created = result.exchange ? createdIn(step, result.exchange.response) : null
      if (created) report.created.push(created)
      // The awaited event may still have arrived.
      if (signal?.aborted && !isAtEnd && entry.outcome === 'failed') entry.outcome = 'not run'
      if (entry.outcome === 'passed' && 'save' in step) save(step.save ?? {}, result.found, scope)
    } catch (error) {
      noteError(entry, error, isAtEnd ? undefined : signal)
    }
    entry.durationMs = Math.round(performance.now() - startMs)
    options.onProgress?.(report)
  }

  return {
    runFile,
    /**
     * Runs the steps of `finally`, those of the file that began last first, and those of fragments that they use. Steps that were
     * run before count no more.
     */
    async runFinally(): Promise<void> {
      isAtEnd = true
      executed = 0
      for (let run = atEnd.pop(); run; run = atEnd.pop()) await run()
    },
  }
}

/** How often steps run, none included: a list may be empty. Throws `Failed`. */
function toRepetitions(value: unknown): number {
  const text = String(value)
  if (/^\d{1,4}$/.test(text) && Number(text) <= 1000) return Number(text)
  throw new Failed(`repeat must be a whole number of 1000 at most; it is ${shown(value)}.`)
}

/** A step without what reads its own result: the texts that need variables before it runs. */
function withoutResults(step: Step): object {
  const { save: _save, ...rest } = { save: undefined, ...step }
  return rest
}

function createdIn(step: Step, { status, body }: Response): CreatedRecord | null {
  if (!isSuccess(status)) return null
  if ('call' in step) return createdBy('call', step.call, body)
  return 'control' in step ? createdBy('control', step.control, body) : null
}

function save(sources: Readonly<Record<string, string>>, found: Fields, scope: Variables): void {
  for (const [name, source] of Object.entries(sources)) {
    const parsed = parseExpression(source)
    if (!parsed.ok) throw new ExpressionError(parsed.error)
    scope[name] = parsed.value.evaluate({ ...scope, ...found })
  }
}
