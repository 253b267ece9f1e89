import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { maskCardNumbersInJson } from '#lib/shared/card-numbers.ts'
import { textIn } from '#lib/shared/json.ts'
import { createdBy, endpointCalls, type CreatedRecord } from './calls.ts'
import { typed, type Case, type GivenVariables } from './cases.ts'
import { compareAll, type Difference } from './compare.ts'
import { evaluate, ExpressionError, parseExpression, resolve, type Scope } from './expressions.ts'
import type { Scenario } from './parse.ts'
import { openReceiver, type ReceivedEvent, type Receiver, type ReceiverOptions } from './receiver.ts'
import type { CaseOutcome, CaseReport, StepReport } from './report.ts'
import {
  durationOf,
  type CallStep,
  type ControlStep,
  type DeliveriesStep,
  type EventStep,
  type Step,
} from './schema.ts'
import { Unreachable, type Response, type SentRequest, type Target } from './target.ts'

export type RunOptions = {
  target: Target
  /** How the service reaches this machine; null where it can't. */
  receiver: ReceiverOptions | null
  given?: GivenVariables
  /** Called with the report of the running case after each step. */
  onProgress?: (report: CaseReport) => void
  /** Called with each expectation and what was found, before they are compared. */
  onExpectation?: (expectation: { step: string; found: Fields; expected: Fields }) => void
  signal?: AbortSignal
  /** Cuts every wait of a scenario short. */
  longestWaitMs?: number
}

type Fields = Record<string, unknown>

/** What a step can expect of and save from. */
type StepResult = { found: Fields; differences?: Difference[]; reason?: string | null; exchange?: Exchange }
type Exchange = { request: SentRequest; response: Response }

/** The service can't do it: the step and those after it are skipped. */
class Unsupported extends Error {}
/** The step can't be done as it is written. */
class Failed extends Error {}

const usualWaitMs = 5000
const pollMs = 100
const mostSteps = 5000

const noControl = 'The control plane belongs to the built-in sandbox. This service has none.'
const noReceiver = 'The service can’t deliver webhooks to this machine.'

/** Runs one case of a scenario to its end. Throws `Unreachable` where the service can't be reached. */
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
  const runner = caseRunner(options, report)
  try {
    if (needsReceiver(scenario.steps, scenario.fragments)) await runner.openWebhook()
    await runner.runSteps(scenario, scenario.steps, [], { ...variables, run, repeat: 1 }, null)
  } finally {
    await runner.end()
  }
  report.outcome = outcomeOf(report.steps, options.signal?.aborted ?? false)
  report.durationMs = Math.round(performance.now() - startMs)
  options.onProgress?.(report)
  return report
}

function outcomeOf(steps: readonly StepReport[], isStopped: boolean): CaseOutcome {
  if (steps.some(({ outcome }) => outcome === 'failed')) return 'failed'
  if (isStopped) return 'stopped'
  return steps.some(({ outcome }) => outcome === 'skipped') ? 'skipped' : 'passed'
}

type Variables = Record<string, unknown>

function caseRunner(options: RunOptions, report: CaseReport) {
  const { target, given = {}, signal, longestWaitMs = Infinity } = options
  const received = new Set<string>()
  let receiver: Receiver | null = null
  let webhookId: string | null = null
  let whyNoReceiver = noReceiver
  let executed = 0

  /** The receiver, for a step that needs it. */
  function openedReceiver(): Receiver {
    if (receiver) return receiver
    throw new Unsupported(whyNoReceiver)
  }

  /** Starts the receiver and registers its webhook, before the first step: what an early step causes is delivered, too. */
  async function openWebhook(): Promise<void> {
    if (!options.receiver) return
    const opened = await openReceiver(options.receiver, {
      profile: target.profile,
      publicKeyPem: await target.webhookKey(),
    })
    receiver = opened
    const request = target.prepareCall('createWebhook', {
      body: { url: opened.url, events: ['*'], name: `Scenario ${report.run}` },
    })
    const response = await target.send(request, { endpoint: 'createWebhook', signal })
    const id = textIn(response.body, 'id')
    if (response.status !== 200 || id === null) {
      whyNoReceiver = `${noReceiver} It refused the webhook ${opened.url}: ${response.message ?? response.status}`
      receiver = null
      return opened.close()
    }
    webhookId = id
    report.created.push({ kind: 'webhook', id })
  }

  function waitOf(within: string | undefined, usualMs: number): number {
    return Math.min(within === undefined ? usualMs : durationOf(within), longestWaitMs)
  }

  async function call(step: CallStep, scope: Scope): Promise<StepResult> {
    const name = String(resolve(step.call, scope))
    const endpoint = endpointCalls.get(name)
    if (!endpoint) throw new Failed(`There is no call ${name}.`)
    const input = resolve({ params: step.params, query: step.query, body: step.body, key: step.key }, scope) as {
      params?: object
      query?: object
      body?: unknown
      key?: unknown
    }
    const request = target.prepareCall(endpoint, { ...input, key: undefined })
    const key = input.key === undefined ? undefined : String(input.key)
    const waitsMs = request.method === 'GET' ? waitOf(step.within, 0) : 0
    const expected = expectationOf(step.expect, scope)
    const deadline = performance.now() + waitsMs
    for (;;) {
      const response = await target.send(request, { endpoint, key, signal })
      const found = foundIn(response)
      const differences = compareAll(found, expected)
      if (differences.length === 0 || performance.now() + pollMs >= deadline || signal?.aborted) {
        options.onExpectation?.({ step: name, found, expected })
        return { found, differences, exchange: { request, response } }
      }
      await delay(pollMs)
    }
  }

  async function control(step: ControlStep, scope: Scope): Promise<StepResult> {
    if (!target.hasControl) throw new Unsupported(noControl)
    const input = resolve({ query: step.query, body: step.body }, scope) as { query?: object; body?: unknown }
    const request = target.prepareControl(step.control, input)
    const response = await target.send(request, { signal })
    const found = foundIn(response)
    const expected = expectationOf(step.expect, scope)
    options.onExpectation?.({ step: step.control, found, expected })
    return { found, differences: compareAll(found, expected), exchange: { request, response } }
  }

  async function event(step: EventStep, scope: Scope): Promise<StepResult> {
    const opened = openedReceiver()
    const where = resolve(step.where ?? {}, scope) as Fields
    const name = String(resolve(step.event, scope))
    const matching = () => {
      const open = opened.accepted().filter((one) => one.event === name && !received.has(one.id))
      return open.find((one) => compareAll(foundOf(one), where).length === 0)
    }
    const deadline = performance.now() + waitOf(step.within, usualWaitMs)
    let found = matching()
    for (let leftMs = deadline - performance.now(); !found && leftMs > 0; leftMs = deadline - performance.now()) {
      if (signal?.aborted) break
      await opened.wait(leftMs, signal)
      found = matching()
    }
    if (step.absent) {
      const difference = { path: 'event', expected: `no ${name}`, found: JSON.stringify(found?.data ?? null) }
      return { found: found ? foundOf(found) : {}, differences: found ? [difference] : [] }
    }
    if (!found) {
      const others = opened.accepted().filter((one) => !received.has(one.id))
      const names = [...new Set(others.map((one) => one.event))].join(', ') || 'nothing else'
      const filter = Object.keys(where).length > 0 ? ` with ${describe(where)}` : ''
      return { found: {}, differences: [{ path: 'event', expected: `${name}${filter}`, found: `${names} delivered` }] }
    }
    received.add(found.id)
    const result = foundOf(found)
    const expected = { signature: { $not: 'invalid' }, ...(resolve(step.expect ?? {}, scope) as Fields) }
    options.onExpectation?.({ step: name, found: result, expected })
    return { found: result, differences: compareAll(result, expected) }
  }

  async function deliveries(step: DeliveriesStep, scope: Scope): Promise<StepResult> {
    const opened = openedReceiver()
    const where = resolve(step.deliveries, scope) as Fields
    const expected = resolve(step.expect ?? {}, scope) as Fields
    const deadline = performance.now() + waitOf(step.within, usualWaitMs)
    for (;;) {
      const accepted = opened.accepted().filter((one) => compareAll(foundOf(one), where).length === 0)
      const last = accepted.at(-1)
      const found: Fields = {
        events: accepted.map((one) => one.event),
        count: accepted.length,
        ...opened.counts(),
        last: last ? foundOf(last) : null,
      }
      const differences = compareAll(found, expected)
      if (differences.length === 0 || performance.now() >= deadline || signal?.aborted) {
        options.onExpectation?.({ step: 'deliveries', found, expected })
        return { found, differences }
      }
      await opened.wait(deadline - performance.now(), signal)
    }
  }

  async function open(step: { open: string; expect?: Fields | undefined }, scope: Scope): Promise<StepResult> {
    const { status, text } = await target.open(String(resolve(step.open, scope)), signal)
    // The page shows a card number: nothing else of it is used or reported.
    const digits = /\b\d(?:[ -]?\d){12,18}\b/.exec(text)?.[0].replaceAll(/\D/g, '')
    const found = { status, last6: digits?.slice(-6) }
    const expected = expectationOf(step.expect, scope)
    return {
      found,
      differences: compareAll(found, expected).map((one) => (one.path === 'last6' ? { ...one, found: '••••••' } : one)),
    }
  }

  async function perform(step: Step, scope: Scope): Promise<StepResult> {
    if ('call' in step) return call(step, scope)
    if ('control' in step) return control(step, scope)
    if ('event' in step) return event(step, scope)
    if ('deliveries' in step) return deliveries(step, scope)
    if ('open' in step) return open(step, scope)
    if ('receiver' in step) {
      openedReceiver().respondWith(step.receiver)
      return { found: {} }
    }
    throw new Failed('This step can’t be run.')
  }

  function hasEnded(): boolean {
    return (
      report.steps.some(({ outcome }) => outcome === 'failed' || outcome === 'skipped') || (signal?.aborted ?? false)
    )
  }

  /** Runs steps in turn with the scope's variables, which the steps add to. */
  async function runSteps(
    file: Scenario,
    steps: readonly Step[],
    above: readonly (string | number)[],
    scope: Variables,
    fragment: string | null,
  ): Promise<void> {
    for (const [index, step] of steps.entries()) {
      const path = [...above, 'steps', index]
      if ('repeat' in step) {
        const times = hasEnded() ? 1 : Number(resolve(step.repeat, scope))
        for (let repeat = 1; repeat <= times; repeat += 1) {
          const inner = { ...scope, repeat }
          await runSteps(file, step.steps, path, inner, fragment)
          Object.assign(scope, inner, { repeat: scope.repeat })
        }
        continue
      }
      if ('use' in step) {
        const used = file.fragments.get(step.use)
        if (!used) continue
        const declared = { ...used.vars, ...typed(used.vars ?? {}, given) }
        const withValues = hasEnded() ? {} : (resolve(step.with ?? {}, scope) as Fields)
        const inner = { ...declared, ...withValues, run: scope.run, repeat: scope.repeat }
        await runSteps(used, used.steps, [], inner, step.use)
        for (const name of savedNames(used)) if (Object.hasOwn(inner, name)) scope[name] = Reflect.get(inner, name)
        continue
      }
      await runStep(step, scope, { fragment, line: file.lines.get(path.join('.')) ?? null })
    }
  }

  async function runStep(
    step: Exclude<Step, { repeat: unknown } | { use: unknown }>,
    scope: Variables,
    { fragment, line }: Pick<StepReport, 'fragment' | 'line'>,
  ): Promise<void> {
    const entry: StepReport = {
      name: nameOf(step, scope),
      fragment,
      line,
      outcome: hasEnded() ? 'not run' : 'running',
      durationMs: 0,
      reason: null,
      request: null,
      response: null,
      differences: [],
    }
    report.steps.push(entry)
    if (entry.outcome === 'not run') return
    options.onProgress?.(report)
    const startMs = performance.now()
    try {
      executed += 1
      if (executed > mostSteps) throw new Failed(`A case runs ${mostSteps} steps at most.`)
      if (usesWebhook(step)) scope.receiver = { url: openedReceiver().url, webhookId }
      const result = await perform(step, scope)
      note(entry, result)
      // What was waited for may still have come.
      if (signal?.aborted && entry.outcome === 'failed') entry.outcome = 'not run'
      if (entry.outcome === 'passed' && 'save' in step) save(step.save ?? {}, result.found, scope)
      const created = result.exchange && entry.outcome === 'passed' ? createdIn(step, result.exchange.response) : null
      if (created) report.created.push(created)
    } catch (error) {
      noteError(entry, error, signal)
    }
    entry.durationMs = Math.round(performance.now() - startMs)
    options.onProgress?.(report)
  }

  return {
    openWebhook,
    runSteps,
    /** Removes the webhook and stops the receiver. */
    async end(): Promise<void> {
      try {
        if (webhookId !== null) {
          const request = target.prepareCall('removeWebhook', { body: { webhookId } })
          await target.send(request, { endpoint: 'removeWebhook' })
        }
      } catch (error) {
        if (!(error instanceof Unreachable)) throw error
      } finally {
        await receiver?.close()
      }
    },
  }
}

function noteError(entry: StepReport, error: unknown, signal: AbortSignal | undefined): void {
  if (error instanceof Unreachable) throw error
  if (signal?.aborted) {
    entry.outcome = 'not run'
  } else if (error instanceof Unsupported) {
    entry.outcome = 'skipped'
    entry.reason = error.message
  } else if (error instanceof Failed || error instanceof ExpressionError || error instanceof TypeError) {
    entry.outcome = 'failed'
    entry.reason = error.message
  } else throw error
}

function note(entry: StepReport, { differences = [], exchange }: StepResult): void {
  entry.outcome = differences.length === 0 ? 'passed' : 'failed'
  entry.differences = differences.map(({ path, expected, found }) => ({
    path,
    expected: maskCardNumbersInJson(expected),
    found: maskCardNumbersInJson(found),
  }))
  if (!exchange) return
  const { request, response } = exchange
  entry.request = { ...request, body: request.body === null ? null : recorded(request.body) }
  entry.response = {
    status: response.status,
    requestId: response.requestId,
    body: response.body === null || response.body === undefined ? null : recorded(JSON.stringify(response.body)),
  }
}

const longestRecord = 20_000
const secretFields = /"(pin|last6|file)":"[^"]*"/g

/** JSON text as a report may hold it: without card numbers, PINs and files, and not too long. */
function recorded(json: string): string {
  const masked = maskCardNumbersInJson(json).replaceAll(secretFields, '"$1":"••••••"')
  return masked.length > longestRecord ? `${masked.slice(0, longestRecord)}…` : masked
}

function createdIn(step: Step, { status, body }: Response): CreatedRecord | null {
  if (status !== 200) return null
  if ('call' in step) return createdBy('call', step.call, body)
  return 'control' in step ? createdBy('control', step.control, body) : null
}

function save(sources: Readonly<Record<string, string>>, found: Fields, scope: Variables): void {
  for (const [name, source] of Object.entries(sources)) {
    const parsed = parseExpression(source)
    if (!parsed.ok) throw new ExpressionError(parsed.error.message)
    scope[name] = evaluate(parsed.value, { ...scope, ...found })
  }
}

/** A step without an expected status or a dropped connection expects 200. */
function expectationOf(expect: Fields = {}, scope: Scope): Fields {
  const expected = resolve(expect, scope) as Fields
  return 'status' in expected || expected.dropped === true ? expected : { status: 200, ...expected }
}

function foundIn({ status, code, message, body, replayed, dropped }: Response): Fields {
  return { status, code, message, body, replayed, dropped }
}

function foundOf({ event, id, time, data, signature }: ReceivedEvent): Fields {
  return { event, id, time, data, signature }
}

function describe(where: Fields): string {
  return Object.entries(where)
    .map(([path, value]) => `${path} ${JSON.stringify(value)}`)
    .join(', ')
}

/** Whether a step needs the id or the URL of the webhook. */
function usesWebhook(step: Step): boolean {
  return JSON.stringify(step).includes('receiver.')
}

/** Whether any step waits for deliveries, or needs the webhook. */
function needsReceiver(steps: readonly Step[], fragments: Scenario['fragments']): boolean {
  return steps.some((step) => {
    if ('repeat' in step) return needsReceiver(step.steps, fragments)
    if ('use' in step) return needsReceiver(fragments.get(step.use)?.steps ?? [], fragments)
    return 'event' in step || 'deliveries' in step || 'receiver' in step || usesWebhook(step)
  })
}

function savedNames({ steps, fragments }: Scenario): string[] {
  const namesIn = (inner: readonly Step[]): string[] =>
    inner.flatMap((step) => {
      if ('repeat' in step) return namesIn(step.steps)
      if ('use' in step) {
        const used = fragments.get(step.use)
        return used ? savedNames(used) : []
      }
      return Object.keys(('save' in step ? step.save : undefined) ?? {})
    })
  return namesIn(steps)
}

/** The step's name, or what it does. */
function nameOf(step: Exclude<Step, { repeat: unknown } | { use: unknown }>, scope: Scope): string {
  if ('name' in step && step.name !== undefined) return labelText(step.name, scope)
  if ('call' in step) return labelText(step.call, scope)
  if ('control' in step) return `Control plane: ${step.control}`
  if ('event' in step) return `${step.absent ? 'No event' : 'Event'} ${labelText(step.event, scope)}`
  if ('deliveries' in step) return 'Deliveries'
  if ('receiver' in step) return `Receiver responds with ${step.receiver}`
  return 'Open the link'
}

function labelText(template: string, scope: Scope): string {
  try {
    return String(resolve(template, scope))
  } catch {
    return template
  }
}
