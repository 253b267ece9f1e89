import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { callControl, type SignedDelivery } from './control-plane.ts'
import { forward } from './forward.ts'
import { type Check, Defect, type Kit, receiverChecks } from './receiver-checks.ts'
import { newStep, type CaseReport } from './report.ts'
import type { Target } from './target.ts'

/** The state of a card in the receiver, as text of any form; two that are equal mean the same. */
export type ProbeState = (cardId: string) => Promise<string>

export type CertifyOptions = {
  target: Target
  url: string
  /** Null where the receiver's state can't be seen: checks that need it are skipped. */
  probe: ProbeState | null
  /** The receiver's time to respond; the service gives 15 s. */
  timeoutMs?: number
  /** The receiver's time to apply what it took, for one that works in the background. */
  settleMs?: number
  onCheck?: (report: CaseReport) => void
}

/** Runs every check against a receiver. A failed one names the defect. Throws where the receiver is not there. */
export async function certify(options: CertifyOptions): Promise<CaseReport[]> {
  const { target, url, probe, timeoutMs = 15_000, settleMs = 300, onCheck } = options
  const sign = (event: string, data: object, time?: string) =>
    callControl<SignedDelivery>(target, 'POST /deliveries/sign', { body: { event, data, ...(time && { time }) } })
  const { now } = await callControl<{ now: string }>(target, 'GET /clock')
  const cards = new Map<string, object>()
  let events = 0

  const kit: Kit = {
    url,
    timeoutMs,
    sign,
    async cardEvent(cardId, status, { secondsAgo = 0, extra = {} } = {}) {
      const card = cards.get(cardId) ?? cardRecord(cardId, now)
      cards.set(cardId, card)
      // Each event is newer than the one that was made before it.
      const time = new Date(Date.parse(now) - secondsAgo * 1000 + events++).toISOString()
      return sign('card.updated', { ...card, status, ...extra }, time)
    },
    send: (delivery) => forward(url, delivery, timeoutMs),
    async deliver(delivery, what = 'an event') {
      const { status, problem } = await kit.send(delivery)
      if (status !== 200) throw new Defect(`It responds to ${what} with ${status ?? problem}.`)
    },
    async stateAfter(cardId, before) {
      const state = (id: string) => (probe ? readState(probe, id) : '')
      const deadline = performance.now() + settleMs
      let found = await state(cardId)
      while (found === before && performance.now() < deadline) {
        await delay(20)
        found = await state(cardId)
      }
      return found
    },
    async requireSame(cardId, state, defect) {
      if ((await kit.stateAfter(cardId, state)) !== state) throw new Defect(defect)
    },
  }

  const first = await kit.send({ body: '{}', signature: null })
  if (first.status === null) throw new Error(`${url} does not respond: ${first.problem}.`)
  const reports: CaseReport[] = []
  for (const check of receiverChecks) {
    const report = await runCheck(check, kit, probe !== null)
    reports.push(report)
    onCheck?.(report)
  }
  return reports
}

/** Throws a `Defect` where the state can't be read: the receiver may have ended by what it was sent. */
async function readState(probe: ProbeState, cardId: string): Promise<string> {
  try {
    return await probe(cardId)
  } catch (error) {
    const { message, cause } = error as Error
    const why = cause instanceof Error ? cause.message : message
    throw new Defect(`Its state could not be read: ${why.trim().replace(/\.$/, '')}.`)
  }
}

async function runCheck({ name, title, needsState, run }: Check, kit: Kit, hasState: boolean): Promise<CaseReport> {
  const startedAt = new Date().toISOString()
  const startMs = performance.now()
  const step = newStep(name, { fragment: null, line: null })
  let outcome: 'passed' | 'failed' | 'skipped' = 'passed'
  if (needsState && !hasState) {
    outcome = 'skipped'
    step.reason = 'The state of the receiver can’t be seen: give --state-url or --state-command.'
  } else {
    try {
      await run(kit)
    } catch (error) {
      if (!(error instanceof Defect)) throw error
      outcome = 'failed'
      step.reason = error.message
    }
  }
  const ended = { outcome, durationMs: Math.round(performance.now() - startMs) }
  const steps = [{ ...step, ...ended }]
  return { file: 'receiver', title, label: name, run: '', startedAt, ...ended, steps, created: [] }
}

/** A card that no service has, with every field of the interface. */
function cardRecord(id: string, createdAt: string) {
  return {
    id,
    cardAccountId: randomUUID(),
    xid: null,
    xmetadata: null,
    status: 'active',
    embossedName: 'CERTIFICATION',
    network: 'card_network_1',
    product: { id: randomUUID(), name: 'Certification', imageUrl: 'https://example.com/card.svg', cardType: 'virtual' },
    expiryMonth: 12,
    expiryYear: 2035,
    last4: '4242',
    replacedBy: null,
    cardLimit: 10_000,
    dailyAtmLimit: 1000,
    dailyPurchaseLimit: 5000,
    dailyLimit: 5000,
    singleTransactionLimit: 5000,
    availableLimit: 5000,
    cardPresentLimit: 5000,
    cardNotPresentLimit: 5000,
    mobile: null,
    cardEmail: null,
    createdAt,
  }
}
