import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'

/**
 * One row of the contract. The signing client, the built-in service, the console's validation, the OpenAPI document and
 * the generated test suites are all derived from these rows, so an endpoint exists by standing here.
 */
export type Endpoint = {
  method: 'GET' | 'POST'
  /** Below the base address; `{name}` segments are path parameters, described by `params`. */
  path: `/${string}`
  summary: string
  /** Rules that a schema cannot express, a sentence each, for readers of the API docs. */
  rules?: readonly string[]
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  response: z.ZodType
  /** The business errors of this endpoint; those that every endpoint can give are in `commonErrors`. */
  errors: readonly ErrorCode[]
  /** The seven card endpoints: business errors carry `statusCode`, any other failure is a 500 without `code`. */
  cardErrors?: true
  /** A 404 in production. */
  sandboxOnly?: true
}

/** Infers the literal types of a row. */
export function endpoint<const Row extends Endpoint>(row: Row): Row {
  return row
}
