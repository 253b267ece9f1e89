import type { QueryKey } from '@tanstack/react-query'
import type { Change } from '#lib/console/desk/shapes.ts'
import type { ReadName, ReadTopic } from '#lib/shared/reads.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { readKey } from './reads.ts'

/** What a change makes stale: reads by their name and the ids that they begin with, or all reads of a topic. */
type Stale = ReadTopic | [name: ReadName, ...ids: string[]]

function ofAccount(id: string): Stale[] {
  return [['listTransactions', id], ['readTransaction', id], ['explainBalance', id], 'fees', ...ofItsCards(id)]
}

/** A card whose status changes moves no money. */
function ofItsCards(id: string): Stale[] {
  return [['readCardAccount', id], ['listCardAccounts'], ['readAggregateBalances'], 'overview']
}

type StaleOf = { [Type in Change['type']]: (change: Extract<Change, { type: Type }>) => Stale[] }

const staleOf: StaleOf = {
  card: ({ id, cardAccountId }) => [
    ['readCard', cardAccountId, id],
    ['readReference', 'card', id],
    ...ofItsCards(cardAccountId),
  ],
  // A card's page shows its account's balance and its own limits.
  cardaccount: ({ id }) => [
    ['readCard', id],
    ['readReference', 'cardaccount', id],
    ['readIdentityCase', id],
    ['listIdentities'],
    'my-work',
    ...ofAccount(id),
  ],
  cardaccounts: () => ['card-accounts', 'references', 'identity', 'overview', 'my-work'],
  fees: () => ['fees'],
  rates: () => ['rates'],
  'bulk-job': ({ id }) => [['readBulkJob', id], ['listBulkJobs'], 'my-work'],
  payouts: () => ['payouts', ['readReference', 'payout'], 'funding-accounts', 'overview'],
  accounts: () => ['funding-accounts'],
  operation: ({ id }) => [['readOperation', id], 'audit', 'overview', 'my-work'],
  inbox: () => [['listInbox']],
  webhooks: () => ['webhooks'],
  notes: ({ target }) => [['listNotes', target.type, target.id], 'my-work'],
  approvals: () => ['approvals', 'overview', 'my-work'],
  policy: () => ['policy'],
  lab: () => ['lab'],
}

/** The keys of the reads that changes make stale, each once. */
export function staleKeys(environment: Environment, about: readonly Change[]): QueryKey[] {
  const keys = about.flatMap((change) => {
    const find = Object.hasOwn(staleOf, change.type) ? (staleOf[change.type] as (change: Change) => Stale[]) : null
    return (find?.(change) ?? []).map((stale) =>
      typeof stale === 'string' ? [environment, stale] : readKey(stale[0], environment, ...stale.slice(1)),
    )
  })
  return [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()]
}
