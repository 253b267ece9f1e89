import type { EndpointName, EndpointOf, ParsedRequest, ResponseOf } from '#lib/contract/endpoints.ts'
import type { Queryable, Transaction } from '#lib/db/connection.ts'
import type { FieldIssue } from './api-error.ts'
import type { ServiceSettings } from './service-settings.ts'

/** The context of a request. */
export type HandlerContext<Name extends EndpointName = EndpointName> = {
  /**
   * A POST runs in a transaction, which is committed with its response and rolled back with anything that is thrown. A GET
   * gets the pool: each of its statements sees the newest state.
   */
  db: EndpointOf<Name>['method'] extends 'POST' ? Transaction : Queryable
  /** The sandbox clock. */
  now: Date
  accessKey: string
  requestId: string
  settings: ServiceSettings
  /** The key of page tokens, for `defineList`. */
  pageTokenKey: Buffer
}

/**
 * Performs an endpoint and returns its response in wire form (amounts by `toWire`, instants by `toISOString`). Throws
 * `ApiError` with one of the row's codes; any other error becomes a generic 500.
 */
type Handler<Name extends EndpointName> = (
  request: ParsedRequest<Name>,
  context: HandlerContext<Name>,
) => Promise<ResponseOf<Name>>

/** Runs the handler of a request with a body. */
export type RunHandler = (body: unknown) => Promise<unknown>

/** Every handler. A file has some of them: `export const feeHandlers = { … } satisfies Partial<Handlers>`. */
export type Handlers = { [Name in EndpointName]: Handler<Name> }

/** The valid fields of a request: fields that are missing or invalid are left out. */
export type ValidRequest<Name extends EndpointName> = {
  query: Partial<ParsedRequest<Name>['query']>
  body: Partial<ParsedRequest<Name>['body']>
  /** The paths of the fields that are wrong by themselves. Empty where the whole request is right so far. */
  wrong: ReadonlySet<string>
}

export type RuleContext = Omit<HandlerContext, 'db'> & { db: Queryable }

/**
 * A rule that a schema cannot express. Runs before the handler, on the valid fields of the request, so that one error
 * lists every issue. Rules that need the database are checked here too, beside other issues; the handler checks them
 * again after looking up the records.
 */
export type Rule<Name extends EndpointName> = (
  request: ValidRequest<Name>,
  context: RuleContext,
) => readonly FieldIssue[] | Promise<readonly FieldIssue[]>
