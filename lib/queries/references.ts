import { queryOptions } from '@tanstack/react-query'
import type { ReferenceDetail } from '#lib/console/references.ts'
import type { XmetadataTargetType } from '#lib/contract/xmetadata.ts'
import { apiRoutes, type Environment } from '#lib/shared/routes.ts'
import { isWorthRetrying, readJson } from './read.ts'

/** Whose references are edited; `parentId` is the account of a card. */
export type EditedTarget = { type: XmetadataTargetType; id: string; parentId?: string | undefined }

/** Keys begin like those of the record's own page, so that a change of the record makes them stale too. */
const keyOf: Record<XmetadataTargetType, (target: EditedTarget) => readonly string[]> = {
  cardaccount: ({ id }) => ['card-accounts', 'detail', id],
  card: ({ id, parentId = '' }) => ['cards', 'detail', parentId, id],
  payout: ({ id }) => ['payouts', 'detail', id],
}

/** What is there now. Never kept: whoever opens the editor begins with what the service has then. */
export function referenceQuery(environment: Environment, target: EditedTarget) {
  return queryOptions({
    queryKey: [environment, ...keyOf[target.type](target), 'reference'],
    queryFn: ({ signal }) =>
      readJson<ReferenceDetail>(apiRoutes.reference(environment, target.type, target.id), signal),
    refetchInterval: 10_000,
    retry: isWorthRetrying,
    gcTime: 0,
    staleTime: 0,
  })
}
