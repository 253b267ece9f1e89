import { setTimeout as delay } from 'node:timers/promises'
import type { EndpointName } from '#lib/contract/endpoints.ts'
import { textIn } from '#lib/shared/json.ts'
import { endpointCalls, with200 } from './calls.ts'
import { compareAll, type Difference } from './compare.ts'
import { resolve, type Scope } from './expressions.ts'
import type { ReceivedEvent, Receiver } from './receiver.ts'
import {
  parseDurationMs,
  type CallStep,
  type ControlStep,
  type DeliveriesStep,
  type EventStep,
  type SingleStep,
} from './schema.ts'
import { isSuccess, type Response, type SentRequest, type Target } from './target.ts'
import { unknownEventText } from './unknown-event.ts'

export type PerformOptions = {
  target: Target
  /** Called with each expectation and what was found, before they are compared. */
  onExpectation?: (expectation: { step: string; found: Fields; expected: Fields }) => void
  signal?: AbortSignal
  /** Cuts every wait of a scenario short. */
  longestWaitMs?: number
}

export type Fields = Record<string, unknown>

/** The result of a step, for `expect` and `save`. */
export type StepResult = { found: Fields; differences?: Difference[]; reason?: string | null; exchange?: Exchange }
type Exchange = { request: SentRequest; response: Response }

const noDeliveries: Fields = {
  events: [],
  count: 0,
  attempts: 0,
  refused: 0,
  pings: 0,
  invalidSignatures: 0,
  last: null,
}

/** The service cannot do it: the step and those after it are skipped. */
export class Unsupported extends Error {}
/** The step can't be done as it is written. */
export class Failed extends Error {}

const usualWaitMs = 5000
const pollMs = 100

const noControl = 'The control plane belongs to the built-in sandbox. This service has none.'

/** What the steps of a case have seen of events. */
type Seen = {
  /** Ids of the deliveries that a step has matched. */
  received: Set<string>
  /** Events of names that the contract lacks, which the scenario makes itself. */
  emitted: Set<string>
}

export function nothingSeen(): Seen {
  return { received: new Set(), emitted: new Set() }
}

/**
 * Performs single steps of a case. `openedReceiver` returns the receiver, or throws `Unsupported` where there is none. A performed step
 * may have found differences. Throws `Failed` for a step that cannot be performed as it is written, `Unsupported` for one that the
 * service cannot do, and `Unreachable`.
 */
export function stepPerformer(
  { target, onExpectation, signal, longestWaitMs = Infinity }: PerformOptions,
  openedReceiver: () => Receiver,
  { received, emitted }: Seen,
): (step: SingleStep, scope: Scope) => Promise<StepResult> {
  function waitMs(within: string | undefined, usualMs: number): number {
    return Math.min(within === undefined ? usualMs : parseDurationMs(within), longestWaitMs)
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
    const waitsMs = request.method === 'GET' ? waitMs(step.within, 0) : 0
    const stated = resolveExpectation(step.expect, scope)
    const deadline = performance.now() + waitsMs
    for (;;) {
      const response = await target.send(request, { endpoint, key, signal })
      const found = foundIn(response)
      const expected = isOpen(step, endpoint, response) ? openExpectation(stated, response) : stated
      const differences = compareAll(found, expected)
      if (differences.length === 0 || performance.now() + pollMs >= deadline || signal?.aborted) {
        onExpectation?.({ step: name, found, expected })
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
    if (step.control === 'POST /events') emitted.add(textIn(input.body, 'event') ?? '')
    const found = foundIn(response)
    const expected = resolveExpectation(step.expect, scope)
    onExpectation?.({ step: step.control, found, expected })
    return { found, differences: compareAll(found, expected), exchange: { request, response } }
  }

  async function event(step: EventStep, scope: Scope): Promise<StepResult> {
    const opened = openedReceiver()
    const where = resolve(step.where ?? {}, scope) as Fields
    const name = String(resolve(step.event, scope))
    // Nothing to wait for: the built-in service delivers no other names.
    const unknown = target.hasControl && !step.absent && !emitted.has(name) ? unknownEventText(name) : null
    if (unknown !== null) throw new Failed(unknown)
    const matching = () => {
      const open = opened.accepted().filter((one) => one.event === name && !received.has(one.id))
      return open.find((one) => compareAll(toFound(one), where).length === 0)
    }
    const deadline = performance.now() + waitMs(step.within, usualWaitMs)
    let found = matching()
    for (let leftMs = deadline - performance.now(); !found && leftMs > 0; leftMs = deadline - performance.now()) {
      if (signal?.aborted) break
      await opened.wait(leftMs, signal)
      found = matching()
    }
    if (step.absent) {
      const difference = { path: 'event', expected: `no ${name}`, found: JSON.stringify(found?.data ?? null) }
      return { found: found ? toFound(found) : {}, differences: found ? [difference] : [] }
    }
    if (!found) {
      const others = opened.accepted().filter((one) => !received.has(one.id))
      const names = [...new Set(others.map((one) => one.event))].join(', ') || 'nothing else'
      const filter = Object.keys(where).length > 0 ? ` with ${describe(where)}` : ''
      const last = others.findLast((one) => one.event === name)
      const unlike = last && compareAll(toFound(last), where).map(({ path, found: value }) => `${path} ${value}`)
      const nearest = unlike ? `, the last ${name} with ${unlike.join(', ')}` : ''
      const text = `${names} delivered${nearest}`
      return { found: {}, differences: [{ path: 'event', expected: `${name}${filter}`, found: text }] }
    }
    received.add(found.id)
    const result = toFound(found)
    const expected = { signature: { $not: 'invalid' }, ...(resolve(step.expect ?? {}, scope) as Fields) }
    onExpectation?.({ step: name, found: result, expected })
    return { found: result, differences: compareAll(result, expected) }
  }

  async function deliveries(step: DeliveriesStep, scope: Scope): Promise<StepResult> {
    const opened = openedReceiver()
    const where = resolve(step.deliveries, scope) as Fields
    const expected = resolve(step.expect ?? {}, scope) as Fields
    const deadline = performance.now() + waitMs(step.within, usualWaitMs)
    // Nothing is to come, such as `count: 0`: that is known at the end of the time.
    const isAwaited = step.within === undefined || compareAll(noDeliveries, expected).length > 0
    for (;;) {
      const accepted = opened.accepted().filter((one) => compareAll(toFound(one), where).length === 0)
      const last = accepted.at(-1)
      const found: Fields = {
        events: accepted.map((one) => one.event),
        count: accepted.length,
        ...opened.counts(),
        last: last ? toFound(last) : null,
      }
      const differences = compareAll(found, expected)
      if ((isAwaited && differences.length === 0) || performance.now() >= deadline || signal?.aborted) {
        onExpectation?.({ step: 'deliveries', found, expected })
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
    const expected = resolveExpectation(step.expect, scope)
    return {
      found,
      differences: compareAll(found, expected).map((one) => (one.path === 'last6' ? { ...one, found: '••••••' } : one)),
    }
  }

  return async (step, scope) => {
    if ('call' in step) return call(step, scope)
    if ('control' in step) return control(step, scope)
    if ('event' in step) return event(step, scope)
    if ('deliveries' in step) return deliveries(step, scope)
    if ('open' in step) return open(step, scope)
    openedReceiver().respondWith(step.receiver)
    return { found: {} }
  }
}

/** A step without an expected status or a dropped connection expects 200; `isOpen` says where any 2xx is one. */
function resolveExpectation(expect: Fields = {}, scope: Scope): Fields {
  const expected = resolve(expect, scope) as Fields
  return 'status' in expected || expected.dropped === true ? expected : { status: 200, ...expected }
}

/** A success of an endpoint to which the interface gives no number, where the step names none either. */
function isOpen({ expect = {} }: CallStep, endpoint: EndpointName, { status }: Response): boolean {
  return !('status' in expect) && !with200.has(endpoint) && isSuccess(status)
}

/** The expectations with the response's own status; where the response is a 204 without a body, also without those about a body. */
function openExpectation(expected: Fields, { status, body }: Response): Fields {
  const isEmpty = status === 204 && (body === null || body === undefined)
  const kept = Object.entries(expected).filter(([path]) => !(isEmpty && /^body\b/.test(path)))
  return { ...Object.fromEntries(kept), status }
}

function foundIn({ status, code, message, body, replayed, dropped }: Response): Fields {
  return { status, code, message, body, replayed, dropped }
}

function toFound({ event, id, time, data, signature }: ReceivedEvent): Fields {
  return { event, id, time, data, signature }
}

function describe(where: Fields): string {
  return Object.entries(where)
    .map(([path, value]) => `${path} ${JSON.stringify(value)}`)
    .join(', ')
}
