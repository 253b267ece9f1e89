import 'server-only'
import { endpointRow, type AnswerOf, type EndpointName } from '#lib/contract/endpoints.ts'
import { sender, type Attempted, type AttemptOptions } from './attempts.ts'
import type { CircuitState } from './circuit-breaker.ts'
import { diagnosisOf } from './diagnosis.ts'
import { prepare, type EndpointInput, type Prepared } from './prepare.ts'
import type { Quota } from './quota.ts'
import { deviationsOf, type Reading } from './read-answer.ts'
import { ServiceError, type FailedOutcome } from './service-error.ts'
import { settingsOf, tell, type ServiceClientOptions } from './settings.ts'

/** `attempts` and `deadlineMs` bound one call where the client's own settings are too patient for it. */
export type CallOptions = Omit<AttemptOptions, 'wasSentBefore'>
export type SendOptions = AttemptOptions & { idempotencyKey: string }

/** What came of a mutation. `unknown` is a result of its own: settle it by sending the same bytes under the same key. */
export type SendOutcome<Answer> =
  | { outcome: 'done'; answer: Answer; status: number; requestId: string | null; attempts: number; replayed: boolean }
  | { outcome: FailedOutcome; error: ServiceError }

export type ServiceClient = {
  /**
   * The answer of an endpoint, as it was sent. Throws `ServiceError`. A POST is repeated only under an idempotency key, which
   * is the option's, or else the body's own `idempotencyKey`.
   */
  call: <Name extends EndpointName>(
    name: Name,
    input: EndpointInput<Name>,
    options?: CallOptions,
  ) => Promise<AnswerOf<Name>>
  /** Sends a mutation under its idempotency key. Throws `TypeError` alone, where the bytes do not have the prepared hash. */
  send: <Name extends EndpointName>(
    prepared: Prepared<Name>,
    options: SendOptions,
  ) => Promise<SendOutcome<AnswerOf<Name>>>
  /** Milliseconds that the service's clock is ahead of this one, measured on its last answer; null before the first. */
  clockOffsetMs: () => number | null
  /** What the service's rate limit leaves for an endpoint, as its last answer told it; null where it told nothing. */
  quota: (name: EndpointName) => Quota | null
  circuit: () => CircuitState
  /** Waits for what is under way and closes the connections. */
  close: () => Promise<void>
}

/** The signing client of one service. Throws `TypeError` for a base address or key that cannot be used. */
export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const settings = settingsOf(options)
  const { attempt, clockOffsetMs, quota, circuit, close } = sender(settings)

  async function perform<Name extends EndpointName>(
    prepared: Prepared<Name>,
    options: AttemptOptions,
    isRepeatable: boolean,
  ): Promise<SendOutcome<AnswerOf<Name>>> {
    const attempted = await attempt(prepared, options, isRepeatable)
    const { last, attempts } = attempted
    if (last.verdict !== 'done' || last.status === null) {
      const error = errorOf(attempted, isRepeatable, clockOffsetMs())
      return { outcome: error.outcome, error }
    }
    if (settings.onDeviation) {
      const problems = deviationsOf(last.answer, endpointRow(prepared.name).answer)
      if (problems.length > 0) tell(settings.onDeviation, { name: prepared.name, requestId: last.requestId, problems })
    }
    const { status, requestId, replayed } = last
    // The tolerant reader: its type is what the contract promises, its value what was sent.
    return { outcome: 'done', answer: last.answer as AnswerOf<Name>, status, requestId, attempts, replayed }
  }

  return {
    async call(name, input, options = {}) {
      const prepared = prepare(name, input)
      const isRepeatable = prepared.method === 'GET' || options.idempotencyKey !== undefined || hasOwnKey(input.body)
      const performed = await perform(prepared, options, isRepeatable)
      if (performed.outcome === 'done') return performed.answer
      throw performed.error
    },
    send: (prepared, options) => perform(prepared, options, true),
    clockOffsetMs,
    quota,
    circuit,
    close,
  }
}

/** "The body's `idempotencyKey` counts as the same": a decision of the wire. */
function hasOwnKey(body: unknown): boolean {
  return (
    typeof body === 'object' && body !== null && 'idempotencyKey' in body && typeof body.idempotencyKey === 'string'
  )
}

function errorOf(attempted: Attempted, isRepeatable: boolean, offsetMs: number | null): ServiceError {
  const { last, attempts } = attempted
  const outcome = outcomeOf(attempted)
  return new ServiceError(
    last.message,
    {
      outcome,
      status: last.status,
      code: last.code,
      requestId: last.requestId,
      retryable: last.verdict === 'again' && (isRepeatable || outcome === 'not-sent'),
      attempts,
      retryAfterMs: last.retryAfterMs,
      diagnosis: diagnosisOf(last, offsetMs),
    },
    { cause: last.cause },
  )
}

function outcomeOf({ last, hadEffectBefore }: Attempted): FailedOutcome {
  // A token that the service accepted before was delivered twice, and the first delivery may have had the effect.
  const mayHaveHadEffect = hadEffectBefore || last.code === 'TOKEN_REPLAYED'
  if (last.verdict === 'refused') return mayHaveHadEffect && !settles(last) ? 'unknown' : 'refused'
  return hadEffectBefore || last.hadEffect === 'possibly' ? 'unknown' : 'not-sent'
}

/**
 * Whether a refusal also tells what became of a sending before it: only where the service looked the idempotency key up
 * first, and has no quarrel about the key itself. A 401, 405, 413 or a proxy's 404 tells nothing of it.
 */
function settles({ status, code }: Reading): boolean {
  if (status === 404) return code !== null && code !== 'NOT_FOUND'
  if (status === 409) return code !== null && code !== 'IDEMPOTENCY_CONFLICT'
  return status === 400 || status === 422
}
