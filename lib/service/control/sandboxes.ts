import { z } from 'zod'
import { text } from '#lib/contract/fields.ts'
import { hourMs } from '#lib/shared/time.ts'
import { ApiError } from '../api-error.ts'
import { createSandbox, deleteSandbox, listSandboxes, requireSandbox } from '../sandboxes/sandboxes.ts'
import type { Service } from '../service.ts'
import { controlRoute, durationLike } from './control-route.ts'

const longestTtlMs = 24 * hourMs

const NewSandbox = z.strictObject({
  /** `seed`, or the id or name of a snapshot. */
  from: text(100).default('seed'),
  ttl: durationLike('PT1H')
    .refine((ms) => ms <= longestTtlMs, 'must be at most PT24H')
    .default(hourMs),
})

const SandboxId = text(100)

/** Sandboxes of their own beside the one that everybody shares. */
export const sandboxesRoutes = [
  controlRoute({
    method: 'GET',
    path: '/sandboxes',
    query: z.strictObject({ id: SandboxId.optional() }),
    response: async (service, { id }) => {
      requireShared(service)
      return id === undefined ? { sandboxes: await listSandboxes(service) } : requireSandbox(service, id)
    },
  }),
  controlRoute({
    method: 'POST',
    path: '/sandboxes',
    body: NewSandbox,
    response: async (service, { from, ttl }) => {
      requireShared(service)
      return createSandbox(service, { from, ttlMs: ttl })
    },
  }),
  controlRoute({
    method: 'DELETE',
    path: '/sandboxes',
    query: z.strictObject({ id: SandboxId }),
    response: async (service, { id }) => {
      requireShared(service)
      await deleteSandbox(service, id)
      return { sandboxes: await listSandboxes(service) }
    },
  }),
]

function requireShared({ sandboxId }: Service): void {
  if (sandboxId === undefined) return
  throw new ApiError('NOT_FOUND', 'a sandbox has no sandboxes of its own: they are below /service/control')
}
