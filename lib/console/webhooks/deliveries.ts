import 'server-only'
import { z } from 'zod'
import type { Environment } from '#lib/shared/routes.ts'
import { AppError } from '../desk/app-error.ts'
import { builtInControl, callControlPlane, ControlRefused } from '../desk/connections/control-plane.ts'
import { logFailure } from '../desk/log.ts'
import { parseSearch, ServiceId } from '../desk/parse.ts'
import { requirePermission } from '../desk/session/session.ts'
import { watched } from './watched.ts'

/** Times are ISO 8601 of the service's clock; `problem` is null where the endpoint took it. */
const Attempt = z.object({
  id: z.string(),
  eventId: z.string(),
  event: z.string(),
  /** `delivery`, `ping`, `test`, `replay`, or an unknown one. */
  kind: z.string(),
  attempt: z.number(),
  at: z.string(),
  status: z.number().nullable(),
  problem: z.string().nullable(),
  durationMs: z.number(),
  nextAt: z.string().nullable(),
})

const Log = z.object({
  attempts: z.array(Attempt),
  nextCursor: z.string().nullable(),
  next: z.object({ at: z.string(), attempt: z.number(), kind: z.string() }).nullable(),
})

/** `isOffered`: the service logs attempts. The interface has no such log; the built-in service's control plane has. */
type DeliveryLog = z.output<typeof Log> & { isOffered: boolean }

const Search = z.object({ cursor: z.string().regex(/^\d{1,15}$/, 'must be the cursor of another page') }).partial()

const listed = 20

/** The newest attempts at a webhook. Throws `WEBHOOK_NOT_FOUND` for one that the console has never known. */
export async function listDeliveries(
  environment: Environment,
  webhookId: string,
  search: { cursor?: string | undefined } = {},
): Promise<DeliveryLog> {
  await requirePermission('webhooks.read', environment)
  const { cursor } = parseSearch(Search, search)
  const known = ServiceId.safeParse(webhookId).success ? await watched(environment, webhookId) : null
  if (!known) throw new AppError('WEBHOOK_NOT_FOUND', 'There is no such webhook in this environment.')
  const control = builtInControl(environment)
  if (!control) return { isOffered: false, attempts: [], nextCursor: null, next: null }
  const query = new URLSearchParams({ webhookId: known.id, limit: String(listed), ...(cursor ? { cursor } : {}) })
  try {
    return { isOffered: true, ...Log.parse(await callControlPlane(control, { path: `/deliveries?${query}` })) }
  } catch (error) {
    // After a reset of the sandbox only the console's own record of a webhook remains.
    if (error instanceof ControlRefused && error.code === 'WEBHOOK_NOT_FOUND') {
      return { isOffered: true, attempts: [], nextCursor: null, next: null }
    }
    logFailure(error, { while: 'reading the deliveries of a webhook' })
    throw new AppError('SERVICE_UNREACHABLE', 'The API isn’t responding.')
  }
}
