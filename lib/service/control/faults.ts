import { asc, eq } from 'drizzle-orm'
import { z } from 'zod'
import { endpoints } from '#lib/contract/endpoints.ts'
import { whenObject } from '#lib/contract/fields.ts'
import { isResponseField } from '#lib/contract/response-fields.ts'
import type { Queryable } from '#lib/db/connection.ts'
import { atMost } from '#lib/shared/at-most.ts'
import { ApiError } from '../api-error.ts'
import { findMutationKind, ResponseMutation } from '../faults/response-mutations.ts'
import type { Fault } from '../faults/take-fault.ts'
import { endpointRoutes } from '../steps/route.ts'
import { faults } from '../tables/runtime.ts'
import { controlRoute, rowId } from './control-route.ts'

/** The endpoints that a fault is meant for. */
function matchingRoutes({ path, method }: { path: string; method?: string | undefined }) {
  return endpointRoutes.filter(
    ({ row, pattern }) =>
      (path === '*' || path === row.path || pattern.test(path)) && (method === undefined || method === row.method),
  )
}

const longestDelayMs = 60_000
const mostTimes = 100_000
const statusMessage = 'must be 0 or from 400 to 599'
const timesMessage = 'must be a whole number or always'

const Fault = z
  .strictObject({
    path: z
      .string('must be a string')
      .refine(
        (path) => matchingRoutes({ path }).length > 0,
        'must be the path of an endpoint, such as /cards/lock, or *',
      ),
    method: z.enum(['GET', 'POST'], 'must be GET or POST').optional(),
    status: z
      .number('must be a number')
      .refine((status) => status === 0 || (Number.isInteger(status) && status >= 400 && status <= 599), statusMessage)
      .optional(),
    code: z
      .string('must be a string')
      .min(1, 'must not be empty')
      .max(...atMost(100))
      .optional(),
    message: z
      .string('must be a string')
      .max(...atMost(10_000))
      .optional(),
    shape: ResponseMutation.optional(),
    times: z
      .union(
        [
          z.int(timesMessage).min(1, 'must be 1 or more').max(mostTimes, `must be at most ${mostTimes}`),
          z.literal('always'),
        ],
        { error: ({ input }) => (typeof input === 'number' && Number.isInteger(input) ? undefined : timesMessage) },
      )
      .default(1),
    after: z.boolean('must be true or false').optional(),
    delayMs: z
      .int('must be a whole number')
      .min(0, 'must be 0 or more')
      .max(longestDelayMs, `must be at most ${longestDelayMs}`)
      .default(0),
    background: z.boolean('must be true or false').default(false),
  })
  .refine(({ status, shape, delayMs }) => status !== undefined || shape !== undefined || delayMs > 0, {
    path: ['status'],
    message: 'is required where there is neither a shape nor a delay',
    when: whenObject,
  })
  .refine(({ status, shape }) => status === undefined || shape === undefined, {
    path: ['shape'],
    message: 'must be left out where there is a status',
    when: whenObject,
  })
  .refine(({ status, code, message }) => status || (code === undefined && message === undefined), {
    path: ['code'],
    message: 'code and message need a status of 400 or more',
    when: whenObject,
  })
  .superRefine(({ path, method, shape, after }, context) => {
    const meant = matchingRoutes({ path, method })
    const issue = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: field.split('.'), message })
    if (meant.length === 0) {
      if (matchingRoutes({ path }).length > 0) issue('method', `is not a method of ${path}`)
      return
    }
    if (!shape) return
    const { endpoints: known, rollsBack, canReplaceWork } = findMutationKind(shape)
    if (known && path !== '*' && !meant.some(({ name }) => known.some((each) => each === name))) {
      issue('shape.kind', `is for ${known.map((name) => endpoints[name].path).join(', ')} only`)
    } else if (rollsBack && !meant.some(({ row }) => row.method === 'POST')) {
      issue('shape.kind', 'is for POST only')
    } else if (!known && shape.at !== undefined && !isNamed(meant, shape)) {
      issue('shape.at', `must name a field of the response of ${method ? `${method} ` : ''}${path}`)
    }
    if (after === false && !canReplaceWork) {
      issue('after', 'must be true or left out: this kind of shape changes the response of the work')
    }
  })

/** Whether one of the endpoints has the field. `value` may add a field to an object. */
function isNamed(
  meant: ReturnType<typeof matchingRoutes>,
  { kind, at = '' }: { kind: string; at?: string | undefined },
) {
  const holder = at.slice(0, Math.max(0, at.lastIndexOf('.')))
  return meant.some(
    ({ row }) =>
      isResponseField(row, at) ||
      (kind === 'value' && !at.endsWith(']') && (holder === '' || isResponseField(row, holder))),
  )
}

const Removal = z.strictObject({
  id: rowId('must be the id of a fault').optional(),
})

/** The armed faults, in the order of their arming. */
export async function listArmedFaults(db: Queryable) {
  const found = await db.select().from(faults).orderBy(asc(faults.id))
  return { faults: found.map(toRecord) }
}

/** A fault as the control plane shows it: what is not set is left out. */
function toRecord({ remaining, ...fault }: Fault): unknown {
  const { id, path, method, status, code, message, shape, after, delayMs, background } = fault
  const optional = { method, status, code, message, shape }
  return {
    id,
    path,
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== null)),
    times: remaining ?? 'always',
    after,
    delayMs,
    background,
  }
}

export const faultRoutes = [
  controlRoute({ method: 'GET', path: '/faults', response: ({ db }) => listArmedFaults(db) }),
  controlRoute({
    method: 'POST',
    path: '/faults',
    body: Fault,
    response: async ({ db }, { times, after, ...fault }) => {
      const [added] = await db
        .insert(faults)
        .values({
          ...fault,
          after: after ?? fault.shape !== undefined,
          remaining: times === 'always' ? null : times,
        })
        .returning({ id: faults.id })
      return { id: added?.id, ...(await listArmedFaults(db)) }
    },
  }),
  controlRoute({
    method: 'DELETE',
    path: '/faults',
    query: Removal,
    response: async ({ db }, { id }) => {
      const removed = await db
        .delete(faults)
        .where(id === undefined ? undefined : eq(faults.id, id))
        .returning({ id: faults.id })
      if (id !== undefined && removed.length === 0) throw new ApiError('NOT_FOUND', 'id: there is no such fault')
      return listArmedFaults(db)
    },
  }),
]
