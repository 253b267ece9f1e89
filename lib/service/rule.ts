import type { EndpointName, ParsedRequest } from '#lib/contract/endpoints.ts'
import type { Queryable } from '#lib/db/connection.ts'
import type { FieldIssue } from './field-issues.ts'
import type { HandlerContext } from './handler.ts'

/** What of a request is right by itself: fields that are missing or wrong are left out. */
export type ValidRequest<Name extends EndpointName> = {
  query: Partial<ParsedRequest<Name>['query']>
  body: Partial<ParsedRequest<Name>['body']>
  /** The paths of the fields that are wrong by themselves. Empty where the whole request is right so far. */
  wrong: ReadonlySet<string>
}

export type RuleContext = Omit<HandlerContext, 'db'> & { db: Queryable }

/**
 * What a schema cannot say of an endpoint's request. Runs before the handler, on the parts of the request that are valid by
 * themselves, so that one error lists every issue. What only the database knows is checked here beside other issues; the
 * handler has the last word on it, after an unknown record.
 */
export type Rule<Name extends EndpointName> = (
  request: ValidRequest<Name>,
  context: RuleContext,
) => readonly FieldIssue[] | Promise<readonly FieldIssue[]>
