import { queryOptions } from '@tanstack/react-query'
import type { CardDetail } from '#lib/console/cards/detail.ts'
import { apiRoutes, type Environment } from '#lib/shared/routes.ts'
import { isWorthRetrying, readJson } from './read.ts'

export function cardQuery(environment: Environment, cardAccountId: string, cardId: string) {
  return queryOptions({
    queryKey: [environment, 'cards', 'detail', cardAccountId, cardId],
    queryFn: ({ signal }) => readJson<CardDetail>(apiRoutes.card(environment, cardAccountId, cardId), signal),
    refetchInterval: 15_000,
    retry: isWorthRetrying,
    staleTime: 5_000,
  })
}
