import { z } from 'zod'
import { inTransaction } from '#lib/db/transaction.ts'
import { parseIsoDurationMs, storableInstant } from '#lib/shared/time.ts'
import { type ServiceWrite, readSandboxNow } from '../clock.ts'
import type { Service } from '../service.ts'

/** One call of the control plane. Its result is sent as JSON, or as the `Response` that it is. */
export type ControlRoute<Given extends z.ZodType = z.ZodType> = {
  method: 'GET' | 'POST' | 'DELETE'
  /** Below /service/control. */
  path: `/${string}`
  /** The body of a POST; without it, a body with a field is refused. */
  body?: Given
  /** The query of a GET or DELETE; without it, a query with a field is refused. */
  query?: Given
  /** Open without the sandbox's access key. */
  isOpen?: true
  /** Throws `ApiError` with a code of the interface. `accessKey` is the caller's, '' where the call is open. */
  response: (service: Service, given: z.output<Given>, accessKey: string) => Promise<unknown>
}

/** Infers the type of the handler's input from the row's schema. */
export function controlRoute<Given extends z.ZodType>(route: ControlRoute<Given>): ControlRoute {
  return route as unknown as ControlRoute
}

type ChangeRoute<Given extends z.ZodType> = Pick<ControlRoute<Given>, 'path'> & {
  body: Given
  change: (change: ServiceWrite, given: z.output<Given>) => Promise<unknown>
}

/** A POST whose change runs in one transaction, with the sandbox clock of its beginning. */
export function changeRoute<Given extends z.ZodType>({ path, body, change }: ChangeRoute<Given>): ControlRoute {
  return controlRoute({
    method: 'POST',
    path,
    body,
    response: ({ db }, given) =>
      inTransaction(db, async (tx) => change({ db: tx, now: await readSandboxNow(tx) }, given)),
  })
}

/** An ISO 8601 duration in a request, in milliseconds. */
export function durationLike(example: string) {
  return z.string('must be an ISO 8601 duration').transform((text, issues) => {
    const durationMs = parseIsoDurationMs(text)
    if (durationMs === null)
      issues.addIssue(`must be a positive ISO 8601 duration of days to seconds, such as ${example}`)
    return durationMs ?? 1
  })
}

/** An instant in a request. */
export const Instant = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 time with its zone, such as 2026-12-31T15:59:00Z' })
  .refine(...storableInstant)
  .transform((text) => new Date(text))

/** The limit of a list's rows in a query: 1 to `most`, `usual` where it is left out. */
export function rowLimit(most: number, usual: number) {
  return z
    .string('must be given once')
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= most, `must be 1 to ${most}`)
    .default(usual)
}

/** The id or position of a row in a query; `message` says what it must be. */
export function rowId(message: string) {
  return z
    .string('must be given once')
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
}

/** The query of a list: the limit of its rows, and the cursor after which they begin. */
export const pageQuery = {
  limit: rowLimit(200, 50),
  cursor: rowId('must be the nextCursor of another page').optional(),
}
