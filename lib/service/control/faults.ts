import { asc } from 'drizzle-orm'
import { z } from 'zod'
import { endpoints } from '#lib/contract/endpoints.ts'
import type { Queryable } from '#lib/db/connection.ts'
import { faultStatuses } from '../steps/take-fault.ts'
import { faults } from '../tables/runtime.ts'
import { controlRoute } from './control-route.ts'

const paths: readonly string[] = Object.values(endpoints).map((row) => row.path)
const patterns = paths.map((path) => new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`))
const longestDelayMs = 60_000
const mostTimes = 100_000

const Fault = z.object({
  path: z
    .string('must be a string')
    .refine(
      (path) => path === '*' || patterns.some((pattern) => pattern.test(path)),
      'must be the path of an endpoint, such as /cards/lock, or *',
    ),
  status: z
    .number('must be a number')
    .refine(
      (status) => (faultStatuses as readonly number[]).includes(status),
      `must be one of ${faultStatuses.join(', ')}`,
    ),
  times: z
    .int('must be a whole number')
    .min(1, 'must be 1 or more')
    .max(mostTimes, `must be at most ${mostTimes}`)
    .default(1),
  after: z.boolean('must be true or false').default(false),
  delayMs: z
    .int('must be a whole number')
    .min(0, 'must be 0 or more')
    .max(longestDelayMs, `must be at most ${longestDelayMs}`)
    .default(0),
})

async function armed(db: Queryable): Promise<unknown> {
  const rows = await db.select().from(faults).orderBy(asc(faults.id))
  return {
    faults: rows.map(({ path, status, remaining, after, delayMs }) => ({
      path,
      status,
      times: remaining,
      after,
      delayMs,
    })),
  }
}

export const faultRoutes = [
  controlRoute({ method: 'GET', path: '/faults', answer: ({ db }) => armed(db) }),
  controlRoute({
    method: 'POST',
    path: '/faults',
    body: Fault,
    answer: async ({ db }, { times, ...fault }) => {
      await db.insert(faults).values({ ...fault, remaining: times })
      return armed(db)
    },
  }),
  controlRoute({
    method: 'DELETE',
    path: '/faults',
    answer: async ({ db }) => {
      await db.delete(faults)
      return armed(db)
    },
  }),
]
