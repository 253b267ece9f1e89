import { setTimeout as delay } from 'node:timers/promises'
import { and, asc, eq, inArray, isNull, or } from 'drizzle-orm'
import type { Endpoint } from '#lib/contract/endpoint.ts'
import type { Transaction } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import type { Service } from '../service.ts'
import { execute, type Call } from '../steps/execute.ts'
import { renderFailure, type RenderedResponse } from '../steps/render.ts'
import { faults } from '../tables/runtime.ts'
import { findMutationKind, mutateResponse } from './response-mutations.ts'

export type Fault = typeof faults.$inferSelect

/** The properties of a request by which a fault is matched. `priority` is the header of that name. */
type FaultyRequest = { method: string; path: string; row: Endpoint | undefined; priority: string | null }

/**
 * Returns the oldest fault that is armed for a request, by its own path or that of its endpoint; null when there is
 * none. The request consumes the fault. A background request consumes only faults that are armed for background work;
 * it fails by the others without consuming them.
 */
export async function takeFault(
  service: Service,
  { method, path, row, priority }: FaultyRequest,
): Promise<Fault | null> {
  return inTransaction(service.db, async (tx) => {
    const [fault] = await tx
      .select()
      .from(faults)
      .where(
        and(
          inArray(faults.path, [path, '*', ...(row ? [row.path] : [])]),
          or(isNull(faults.method), inArray(faults.method, [method as 'GET' | 'POST'])),
        ),
      )
      .orderBy(asc(faults.id))
      .limit(1)
      .for('update')
    if (!fault) return null
    if (fault.background || !isBackground(priority)) await useUp(tx, fault)
    return fault
  })
}

async function useUp(tx: Transaction, { id, remaining }: Fault): Promise<void> {
  if (remaining === null) return
  const byId = eq(faults.id, id)
  if (remaining > 1)
    await tx
      .update(faults)
      .set({ remaining: remaining - 1 })
      .where(byId)
  else await tx.delete(faults).where(byId)
}

/** Whether the header Priority (RFC 9218) has urgency 7, the one of background tasks. */
export function isBackground(priority: string | null): boolean {
  return /(^|,)\s*u=7\s*(,|$)/.test(priority ?? '')
}

/** The response of a call under a fault; null for a dropped connection. */
export async function executeWithFault(fault: Fault, call: Call): Promise<RenderedResponse | null> {
  const { shape, status, after, delayMs } = fault
  const row = call.route.ok ? call.route.value.row : undefined
  // Work that comes before the failure is done also where the caller does not wait for that.
  if (!shape && status !== null && after) await execute(call)
  await delay(delayMs)
  if (!shape) {
    if (status === null) return execute(call)
    return status === 0 ? null : renderStatus(fault, row)
  }
  const kind = findMutationKind(shape)
  const isForThis = !kind.endpoints || (call.route.ok && kind.endpoints.includes(call.route.value.name))
  if (!isForThis) return execute(call)
  if (!after && kind.canReplaceWork) return mutateResponse(shape, { status: 200, body: '' })
  const { handle } = kind
  const response = await execute({
    ...call,
    search: kind.search?.(call.search) ?? call.search,
    isRolledBack: kind.rollsBack ?? false,
    ...(handle && { overrideHandler: (body, run) => handle(shape, body, run) }),
  })
  return mutateResponse(shape, response)
}

/** The message of a status where the fault has neither code nor message. */
const usualErrors: Readonly<Record<number, { code: string; message: string; headers?: Record<string, string> }>> = {
  400: { code: 'INVALID_PARAMETERS', message: 'the service refuses this request' },
  401: {
    code: 'INVALID_ACCESS_KEY',
    message: 'Authentication failed: the access key is unknown',
    headers: { 'WWW-Authenticate': 'Bearer realm="service"' },
  },
  403: { code: 'FORBIDDEN', message: 'this access key may not do this' },
  404: { code: 'NOT_FOUND', message: 'there is no such address' },
  409: { code: 'IDEMPOTENCY_CONFLICT', message: 'the idempotency key was used before with another body' },
  429: { code: 'RATE_LIMITED', message: 'too many requests', headers: { 'Retry-After': '1' } },
}

function renderStatus({ status, code, message }: Fault, row: Endpoint | undefined): RenderedResponse {
  const of = status ?? 500
  if (of >= 500) {
    const failure = renderFailure(of, row)
    const given = { ...(code !== null && { code }), ...(message !== null && { message }) }
    return { ...failure, body: JSON.stringify({ ...(JSON.parse(failure.body) as object), ...given }) }
  }
  const usual = usualErrors[of] ?? { code: `HTTP_${of}`, message: 'the service refuses this request' }
  const body = { code: code ?? usual.code, message: message ?? usual.message }
  const isCardError = row?.cardErrors && of === 400
  return {
    status: of,
    body: JSON.stringify(isCardError ? { statusCode: of, ...body } : body),
    ...(usual.headers && { headers: usual.headers }),
  }
}
