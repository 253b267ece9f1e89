import type { EndpointName } from '#lib/contract/endpoints.ts'
import type { Environment } from '#lib/shared/routes.ts'
import type { Actor, Target } from '../desk/shapes.ts'
import type { BulkFacts, BulkKind } from './shapes.ts'

/** A row to be: one request of its own. */
export type BulkItemEntry = { target: Target; endpoint: EndpointName; body: Record<string, unknown>; facts: BulkFacts }

/** A job to be. At most 5,000 rows. */
export type BulkEntry = {
  /** A UUID that the dialog makes when it opens. */
  id: string
  environment: Environment
  kind: BulkKind
  title: string
  reason: string | null
  by: Actor
  items: readonly BulkItemEntry[]
}
