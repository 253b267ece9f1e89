import type { z } from 'zod'
import type { Service } from '../service.ts'

/** One call of the control plane. Its answer is JSON, or a `Response` where it is not. */
export type ControlRoute<Body extends z.ZodType = z.ZodType> = {
  method: 'GET' | 'POST' | 'DELETE'
  /** Below /service/control. */
  path: `/${string}`
  /** The body of a POST; without it, a body is not looked at. */
  body?: Body
  /** Answers without the sandbox's access key. */
  isOpen?: true
  /** Throws `ServiceRefusal` with a code of the interface. */
  answer: (service: Service, body: z.output<Body>) => Promise<unknown>
}

/** Keeps the body's type between a row's schema and its answer. */
export function controlRoute<Body extends z.ZodType>(route: ControlRoute<Body>): ControlRoute {
  return route as unknown as ControlRoute
}
