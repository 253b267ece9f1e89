import { z } from 'zod'
import type { Service } from '../service.ts'

/** One call of the control plane. Its result is sent as JSON, or as the `Response` that it is. */
export type ControlRoute<Given extends z.ZodType = z.ZodType> = {
  method: 'GET' | 'POST' | 'DELETE'
  /** Below /service/control. */
  path: `/${string}`
  /** The body of a POST; without it, a body is not looked at. */
  body?: Given
  /** The query of a GET or DELETE; without it, a query is not looked at. */
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

const mostRows = 200

/** The query of a list: how many rows, and after which. */
export const pageQuery = {
  limit: z
    .string('must be given once')
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= mostRows, `must be 1 to ${mostRows}`)
    .default(50),
  cursor: z
    .string('must be given once')
    .regex(/^\d{1,15}$/, 'must be the nextCursor of another page')
    .transform(Number)
    .optional(),
}
